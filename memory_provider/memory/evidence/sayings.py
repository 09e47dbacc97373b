"""What the id of a frame says: now, or at an instant of recorded time. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ...store.contract import Held, lineage_tombstone
from ...store.records import Version
from ...temporal.instants import Instant
from ..records.context_records import FRAME_KINDS
from ..rendering import fact_content
from .addressing import FrameKey, GraphId
from .neighbourhoods import WHOLE_PART, Part, parts_at

Standing = Literal["valid", "stale", "gone", "unknown"]
"""`valid`: it says something. `stale`: what it said has become part of something else. `gone`: nothing of it stands.
`unknown`: this scope never issued it."""


class Saying(NamedTuple):
    """What an id says."""

    standing: Standing
    digest: str | None = None
    """Of the whole content; only with `valid`."""
    content: Callable[[], str] | None = None
    """The content; None where the store was not asked for it, as for episodes."""


class Sayings:
    """What ids say, as the store told it of all of them at once."""

    def __init__(self, held: Held, known_at: Instant, wall: Instant) -> None:
        self._held = held
        self._known_at = known_at
        self._wall = wall
        self._graphs: dict[tuple[str, Instant], dict[str, Part]] = {}

    def of(self, key: FrameKey) -> Saying:
        """What one of the ids asked for says."""
        if key.fact:
            return self._fact(key.fact)
        if key.chunk:
            return self._chunk(key.chunk)
        if key.lineage:
            return self._lineage(key.lineage)
        assert key.graph is not None
        return self._graph(key.graph)

    def _fact(self, fact_id: str) -> Saying:
        version = self._held.facts.get(fact_id)
        if version is None:
            return self._without(fact_id)
        if self._stands(version):
            stated, window = version.statement, version.window
            return Saying("valid", version.digest, lambda: fact_content(stated, window))
        seen = {fact_id}
        while version and version.absorbed_by and version.absorbed_by not in seen:
            seen.add(version.absorbed_by)
            version = self._held.facts.get(version.absorbed_by)
            if version and self._stands(version):
                return Saying("stale")
        return Saying("gone")

    def _stands(self, version: Version) -> bool:
        return version.recorded_at <= self._known_at < version.superseded_at

    def _chunk(self, chunk: tuple[str, int]) -> Saying:
        if chunk in self._held.chunks:
            return Saying("valid", self._held.chunks[chunk])
        return self._without(chunk[0])

    def _lineage(self, lineage: str) -> Saying:
        record = self._held.lineages.get(lineage)
        if record is None:
            return self._without(lineage_tombstone(lineage))
        if record.kind not in FRAME_KINDS:
            return Saying("unknown")
        statement = record.statement
        stands = record.superseded_at > self._known_at and record.expires_at > self._wall
        if not record.frame or statement is None or not stands:
            return Saying("gone")
        return Saying("valid", record.frame_digest, lambda: statement)

    def _graph(self, graph: GraphId) -> Saying:
        entity = self._held.entities.get(graph.entity)
        if entity is None:
            return self._without(graph.entity)
        relations = self._held.relations.get(graph.entity, ())
        place = graph.entity, graph.start
        if place not in self._graphs:
            parts = parts_at(entity, relations, self._held.predicates, graph.start)
            self._graphs[place] = {str(part.id): part for part in parts}
        part = self._graphs[place].get(str(graph))
        if part is not None:
            content = part.content
            return Saying("valid", part.digest, lambda: content)
        if graph.part != WHOLE_PART and not self._is_part(graph.part):
            return Saying("unknown")
        return Saying("stale" if relations else "gone")

    def _is_part(self, part: str) -> bool:
        predicate, _, _ = part.partition("-")
        return any(each.id == predicate for each in self._held.predicates.values())

    def _without(self, id: str) -> Saying:
        return Saying("gone" if id in self._held.tombstones else "unknown")


def asked(keys: list[FrameKey | None]) -> tuple[set[str], set[str], set[str], set[str]]:
    """The facts, episodes, entities and lineages that a store has to be asked for, to say what these keys say."""
    return (
        {key.fact for key in keys if key and key.fact},
        {key.chunk[0] for key in keys if key and key.chunk},
        {key.graph.entity for key in keys if key and key.graph},
        {key.lineage for key in keys if key and key.lineage},
    )
