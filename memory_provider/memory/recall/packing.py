"""From a ranked list to frames under a budget. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..evidence.frames import Frame, episode_frame, fact_frame, graph_frame, record_frame
from ..evidence.representing import WHOLE, Representing
from .ranking import Ranked

Outcome = Literal["served", "over_budget", "over_max_frames"]
"""What becomes of a candidate: served, longer than what is left of the tokens, or beyond the frames asked for."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be served."""

    max_tokens: int
    """Sum of the frames' token costs (UTF-8 bytes of content divided by four, rounded up)."""
    max_frames: int


class Decision(NamedTuple):
    """What became of a candidate."""

    candidate: Ranked
    frame: Frame
    """As it is served; the full one, where it is not."""
    outcome: Outcome
    remaining: int
    """Tokens left when its turn came."""


class Packed(NamedTuple):
    """What a budget took of a ranked list."""

    decisions: Sequence[Decision]
    """On each candidate that was looked at, in rank order."""
    rest: Sequence[Ranked]
    """Those after them: nothing was left for any."""
    end: Outcome
    """What all of the rest came to."""
    remaining: int
    """Tokens left over."""

    @property
    def frames(self) -> list[Frame]:
        """Those served, best first."""
        return [each.frame for each in self.decisions if each.outcome == "served"]

    @property
    def dropped(self) -> int:
        """How many candidates were not served."""
        return len(self.rest) + sum(each.outcome != "served" for each in self.decisions)


def pack(ranked: Sequence[Ranked], budget: Budget, representing: Representing = WHOLE) -> Packed:
    """Frames in rank order; one that does not fit is passed over, and those after it are still tried.

    Each is served in the first of the accepted representations that fits what is left.
    """
    decisions: list[Decision] = []
    left, room = budget.max_tokens, budget.max_frames
    for place, candidate in enumerate(ranked):
        if room <= 0 or (left <= 0 and not representing.free):
            return Packed(decisions, ranked[place:], "over_budget" if room > 0 else "over_max_frames", left)
        whole = frame_of(candidate)
        frame = representing.fitting(whole, left)
        if frame is None:
            decisions.append(Decision(candidate, whole, "over_budget", left))
            continue
        decisions.append(Decision(candidate, frame, "served", left))
        left -= frame.token_cost
        room -= 1
    return Packed(decisions, (), "served", left)


def frame_of(candidate: Ranked) -> Frame:
    """The frame of a candidate."""
    score = round(min(1.0, max(0.0, candidate.score)), 6)
    if candidate.fact:
        return fact_frame(candidate.fact, score)
    if candidate.chunk:
        return episode_frame(candidate.chunk, score)
    if candidate.record:
        return record_frame(candidate.record.record, score)
    assert candidate.part is not None
    return graph_frame(*candidate.part, score)
