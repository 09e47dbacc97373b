"""One scope as one file: export, and import into a store of either kind. The format is in `docs/archive.md`."""

from .errors import ArchiveDamaged, ArchiveError, ArchiveTooNew, NoArchive
from .exporting import export_scope
from .importing import import_archive
from .progress import Progress
from .reports import ImportReport, Manifest

__all__ = [
    "ArchiveDamaged",
    "ArchiveError",
    "ArchiveTooNew",
    "ImportReport",
    "Manifest",
    "NoArchive",
    "Progress",
    "export_scope",
    "import_archive",
]
