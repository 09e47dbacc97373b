"""Asking whether frames already held may still be used, and the answer (SPEC, "context reuse" 4).

No frame bodies travel either way; `FrameVerdict` therefore drops members it does not know, as `FrameId` does.
"""

from typing import Literal, TypeAlias

from .identities import FrameId
from .wire_objects import ExtensibleObject, WireObject

VerdictStatus: TypeAlias = Literal["valid", "stale", "gone", "unknown"]
"""What became of a frame; only `valid` allows reuse (V3).

`valid`: the presented bytes are what is served now. `stale`: the frame has other bytes now. `gone`: the frame is
no more. `unknown`: the provider cannot say.
"""


class VerifyRequest(ExtensibleObject):
    """The identities a host wants to know about. An identity may be asked more than once."""

    frames: tuple[FrameId, ...]


class FrameVerdict(WireObject):
    """The verdict on one identity, which is repeated exactly as it was asked (V2).

    `replacement_digest` says what the frame's digest is now, if that is known; only with `stale`.
    """

    frame: FrameId
    status: VerdictStatus
    replacement_digest: str | None = None


class VerifyResponse(ExtensibleObject):
    """Verdicts in any order; an identity without one is `unknown` (V2)."""

    verdicts: tuple[FrameVerdict, ...]
