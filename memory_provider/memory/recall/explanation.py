"""Why a recall served what it served: every candidate, what found it, what its score is made of, what became of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from ...store.arms import SearchArm, search_arms
from ...store.contract import Candidates, Probe
from ...temporal.instants import Instant
from ..evidence.addressing import chunk_frame_id
from ..evidence.frames import Frame, Representation
from .packing import Packed, frame_of
from .ranking import Ranked, ScoreParts

CandidateOutcome = Literal["served", "over_budget", "over_max_frames", "not_valid", "kind_not_asked"]
"""What became of a candidate.

- `served`: it is among the frames.
- `over_budget`: `token_cost` is more than the `remaining` tokens; those after it were still tried.
- `over_max_frames`: as many frames as asked for were served before its turn came.
- `not_valid`: a relation of a named entity that does not hold at the view's `as_of`.
- `kind_not_asked`: named by an anchor, and of a kind that was not asked for.
"""


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    """One candidate of a recall and what became of it."""

    id: str
    """Of its frame."""
    kind: str
    """Of its frame."""
    outcome: CandidateOutcome
    arms: tuple[str, ...]
    """What found it. One that several arms found is one candidate, and is served once."""
    rank: int | None = None
    """Its place by score, from 1; None where it was not ranked."""
    score: float | None = None
    parts: ScoreParts | None = None
    """What the score is made of; they add up to it, rounding aside."""
    token_cost: int | None = None
    """As it was served; that of the full frame, where it was not."""
    remaining: int | None = None
    """Tokens of the budget that were left when its turn came."""
    representation: Representation | None = None
    """As what it was served."""


@dataclass(frozen=True, slots=True)
class RecallExplanation:
    """What became of every candidate, in rank order; those that were not ranked come last."""

    candidates: tuple[RecallCandidate, ...]
    arms: tuple[SearchArm, ...]
    """Those that were searched."""
    left_out: int
    """At least so many further matches no arm brought, because of its limit."""


def explained(
    packed: Packed, probe: Probe, found: Candidates, kinds: Collection[str], as_of: Instant
) -> RecallExplanation:
    """Tell what became of what was found."""
    return RecallExplanation(
        (*_ranked(packed), *_not_ranked(found, kinds, as_of)),
        tuple(search_arms(probe, found)),
        found.more,
    )


def _ranked(packed: Packed) -> Iterator[RecallCandidate]:
    for rank, each in enumerate(packed.decisions, 1):
        yield _told(rank, each.candidate, each.frame, each.outcome, each.remaining)
    for rank, candidate in enumerate(packed.rest, len(packed.decisions) + 1):
        yield _told(rank, candidate, frame_of(candidate), packed.end, packed.remaining)


def _told(
    rank: int, candidate: Ranked, frame: Frame, outcome: CandidateOutcome, remaining: int
) -> RecallCandidate:
    parts = ScoreParts(*(round(part, 6) for part in candidate.parts))
    return RecallCandidate(
        frame.id,
        frame.kind,
        outcome,
        candidate.arms,
        rank,
        frame.score,
        parts,
        frame.token_cost,
        remaining,
        frame.representation if outcome == "served" else None,
    )


def _not_ranked(found: Candidates, kinds: Collection[str], as_of: Instant) -> Iterator[RecallCandidate]:
    if "fact" in kinds:
        for row in found.relations:
            if not row.version.window.contains(as_of):
                yield RecallCandidate(row.version.id, "fact", "not_valid", ("relations",))
    else:
        for row in found.anchored_facts:
            yield RecallCandidate(row.version.id, "fact", "kind_not_asked", ("anchored_facts",))
    if "episode" not in kinds:
        for hit in found.anchored_episodes:
            id = chunk_frame_id(hit.episode.id, hit.chunk.number)
            yield RecallCandidate(id, "episode", "kind_not_asked", ("anchored_episodes",))
