"""What can go wrong between the memory and its store."""

from ..temporal.errors import InvalidInput, MemoryProviderError


class StoreError(MemoryProviderError):
    """The store could not do what was asked; nothing half-written is left behind."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, is locked, full or read-only. The same call may succeed later."""


class StoreTooNew(StoreError):
    """The database was written by a newer release of this package."""


class MigrationPending(StoreError):
    """The database has not had every migration of this release applied, and may not be migrated by a reader."""


class InvalidAddress(InvalidInput):
    """A store URL that names no store this package knows, or names it incompletely."""


class ScopeNotEmpty(StoreError):
    """An import found history in a scope that must be empty."""
