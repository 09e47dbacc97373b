"""What fits into the prompt (COMP3, COMP4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .deduplication import Candidate


class Packed(NamedTuple):
    """What fits, in the order given, and what does not."""

    included: tuple[Candidate, ...]
    left_out: tuple[tuple[Candidate, int], ...]
    """Each with the tokens that remained when its turn came."""
    tokens_used: int


def pack(ranked: Iterable[Candidate], budget: int) -> Packed:
    """Takes each candidate in turn if all of its block fits; one that does not is no reason to stop."""
    included: list[Candidate] = []
    left_out: list[tuple[Candidate, int]] = []
    remaining = budget
    for candidate in ranked:
        if candidate.cost <= remaining:
            included.append(candidate)
            remaining -= candidate.cost
        else:
            left_out.append((candidate, remaining))
    return Packed(tuple(included), tuple(left_out), budget - remaining)
