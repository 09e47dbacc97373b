"""What went wrong inside, as a host may hear it: a code to act on, and nothing that tells more than it should."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..protocol import BAD_REQUEST, INTERNAL, UNAVAILABLE, Error, ProtocolError
from ..protocol.lifecycle.codes import CONTENT_HASH_MISMATCH, REFERENCE_EXPIRED, REFERENCE_NOT_FOUND

if TYPE_CHECKING:
    from ..errors import UnresolvedReference


def failure(problem: Exception, id: str | None) -> Error:
    """The answer to a request that failed. What the host is not told goes to the log.

    A host hears its own mistakes in full, of everything else only the code: texts of errors from below may hold
    addresses, contents or credentials.
    """
    from ..errors import AuditError, InvalidInput, MigrationPending, StoreUnavailable, UnresolvedReference

    match problem:
        case ProtocolError():
            return Error(id=id, code=problem.code, message=problem.message)
        case StoreUnavailable() | MigrationPending():
            _log(f"the store cannot be used: {problem}")
            return Error(
                id=id, code=UNAVAILABLE, message="the memory's store cannot be used now; try again later"
            )
        case AuditError():
            _log(f"not answered: {problem}")
            return Error(id=id, code=UNAVAILABLE, message="the audit log cannot be written; try again later")
        case UnresolvedReference():
            return Error(id=id, code=_unresolved(problem), message=ProtocolError(str(problem)).message)
        case InvalidInput():
            return Error(id=id, code=BAD_REQUEST, message=ProtocolError(str(problem)).message)
    _log("a request failed", problem)
    return Error(id=id, code=INTERNAL, message="something went wrong inside; the provider's log says what")


def _unresolved(problem: UnresolvedReference) -> str:
    from ..errors import ContentMismatch, ReferenceExpired

    match problem:
        case ContentMismatch():
            return CONTENT_HASH_MISMATCH
        case ReferenceExpired():
            return REFERENCE_EXPIRED
    return REFERENCE_NOT_FOUND


def _log(message: str, problem: Exception | None = None) -> None:
    import logging

    logging.getLogger("memory_provider").error(message, exc_info=problem)
