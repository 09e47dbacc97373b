"""What can be wrong with an archive."""

from ..temporal.errors import InvalidInput, MemoryProviderError


class ArchiveError(MemoryProviderError):
    """An archive that cannot be written or read."""


class ArchiveDamaged(ArchiveError, InvalidInput):
    """An archive that does not hold what was exported: names the line. Nothing of it was written."""


class NoArchive(ArchiveError, InvalidInput):
    """A file that is no archive at all. Nothing was written."""


class ArchiveTooNew(ArchiveError, InvalidInput):
    """An archive in a format that a newer release of this package writes. Nothing of it was written."""
