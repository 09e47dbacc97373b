"""An entity's neighbourhood as graph frames: which relations belong together, and how long exactly they held.

Pure. A neighbourhood of at most `WHOLE` relations is one part. A larger one is cut by predicate and direction, and a
still larger group by a hash of the other end, so that one new relation changes one part.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from ...store.records import Entity, Predicate, Version
from ...temporal.instants import OPEN, PAST, Instant
from ...temporal.windows import Window
from ..rendering import digest, validity
from .addressing import GraphId

WHOLE = 50
"""How many relations one part holds at the most, unless they share everything they could be cut by."""

WHOLE_PART = "all"
"""The name of the part that is a whole neighbourhood."""


class Part(NamedTuple):
    """A graph frame's substance."""

    id: GraphId
    window: Window
    """The widest window in which exactly these relations held."""
    relations: tuple[Version, ...]
    content: str
    digest: str


class _Member(NamedTuple):
    version: Version
    group: str
    other: str


def parts_at(
    entity: Entity, relations: Sequence[Version], predicates: Mapping[str, Predicate], at: Instant
) -> list[Part]:
    """The parts of an entity's neighbourhood at an instant of valid time, in a fixed order.

    `relations` are all relations with the entity at either end that are known, whenever valid.
    """
    members = [_member(entity.name, version, predicates) for version in relations]
    history = _Counts(member.version.window for member in members)
    here = [member for member in members if member.version.window.contains(at)]
    if not here:
        return []
    if len(here) <= WHOLE:
        return [_part(entity, WHOLE_PART, members, history.window_of_scheme(at, _is_large), at)]
    large = history.window_of_scheme(at, _is_large)
    parts: list[Part] = []
    for group in sorted({member.group for member in here}):
        same = [member for member in members if member.group == group]
        counts = _Counts(member.version.window for member in same)
        buckets = _buckets(counts.at(at))
        scheme = counts.window_of_scheme(at, _buckets)
        window = Window(max(large.start, scheme.start), min(large.end, scheme.end))
        for bucket in range(buckets):
            chosen = [member for member in same if _hash(member.other) % buckets == bucket]
            if any(member.version.window.contains(at) for member in chosen):
                name = group if buckets == 1 else f"{group}-{buckets}-{bucket}"
                parts.append(_part(entity, name, chosen, window, at))
    return parts


def _part(entity: Entity, name: str, members: Sequence[_Member], within: Window, at: Instant) -> Part:
    window = within
    for member in members:
        for edge in member.version.window:
            if window.start < edge <= at:
                window = Window(edge, window.end)
            elif at < edge < window.end:
                window = Window(window.start, edge)
    here = [member for member in members if member.version.window.contains(at)]
    here.sort(
        key=lambda member: (member.group.rsplit("-", 1)[-1] == "in", member.version.predicate, member.other)
    )
    lines = [member.version.statement for member in here]
    content = "\n".join([f"Relations of {entity.name} ({validity(window)}):", *lines])
    relations = tuple(member.version for member in here)
    return Part(GraphId(entity.id, name, window.start), window, relations, content, digest(content))


def _member(name: str, version: Version, predicates: Mapping[str, Predicate]) -> _Member:
    outward = version.subject == name
    predicate = predicates.get(version.predicate)
    group = f"{predicate.id if predicate else 'prd'}-{'out' if outward else 'in'}"
    return _Member(version, group, version.object.text if outward else version.subject)


class _Counts:
    """How many windows hold at each instant."""

    def __init__(self, windows: Iterable[Window]) -> None:
        steps: dict[Instant, int] = {PAST: 0}
        for start, end in windows:
            steps[start] = steps.get(start, 0) + 1
            steps[end] = steps.get(end, 0) - 1
        self._edges = sorted(steps)
        self._counts: list[int] = []
        total = 0
        for edge in self._edges:
            total += steps[edge]
            self._counts.append(total)

    def at(self, instant: Instant) -> int:
        return self._counts[bisect_right(self._edges, instant) - 1]

    def window_of_scheme(self, at: Instant, scheme: Callable[[int], int]) -> Window:
        """The widest window around an instant in which the count asks for the same scheme."""
        here = bisect_right(self._edges, at) - 1
        wanted = scheme(self._counts[here])
        first = here
        while first > 0 and scheme(self._counts[first - 1]) == wanted:
            first -= 1
        last = here
        while last + 1 < len(self._edges) and scheme(self._counts[last + 1]) == wanted:
            last += 1
        end = self._edges[last + 1] if last + 1 < len(self._edges) else OPEN
        return Window(self._edges[first], end)


def _is_large(count: int) -> bool:
    return count > WHOLE


def _buckets(count: int) -> int:
    buckets = 1
    while buckets * WHOLE < count:
        buckets *= 2
    return buckets


@lru_cache(maxsize=4096)
def _hash(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big")
