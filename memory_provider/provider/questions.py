"""What a request asks of the memory: the wire's terms put into the memory's, or refused, before it is opened."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from ..protocol import (
    BAD_REQUEST,
    COMPACT,
    FULL,
    REFERENCE,
    UNSUPPORTED_REPRESENTATION,
    ContentRef,
    ContextQuery,
    ContextQueryResult,
    FrameId,
    Representation,
    ResolveRequest,
    TimestampError,
    VerifyRequest,
    VerifyResponse,
    accepted_representations,
    parse_timestamp,
)
from .explaining import NOTHING
from .extensions import EXPLAIN, KNOWN_AT
from .refusals import Refusal

KINDS: Final = ("fact", "episode", "graph", "memory")
"""The kinds of frame served here."""

REPRESENTATIONS: Final[tuple[Representation, ...]] = (FULL, COMPACT, REFERENCE)
"""The ways frames are served."""


class RecallQuestion(NamedTuple):
    """What to recall. Instants are microseconds since the Unix epoch, None being the latest."""

    text: str
    kinds: tuple[str, ...]
    anchors: tuple[str, ...]
    max_frames: int
    max_tokens: int
    as_of: int | None
    known_at: int | None
    explain: bool
    representations: tuple[Representation, ...]
    """Those that frames may come in, best first."""


class VerifyQuestion(NamedTuple):
    """Which frames to verify, as the host names them."""

    frames: tuple[FrameId, ...]


class ResolveQuestion(NamedTuple):
    """Which content to give out, as the host names it."""

    content_ref: ContentRef
    digest: str | None


Question = RecallQuestion | VerifyQuestion | ResolveQuestion


def recall_question(query: ContextQuery) -> RecallQuestion | ContextQueryResult:
    """What a query asks, or its result where that is certain without looking. Raises `Refusal`."""
    if query.embedding is not None:
        raise Refusal(BAD_REQUEST, "embedding: no embedding space is declared here; leave it out")
    known_at = asked_known_at(query.extra)
    explain = _explain(query.extra.get(EXPLAIN))
    kinds = tuple(kind for kind in KINDS if kind in query.kinds) if query.kinds else KINDS
    if not kinds:
        return no_frames(explain)
    return RecallQuestion(
        _text(query),
        kinds,
        query.anchors,
        query.max_frames,
        query.max_tokens,
        query.as_of_microseconds,
        known_at,
        explain,
        accepted_representations(query.representation_preferences, REPRESENTATIONS),
    )


def on_offer(query: ContextQuery, offered: Collection[Representation]) -> ContextQuery:
    """The query with those of its preferences that are on offer. Raises `Refusal` where none of them is (P5)."""
    wanted = query.representation_preferences
    accepted = accepted_representations(wanted, offered)
    if not accepted:
        message = f"representation_preferences: {', '.join(wanted or (FULL,))} not served here, {', '.join(offered)} is"
        raise Refusal(UNSUPPORTED_REPRESENTATION, message)
    return query if accepted == wanted else query.replace(representation_preferences=accepted)


def no_frames(explain: bool) -> ContextQueryResult:
    """The result of a query that nothing can answer."""
    return ContextQueryResult(frames=(), truncated=False, extra={EXPLAIN: NOTHING} if explain else {})


def verify_question(request: VerifyRequest) -> VerifyQuestion | VerifyResponse:
    """What a verification asks, or its answer where there is nothing to look up."""
    return VerifyQuestion(request.frames) if request.frames else VerifyResponse(verdicts=())


def resolve_question(request: ResolveRequest) -> ResolveQuestion:
    """What is to be resolved. `provider_id` is not looked at, as in a verification."""
    return ResolveQuestion(request.content_ref, request.canonical_content_hash)


def _text(query: ContextQuery) -> str:
    """What to search for: `query_text` if it says anything, else `goal`.

    A host that gives both has boiled the question down itself. The goal is the task in words, and its verbs
    and courtesies would only find what else happens to hold them.
    """
    return query.query_text if query.query_text and query.query_text.strip() else query.goal


def asked_known_at(members: Mapping[str, Any]) -> int | None:
    """The instant that a request asks to know at, None being the latest. Raises `Refusal`."""
    given = members.get(KNOWN_AT)
    if given is None:
        return None
    if not isinstance(given, str):
        raise Refusal(BAD_REQUEST, f"{KNOWN_AT}: expected a timestamp like 2026-03-01T00:00:00Z in a text")
    try:
        return parse_timestamp(given)
    except TimestampError as error:
        raise Refusal(BAD_REQUEST, f"{KNOWN_AT}: {error.message}") from None


def _explain(given: Any) -> bool:
    if given is not None and not isinstance(given, bool):
        raise Refusal(BAD_REQUEST, f"{EXPLAIN}: expected true or false")
    return bool(given)
