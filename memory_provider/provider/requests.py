"""Which envelopes are requests to the memory, which right each takes, and what answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..access import Right
from ..protocol import (
    BAD_REQUEST,
    ContextQueryResult,
    Envelope,
    Frames,
    Query,
    Resolve,
    Resolved,
    Verified,
    Verify,
    VerifyResponse,
)
from ..protocol.lifecycle_codes import SCOPE_DENIED
from .questions import recall_question, resolve_question, verify_question

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
    """The code of a refusal for want of a right or a scope."""


def _recall_question(query: Query) -> Any:
    question = recall_question(query.query)
    return Frames(id=query.id, result=question) if isinstance(question, ContextQueryResult) else question


async def _recall(asking: Asking, question: Any) -> Envelope:
    from . import answers

    return Frames(id=asking.id, result=await answers.recall(asking.memory, question, asking.provider))


def _recalled(question: Any, answer: Frames | None) -> Iterable[str]:
    return (frame.id for frame in answer.result.frames) if answer else ()


def _verify_question(verify: Verify) -> Any:
    question = verify_question(verify.request)
    return Verified(id=verify.id, response=question) if isinstance(question, VerifyResponse) else question


async def _verify(asking: Asking, question: Any) -> Envelope:
    from . import answers

    return Verified(id=asking.id, response=await answers.verify(asking.memory, question))


def _verified(question: Any, answer: Verified | None) -> Iterable[str]:
    verdicts = answer.response.verdicts if answer else ()
    # An unknown id may be any text; the others are ours.
    return (each.frame.frame_id for each in verdicts if each.status != "unknown")


async def _resolve(asking: Asking, question: Any) -> Envelope:
    from . import answers

    return Resolved(id=asking.id, response=await answers.resolve(asking.memory, question))


def _resolved(question: Any, answer: Resolved | None) -> Iterable[str]:
    from ..memory.addressing import parse_content_uri

    key = parse_content_uri(answer.response.content_ref.uri) if answer else None
    return (key.frame_id,) if key else ()


REQUESTS: Final[Mapping[type[Envelope], Request]] = {
    Query: Request(Right.READ, lambda query: query.query.extra, _recall_question, _recall, _recalled),
    Verify: Request(Right.READ, lambda verify: verify.request.extra, _verify_question, _verify, _verified),
    Resolve: Request(
        *(Right.READ, lambda resolve: resolve.request.extra),
        lambda resolve: resolve_question(resolve.request),
        *(_resolve, _resolved),
        denied=SCOPE_DENIED,
    ),
}
"""The requests by class of envelope."""
