"""Frames held from one turn to the next, and given out again only once their provider has confirmed them (D3, D4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from ...protocol import ContextFrame, FrameId, TimestampError, parse_timestamp
from ...temporal.errors import InvalidInput
from ..evidence import Evidence
from ..offers import Offered
from .verification import Verification

MOST_FRAMES: Final = 1000
"""How many frames are held, unless told otherwise."""


class Reused(NamedTuple):
    """What may be used again in this turn."""

    frames: tuple[Offered, ...]
    evidence: Mapping[FrameId, Evidence]


class Held(NamedTuple):
    """What a frame said when it was last served, and what attests it."""

    identity: FrameId
    offered: Offered
    evidence: Evidence | None


_Frame: TypeAlias = tuple[str, str]
"""The host's id of a provider, and the provider's id of a frame."""


class HeldFrames:
    """What a host remembers of earlier answers, by identity.

    There is no way to a frame's content but `reuse`, which takes the verification of this turn. A frame without a
    digest is never held: nobody could confirm it. Nor is one without content, which would save nothing.
    """

    def __init__(self, most_frames: int = MOST_FRAMES) -> None:
        if most_frames < 0:
            raise InvalidInput(f"the number of frames to hold is a whole number from 0 up, not {most_frames}")
        self._most_frames = most_frames
        self._held: dict[_Frame, Held] = {}  # those served or confirmed last at the end

    def __len__(self) -> int:
        return len(self._held)

    @property
    def identities(self) -> tuple[FrameId, ...]:
        """What to verify before anything is used again."""
        return tuple(held.identity for held in self._held.values())

    def hold(self, frames: Iterable[Offered], evidence: Mapping[FrameId, Evidence] | None = None) -> None:
        """Holds frames of an answer that passed the audit. What its provider served in their place before goes (V4).

        Beyond the limit those that were neither served nor confirmed for the longest time go first.
        """
        for offered in frames:
            identity = offered.identity
            frame = _frame(identity)
            self._held.pop(frame, None)
            if identity.content_digest is not None and offered.frame.content:
                self._held[frame] = Held(identity, offered, (evidence or {}).get(identity))
        for frame in list(self._held)[: max(0, len(self._held) - self._most_frames)]:
            del self._held[frame]

    def reuse(
        self,
        verification: Verification,
        *,
        now: str,
        as_of: str | None = None,
        kinds: Iterable[str] = (),
    ) -> Reused:
        """The held frames that this verification retained, and that suit the question. All that it dropped goes.

        A frame that was not verified stays held and is not given out. That a frame is confirmed says that it still
        says the same, not that what it says holds: at `as_of`, or at `now` if no instant is asked for, its validity has
        to hold too (Q2). `kinds` filters if it is not empty. Raises `TimestampError` for an instant that is none.
        """
        instant = parse_timestamp(now if as_of is None else as_of)
        for dropped in verification.dropped:
            self._take(dropped.frame)
        wanted = frozenset(kinds)
        frames: list[Offered] = []
        evidence: dict[FrameId, Evidence] = {}
        for identity in verification.retained:
            held = self._take(identity)
            if held is None:
                continue
            self._held[_frame(identity)] = held
            frame = held.offered.frame
            if not holds_at(frame, instant) or (wanted and frame.kind not in wanted):
                continue
            frames.append(held.offered)
            if held.evidence is not None:
                evidence[identity] = held.evidence
        return Reused(tuple(frames), evidence)

    def forget(self, provider_id: str) -> None:
        """Lets go of all that a provider served: it is gone, or consent to it was revoked."""
        for frame in [frame for frame in self._held if frame[0] == provider_id]:
            del self._held[frame]

    def _take(self, identity: FrameId) -> Held | None:
        """Takes what is held of exactly this identity out of what is held."""
        held = self._held.get(_frame(identity))
        if held is None or held.identity != identity:
            return None
        return self._held.pop(_frame(identity))


def holds_at(frame: ContextFrame, instant: int) -> bool:
    """Whether a frame's half-open window contains an instant, given in microseconds since the Unix epoch.

    An end that is not given is open (Q2); one that is no timestamp holds nothing.
    """
    try:
        begins = frame.valid_from is None or parse_timestamp(frame.valid_from) <= instant
        ends = frame.valid_to is not None and parse_timestamp(frame.valid_to) <= instant
    except TimestampError:
        return False
    return begins and not ends


def _frame(identity: FrameId) -> _Frame:
    return identity.provider_id, identity.frame_id
