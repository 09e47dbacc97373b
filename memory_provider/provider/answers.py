"""Questions put to the memory, and what it says as results of the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..protocol import (
    ContextQueryResult,
    FrameId,
    FrameVerdict,
    ResolveResponse,
    VerdictStatus,
    VerifyResponse,
)
from .explaining import told
from .extensions import EXPLAIN
from .frames import context_frame
from .instants import FIRST, moment
from .questions import RecallQuestion, ResolveQuestion, VerifyQuestion, no_frames

if TYPE_CHECKING:
    from ..memory.api import Memory
    from ..memory.evidence.verifying import Verdict


async def recall(memory: Memory, question: RecallQuestion, provider: str) -> ContextQueryResult:
    """The frames that answer a query; handles among them are good at the provider of that name."""
    if question.known_at is not None and question.known_at < FIRST:
        return no_frames(question.explain)  # in year 0 nothing was known yet
    view = memory.at(as_of=moment(question.as_of), known_at=moment(question.known_at))
    found = await view.recall(
        question.text,
        max_tokens=question.max_tokens,
        max_frames=question.max_frames,
        kinds=question.kinds,
        anchors=question.anchors,
        representations=question.representations,
        explain=question.explain,
    )
    frames = found.frames
    if question.as_of is not None and question.as_of < FIRST:
        frames = [frame for frame in frames if frame.valid_from is None]  # what always was, was in year 0 too
    extra: dict[str, Any] = {}
    if found.explanation is not None:
        served = {frame.id for frame in frames}
        extra[EXPLAIN] = told(found.explanation, {each.id for each in found.frames} - served)
    return ContextQueryResult(
        frames=tuple(context_frame(frame, provider) for frame in frames),
        truncated=found.truncated,
        dropped_estimate=found.dropped_estimate if found.truncated else None,
        extra=extra,
    )


async def resolve(memory: Memory, question: ResolveQuestion) -> ResolveResponse:
    """The content behind a handle. Raises `UnresolvedReference`."""
    content = await memory.resolve(question.content_ref.uri, digest=question.digest)
    return ResolveResponse(
        content_ref=question.content_ref, content=content.content, canonical_content_hash=content.digest
    )


async def verify(memory: Memory, question: VerifyQuestion) -> VerifyResponse:
    """A verdict on every identity, each answered and repeated as it came, duplicates too.

    `provider_id` is not looked at: hosts send their own name for a provider (V5).
    """
    held = [(frame.frame_id, frame.content_digest) for frame in question.frames]
    verdicts = await memory.verify(held)
    return VerifyResponse(verdicts=tuple(map(_verdict, question.frames, verdicts)))


def _verdict(frame: FrameId, verdict: Verdict) -> FrameVerdict:
    status = cast(VerdictStatus, verdict.status)
    return FrameVerdict(frame=frame, status=status, replacement_digest=verdict.replacement_digest)
