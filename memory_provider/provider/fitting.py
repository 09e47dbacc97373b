"""An answer that no host would read, because it is longer than a message may be, made to fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..protocol import (
    MAX_BYTES,
    ContextFrame,
    ContextQueryResult,
    EncodeError,
    FrameAttestation,
    Frames,
    InclusionProof,
    InclusionStep,
    encode,
)
from .explaining import changed
from .extensions import EXPLAIN

if TYPE_CHECKING:
    from ..attestation import Attester

SHELL = 64 * 1024
"""Bytes left for what an answer has besides its frames and its own members."""


def to_bytes(answer: Frames, attester: Attester | None = None) -> bytes:
    """The answer as a message, its last frames left out where it would be too long.

    A host may grant 4,294,967,295 tokens and still read no more than `MAX_BYTES`. What is left is signed again, since
    a result's signature is over exactly the frames in it.
    """
    try:
        return encode(answer)
    except EncodeError:
        shorter = _fitting(answer.result)
        if len(shorter.frames) == len(answer.result.frames):
            raise
        return encode(answer.replace(result=shorter if attester is None else attester.attest(shorter)))


def _fitting(result: ContextQueryResult) -> ContextQueryResult:
    left = MAX_BYTES - SHELL - _size(result.replace(frames=(), frame_attestations=()))
    evidence = {entry.frame.frame_id: entry for entry in result.frame_attestations}
    for kept, frame in enumerate(result.frames):
        left -= _size(_alone(frame, evidence.get(frame.id), len(result.frames)))
        if left < 0:
            dropped = (result.dropped_estimate or 0) + len(result.frames) - kept
            extra = dict(result.extra)
            if EXPLAIN in extra:
                withheld = {each.id for each in result.frames[kept:]}
                extra[EXPLAIN] = changed(extra[EXPLAIN], withheld, "over_message_size")
            return result.replace(
                frames=result.frames[:kept], truncated=True, dropped_estimate=dropped, extra=extra
            )
    return result


def _alone(frame: ContextFrame, entry: FrameAttestation | None, count: int) -> ContextQueryResult:
    """One frame with what attests it. Its proof may become longer with fewer frames, but never than the longest."""
    alone = ContextQueryResult(frames=(frame,), truncated=True)
    if entry is None or entry.inclusion_proof is None:
        return alone
    step = InclusionStep(sibling=f"sha256:{'0' * 64}", sibling_is_left=False)
    path = (step,) * (count - 1).bit_length()
    proof = InclusionProof(leaf_index=count, leaf_count=count, path=path)
    return alone.replace(frame_attestations=(entry.replace(inclusion_proof=proof),))


def _size(result: ContextQueryResult) -> int:
    return len(encode(Frames(result=result)))
