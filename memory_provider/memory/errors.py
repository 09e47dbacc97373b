"""What the memory itself refuses."""

from ..temporal.errors import InvalidInput, MemoryProviderError


class InvalidName(InvalidInput):
    """A name of an entity, predicate, scope or session that is empty, too long, or not Unicode text."""


class InvalidObject(InvalidInput):
    """An object that no fact can hold, or whose type its predicate does not take."""


class PredicateConflict(MemoryProviderError):
    """A declaration that contradicts what stands or what was declared before."""


class IdempotencyConflict(MemoryProviderError):
    """An idempotency key was used before with other arguments; the whole transaction was refused."""


class NotFound(MemoryProviderError):
    """An id or name that this scope does not have."""


class Ambiguous(MemoryProviderError):
    """A write that would change more than it names."""


class UnresolvedReference(NotFound):
    """A reference from which no content can be had: base of what can be wrong with one."""


class ReferenceNotFound(UnresolvedReference):
    """A reference to something that this scope never issued."""


class ReferenceExpired(UnresolvedReference):
    """A reference to something that no longer stands, or was erased."""


class ContentMismatch(UnresolvedReference):
    """What a reference leads to says something else than it did."""
