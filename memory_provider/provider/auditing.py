"""What the audit log hears of the requests: who asked, in which scope, and the ids in the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..access.errors import AuditError
from ..protocol import INTERNAL, UNAVAILABLE, Envelope, Error
from .extensions import SCOPE

if TYPE_CHECKING:
    from ..access import Principal
    from ..access.audit import AuditEntry
    from .provider import Pending
    from .requests import Request

Audit = Callable[["AuditEntry"], None]
"""Takes an entry, before the answer it is about is sent. Raises `AuditError` where it cannot keep it."""

FAILED = frozenset({INTERNAL, UNAVAILABLE})
"""Codes of answers to what may be asked and could not be answered."""


class Auditor:
    """Tells an audit log, if there is one. Every method may raise what the log raises."""

    def __init__(self, audit: Audit | None) -> None:
        self._audit = audit

    def refused(self, envelope: Any, request: Request, principal: Principal | None, code: str) -> None:
        """A request was refused before the memory was asked."""
        if self._audit:
            asked = request.members(envelope).get(SCOPE)
            scope = asked if isinstance(asked, str) else principal.scope if principal else None
            self._audit(_entry(envelope.type, request, principal, scope, "refused", code))

    def ended(self, pending: Pending, scope: str | None, answer: Envelope) -> None:
        """A request was put to the memory of a scope."""
        if self._audit is None:
            return
        if isinstance(answer, Error):
            outcome = "failed" if answer.code in FAILED else "refused"
            entry = _entry(pending.type, pending.request, pending.principal, scope, outcome, answer.code)
        else:
            ids = pending.request.ids(pending.question, answer)
            entry = _entry(pending.type, pending.request, pending.principal, scope, "answered", None, ids)
        self._audit(entry)

    def interrupted(self, pending: Pending, scope: str | None) -> None:
        """A request was given up while the memory was at it. A log that fails changes nothing about that."""
        if self._audit:
            ids = pending.request.ids(pending.question, None)
            entry = _entry(pending.type, pending.request, pending.principal, scope, "interrupted", None, ids)
            with suppress(AuditError):
                self._audit(entry)


def _entry(
    operation: str,
    request: Request,
    principal: Principal | None,
    scope: str | None,
    outcome: str,
    code: str | None,
    ids: Iterable[str] = (),
) -> AuditEntry:
    from ..access.audit import AuditEntry
    from ..access.principal import LOCAL

    who, token = (principal.name, principal.token) if principal else (LOCAL, None)
    return AuditEntry(who, token, operation, request.right, scope, outcome, code, tuple(dict.fromkeys(ids)))
