"""Which envelopes are requests to the memory, which right each takes, and what answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..access import Right
from ..protocol import (
    BAD_REQUEST,
    AppendRecords,
    ContextQueryResult,
    Envelope,
    EraseRecords,
    Frames,
    GetRecords,
    Query,
    Records,
    RecordsAppended,
    RecordsErased,
    Resolve,
    Resolved,
    Verified,
    Verify,
    VerifyResponse,
)
from ..protocol.lifecycle.codes import CONSENT_REQUIRED, SCOPE_DENIED
from .questions import recall_question, resolve_question, verify_question
from .record_questions import append_question, erase_question, get_question

if TYPE_CHECKING:
    from ..access import Principal
    from ..memory.api import Memory


class Asking(NamedTuple):
    """What an answer is made with."""

    memory: Memory
    """The memory of the scope that was asked for, which the principal reaches."""
    principal: Principal
    id: str | None
    """The correlation id to repeat."""
    provider: str
    """The provider's name, for handles that are good here."""

    def seen(self) -> Memory:
        """The memory without the context records that the principal has no part in."""
        if not self.principal.labels:
            return self.memory
        from functools import partial

        from .record_access import may_see

        return self.memory.scoped(self.memory.scope, sees=partial(may_see, self.principal))


class Request(NamedTuple):
    """How one type of envelope is answered, in two steps: the first needs no memory and loads nothing."""

    right: Right
    members: Callable[[Any], Mapping[str, Any]]
    """The members of an envelope among which the extensions stand."""
    question: Callable[[Any], Any]
    """What an envelope asks of the memory, or an `Envelope` where the answer is certain without. Raises `Refusal`."""
    answer: Callable[[Asking, Any], Awaitable[Envelope]]
    """The answer to a question."""
    ids: Callable[[Any, Any], Iterable[str]]
    """For the audit log: ids of what a question (the first argument) got in its answer (the second), contents left out;
    with None for the answer, of what is written or erased if it goes through."""
    denied: str = BAD_REQUEST
    """The code of a refusal for want of a scope."""
    not_granted: str = BAD_REQUEST
    """The code of a refusal for want of the right."""


def _recall_question(query: Query) -> Any:
    question = recall_question(query.query)
    return Frames(id=query.id, result=question) if isinstance(question, ContextQueryResult) else question


async def _recall(asking: Asking, question: Any) -> Envelope:
    from . import answers

    return Frames(id=asking.id, result=await answers.recall(asking.seen(), question, asking.provider))


def _recalled(question: Any, answer: Frames | None) -> Iterable[str]:
    return (frame.id for frame in answer.result.frames) if answer else ()


def _verify_question(verify: Verify) -> Any:
    question = verify_question(verify.request)
    return Verified(id=verify.id, response=question) if isinstance(question, VerifyResponse) else question


async def _verify(asking: Asking, question: Any) -> Envelope:
    from . import answers

    return Verified(id=asking.id, response=await answers.verify(asking.seen(), question))


def _verified(question: Any, answer: Verified | None) -> Iterable[str]:
    verdicts = answer.response.verdicts if answer else ()
    # An unknown id may be any text; the others are ours.
    return (each.frame.frame_id for each in verdicts if each.status != "unknown")


async def _resolve(asking: Asking, question: Any) -> Envelope:
    from . import answers

    return Resolved(id=asking.id, response=await answers.resolve(asking.seen(), question))


def _resolved(question: Any, answer: Resolved | None) -> Iterable[str]:
    from ..memory.evidence.addressing import parse_content_uri

    key = parse_content_uri(answer.response.content_ref.uri) if answer else None
    return (key.frame_id,) if key else ()


async def _append(asking: Asking, question: Any) -> Envelope:
    from . import record_answers

    return RecordsAppended(
        id=asking.id, response=await record_answers.append(asking.seen(), asking.principal, question)
    )


def _appended(question: Any, answer: RecordsAppended | None) -> Iterable[str]:
    if answer is None:
        return question.ids()  # type: ignore[no-any-return]
    receipts = answer.response.receipts
    return (each.record_id for each in receipts if each.record_id and each.status != "rejected")


async def _get(asking: Asking, question: Any) -> Envelope:
    from . import record_answers

    return Records(id=asking.id, response=await record_answers.get(asking.memory, asking.principal, question))


def _got(question: Any, answer: Records | None) -> Iterable[str]:
    return (each.record_id for each in answer.response.records if each.status == "found") if answer else ()


async def _erase(asking: Asking, question: Any) -> Envelope:
    from . import record_answers

    return RecordsErased(
        id=asking.id, response=await record_answers.erase(asking.memory, asking.principal, question)
    )


def _erased(question: Any, answer: RecordsErased | None) -> Iterable[str]:
    if question.dry_run:
        return ()
    if answer is None:
        return question.ids  # type: ignore[no-any-return]
    return (each.record_id for each in answer.response.receipts if each.status == "erased")


REQUESTS: Final[Mapping[type[Envelope], Request]] = {
    Query: Request(Right.READ, lambda query: query.query.extra, _recall_question, _recall, _recalled),
    Verify: Request(Right.READ, lambda verify: verify.request.extra, _verify_question, _verify, _verified),
    Resolve: Request(
        *(Right.READ, lambda resolve: resolve.request.extra),
        lambda resolve: resolve_question(resolve.request),
        *(_resolve, _resolved),
        denied=SCOPE_DENIED,
        not_granted=CONSENT_REQUIRED,
    ),
    AppendRecords: Request(
        *(Right.WRITE, lambda append: append.request.extra, append_question, _append, _appended),
        denied=SCOPE_DENIED,
        not_granted=CONSENT_REQUIRED,
    ),
    GetRecords: Request(
        *(Right.READ, lambda get: get.request.extra, get_question, _get, _got),
        denied=SCOPE_DENIED,
        not_granted=CONSENT_REQUIRED,
    ),
    EraseRecords: Request(
        *(Right.ERASE, lambda erase: erase.request.extra, erase_question, _erase, _erased),
        denied=SCOPE_DENIED,
        not_granted=CONSENT_REQUIRED,
    ),
}
"""The requests by class of envelope."""
