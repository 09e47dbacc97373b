"""Every error of the memory and its stores in one place; all derive from `MemoryProviderError`."""

from .access.errors import AuditError, InvalidToken, TokenFileError, TokenNotFound
from .memory.errors import (
    Ambiguous,
    IdempotencyConflict,
    InvalidName,
    InvalidObject,
    NotFound,
    PredicateConflict,
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
    "ScopeNotEmpty",
    "StoreError",
    "StoreTooNew",
    "StoreUnavailable",
    "TokenFileError",
    "TokenNotFound",
]
