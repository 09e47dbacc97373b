"""Windows as plain sets of points, so that the algebra of windows can be held against sets.

The line of time is cut at a few edges, unbounded at both sides; a *point* stands for the stretch from one edge to the
next, and is named by the edge it begins at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from memory_provider.temporal.instants import OPEN, PAST
from memory_provider.temporal.windows import Window

EDGES = (PAST, 0, 1, 2, 3, 4, 5, 6, OPEN)
POINTS = EDGES[:-1]

Said = TypeVar("Said")


def points(*windows: tuple[int, int]) -> set[int]:
    """The points that at least one of the windows holds."""
    return {point for point in POINTS for start, end in windows if start <= point < end}


def runs(held: Iterable[int]) -> list[tuple[int, int]]:
    """The longest stretches of points without a hole, in order, each as where it begins and ends."""
    held = set(held)
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for edge in EDGES:
        if edge in held:
            begun = edge if begun is None else begun
        elif begun is not None:
            found.append((begun, edge))
            begun = None
    return found


def windows(edges: Sequence[int] = EDGES) -> st.SearchStrategy[Window]:
    """Any window between two of the edges."""
    return st.sets(st.sampled_from(edges), min_size=2, max_size=2).map(lambda two: Window(*sorted(two)))


def point_sets() -> st.SearchStrategy[set[int]]:
    """Any set of points."""
    return st.sets(st.sampled_from(POINTS))


class Heirs(NamedTuple):
    """Who inherits what, by the words of the rule alone."""

    owner: dict[tuple[int, int], str]
    """The old line whose id a run carries; no entry where the run needs a new one."""
    absorbed: dict[str, str]


def heirs(before: Mapping[str, set[int]], after: set[int]) -> Heirs:
    """What the lines of one object become when exactly the points of `after` hold.

    A line lives on at its first point that is left. A run belongs to the line that began first among those that live
    on in it; the others were absorbed by that line.
    """
    lives_at = {name: min(held & after) for name, held in before.items() if held & after}
    owner: dict[tuple[int, int], str] = {}
    absorbed: dict[str, str] = {}
    for run in runs(after):
        there = [name for name, point in lives_at.items() if point in points(run)]
        if there:
            owner[run] = min(there, key=lambda name: min(before[name]))
            absorbed.update({name: owner[run] for name in there if name != owner[run]})
    return Heirs(owner, absorbed)
