"""Whether evidence held earlier still stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..store.contract import Held, Moment, Store
from ..store.records import Version
from ..temporal.errors import InvalidInput
from ..temporal.instants import Instant
from ..temporal.shown import shown
from .addressing import FrameKey, GraphId, parse_frame_id
from .facts import Fact
from .frames import Frame
from .neighbourhoods import WHOLE_PART, parts_at
from .values import is_unicode


class HeldFrame(NamedTuple):
    """A frame someone holds: its id and the digest of the content they hold."""

    frame_id: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a held frame."""

    frame_id: str
    status: str
    """`valid`: it says the same now. `stale`: it says something else now. `gone`: nothing of it stands. `unknown`: this
    scope never issued such a frame, or no digest was given to compare."""
    replacement_digest: str | None = None
    """With `stale`: the digest of what the id says now, where it still says something."""


def held_frames(given: object) -> list[HeldFrame]:
    """What a caller holds: frames, facts, or pairs of frame id and digest."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput(f"verify takes a list of frames, or of pairs of id and digest, not {shown(given)}")
    return [_held_frame(each) for each in given]


def _held_frame(given: object) -> HeldFrame:
    pair = (given.id, given.digest) if isinstance(given, Frame | Fact) else given
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidInput(f"verify takes frames, or pairs of frame id and digest, not {shown(pair)}")
    frame_id, digest = pair
    if not isinstance(frame_id, str) or not isinstance(digest, str | None):
        raise InvalidInput(f"a frame's id and digest are texts, not {shown(frame_id)} and {shown(digest)}")
    return HeldFrame(frame_id, digest)


async def verify(store: Store, scope: str, moment: Moment, held: Sequence[HeldFrame]) -> list[Verdict]:
    """One verdict for each frame, in order. One call of the store."""
    keys = [parse_frame_id(each.frame_id) if is_unicode(each.frame_id) else None for each in held]
    found = await store.held(
        scope,
        moment,
        {key.fact for key in keys if key and key.fact},
        {key.chunk[0] for key in keys if key and key.chunk},
        {key.graph.entity for key in keys if key and key.graph},
    )
    judge = _Judge(found.found, found.known_at)
    return [judge.verdict(each, key) for each, key in zip(held, keys, strict=True)]


class _Judge:
    def __init__(self, held: Held, known_at: Instant) -> None:
        self._held = held
        self._known_at = known_at
        self._graphs: dict[tuple[str, Instant], dict[str, str]] = {}

    def verdict(self, held: HeldFrame, key: FrameKey | None) -> Verdict:
        if key is None or held.digest is None:
            return Verdict(held.frame_id, "unknown")
        if key.fact:
            status, says = self._fact(key.fact)
        elif key.chunk:
            status, says = self._chunk(key.chunk)
        else:
            assert key.graph is not None
            status, says = self._graph(key.graph)
        if says is None:
            return Verdict(held.frame_id, status)
        if says == held.digest:
            return Verdict(held.frame_id, "valid")
        return Verdict(held.frame_id, "stale", says)

    def _fact(self, fact_id: str) -> tuple[str, str | None]:
        version = self._held.facts.get(fact_id)
        if version is None:
            return ("gone" if fact_id in self._held.tombstones else "unknown"), None
        if self._stands(version):
            return "valid", version.digest
        seen = {fact_id}
        while version and version.absorbed_by and version.absorbed_by not in seen:
            seen.add(version.absorbed_by)
            version = self._held.facts.get(version.absorbed_by)
            if version and self._stands(version):
                return "stale", None
        return "gone", None

    def _stands(self, version: Version) -> bool:
        return version.recorded_at <= self._known_at < version.superseded_at

    def _chunk(self, chunk: tuple[str, int]) -> tuple[str, str | None]:
        if chunk in self._held.chunks:
            return "valid", self._held.chunks[chunk]
        return ("gone" if chunk[0] in self._held.tombstones else "unknown"), None

    def _graph(self, graph: GraphId) -> tuple[str, str | None]:
        entity = self._held.entities.get(graph.entity)
        if entity is None:
            return ("gone" if graph.entity in self._held.tombstones else "unknown"), None
        relations = self._held.relations.get(graph.entity, ())
        place = graph.entity, graph.start
        if place not in self._graphs:
            parts = parts_at(entity, relations, self._held.predicates, graph.start)
            self._graphs[place] = {str(part.id): part.digest for part in parts}
        says = self._graphs[place].get(str(graph))
        if says is not None:
            return "valid", says
        if graph.part != WHOLE_PART and not self._is_part(graph.part):
            return "unknown", None
        return ("stale" if relations else "gone"), None

    def _is_part(self, part: str) -> bool:
        predicate, _, _ = part.partition("-")
        return any(each.id == predicate for each in self._held.predicates.values())
