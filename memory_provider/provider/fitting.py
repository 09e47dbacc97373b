"""An answer that no host would read, because it is longer than a message may be, made to fit."""

from __future__ import annotations

from ..protocol import MAX_BYTES, ContextQueryResult, EncodeError, Frames, encode
from .explaining import changed
from .extensions import EXPLAIN

SHELL = 64 * 1024
"""Bytes left for what an answer has besides its frames and its own members."""


def to_bytes(answer: Frames) -> bytes:
    """The answer as a message, its last frames left out where it would be too long.

    A host may grant 4,294,967,295 tokens and still read no more than `MAX_BYTES`.
    """
    try:
        return encode(answer)
    except EncodeError:
        shorter = _fitting(answer.result)
        if len(shorter.frames) == len(answer.result.frames):
            raise
        return encode(answer.replace(result=shorter))


def _fitting(result: ContextQueryResult) -> ContextQueryResult:
    left = MAX_BYTES - SHELL - len(encode(Frames(result=result.replace(frames=()))))
    for kept, frame in enumerate(result.frames):
        alone = ContextQueryResult(frames=(frame,), truncated=True)
        left -= len(encode(Frames(result=alone)))
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
