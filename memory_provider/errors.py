"""Every error of the memory and its stores in one place; all derive from `MemoryProviderError`."""

from .access.errors import AuditError, InvalidToken, TokenFileError, TokenNotFound
from .memory.errors import (
    Ambiguous,
    ContentMismatch,
    IdempotencyConflict,
    InvalidName,
    InvalidObject,
    NotFound,
    PredicateConflict,
    ReferenceExpired,
    ReferenceNotFound,
    UnresolvedReference,
)
from .store.errors import (
    InvalidAddress,
    MigrationPending,
    ScopeNotEmpty,
    StoreError,
    StoreTooNew,
    StoreUnavailable,
)
from .temporal.errors import ClockRefused, InvalidInput, InvalidInstant, InvalidWindow, MemoryProviderError

__all__ = [
    "Ambiguous",
    "AuditError",
    "ClockRefused",
    "ContentMismatch",
    "IdempotencyConflict",
    "InvalidAddress",
    "InvalidInput",
    "InvalidInstant",
    "InvalidName",
    "InvalidObject",
    "InvalidToken",
    "InvalidWindow",
    "MemoryProviderError",
    "MigrationPending",
    "NotFound",
    "PredicateConflict",
    "ReferenceExpired",
    "ReferenceNotFound",
    "ScopeNotEmpty",
    "StoreError",
    "StoreTooNew",
    "StoreUnavailable",
    "TokenFileError",
    "TokenNotFound",
    "UnresolvedReference",
]
