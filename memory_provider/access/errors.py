"""What access itself refuses."""

from ..temporal.errors import InvalidInput, MemoryProviderError


class InvalidToken(InvalidInput):
    """A token that cannot be made as asked (its name, its scopes, its rights or its end), or a name of several."""


class TokenNotFound(MemoryProviderError):
    """No token of this name or id is there to be revoked."""


class TokenFileError(InvalidInput):
    """A file of tokens that is missing, is not one, or may be written by others."""


class AuditError(MemoryProviderError):
    """The audit log cannot be written, so nothing is answered."""
