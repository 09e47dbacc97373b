"""What can be wrong with an archive."""

from ..temporal.errors import MemoryProviderError


class ArchiveError(MemoryProviderError):
    """An archive that cannot be written or read."""


class ArchiveDamaged(ArchiveError):
    """An archive that does not hold what was exported: names the line. Nothing of it was written."""


class ArchiveTooNew(ArchiveError):
    """An archive in a format that a newer release of this package writes."""
