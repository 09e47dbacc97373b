"""Where a piece of evidence comes from, what it replaced and what replaced it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ...store.contract import Moment, Store, lineage_tombstone, record_tombstone
from ...store.records import StandingFact, Version
from ...temporal.instants import now, to_datetime
from ...temporal.shown import shown
from ..errors import NotFound
from ..facts import Episode, Fact, episode_of, fact_of
from ..records.context_records import ContextRecord
from ..records.reading import lineage_of
from ..values import is_unicode
from .addressing import GraphId, parse_frame_id, parse_record
from .neighbourhoods import parts_at


@dataclass(frozen=True, slots=True)
class Erased:
    """What is kept of something erased."""

    at: datetime
    reason: str
    by: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The story of a fact, an episode or a graph frame."""

    id: str
    kind: str
    """`fact`, `episode`, `graph`, `entity` (erased), or what a context record is: `knowledge`, `memory`, …"""
    erased: Erased | None = None
    versions: tuple[Fact, ...] = ()
    """Every version of the fact, oldest first, each with its sources; of a graph frame, the facts it shows."""
    episodes: tuple[Episode, ...] = ()
    """The episodes cited, or the episode itself."""
    replaced: tuple[Fact, ...] = ()
    """Versions of other facts that gave way to this one."""
    replaced_by: tuple[Fact, ...] = ()
    """Versions of other facts that took its place."""
    absorbed_by: str | None = None
    """The fact it merged into."""
    records: tuple[ContextRecord, ...] = ()
    """Every record of the lineage, oldest first, each with the document it is; but for those no longer retained."""


async def explain(store: Store, scope: str, given: str) -> Explanation:
    """The story of an id; raises `NotFound` for one this scope never issued."""
    key = parse_frame_id(given) if is_unicode(given) else None
    record = parse_record(given) if is_unicode(given) else None
    if record is not None:
        return await _record(store, scope, given, record)
    if key is None:
        raise NotFound(f"{shown(given)} is no id of a fact, an episode or a frame of this memory")
    if key.fact:
        rows = await store.lineage(scope, key.fact)
        if rows:
            return await _fact(store, scope, key.fact, rows)
        return await _erased(store, scope, given, key.fact, "fact")
    if key.chunk:
        found = await store.episodes(scope, [key.chunk[0]])
        if found:
            return Explanation(given, "episode", episodes=(episode_of(found[0]),))
        return await _erased(store, scope, given, key.chunk[0], "episode")
    if key.lineage:
        return await _lineage(store, scope, given, key.lineage, lineage_tombstone(key.lineage), "lineage")
    assert key.graph is not None
    return await _graph(store, scope, given, key.graph)


async def _fact(store: Store, scope: str, fact_id: str, history: Sequence[StandingFact]) -> Explanation:
    own = [row for row in history if row.version.id == fact_id]
    others = [row for row in history if row.version.id != fact_id]
    cited = {link.episode_id: None for row in own for link in row.sources if link.episode_id}
    episodes = await store.episodes(scope, list(cited)) if cited else []
    return Explanation(
        fact_id,
        "fact",
        versions=tuple(fact_of(row) for row in own),
        episodes=tuple(episode_of(each) for each in episodes),
        replaced=tuple(
            fact_of(row) for row in others if any(_took_over(mine.version, row.version) for mine in own)
        ),
        replaced_by=tuple(
            fact_of(row) for row in others if any(_took_over(row.version, mine.version) for mine in own)
        ),
        absorbed_by=own[-1].version.absorbed_by,
    )


def _took_over(new: Version, old: Version) -> bool:
    return (
        new.recorded_at == old.superseded_at and new.object != old.object and new.window.overlaps(old.window)
    )


async def _record(store: Store, scope: str, given: str, record: str) -> Explanation:
    answer = await store.records(scope, Moment(None, None, now()), [record], ())
    lineage = answer.found[0].lineage if answer.found else None
    return await _lineage(store, scope, given, lineage, record_tombstone(record), "record")


async def _lineage(
    store: Store, scope: str, given: str, lineage: str | None, stone: str, what: str
) -> Explanation:
    found = await lineage_of(store, scope, lineage, None) if lineage is not None else []
    if not found:
        return await _erased(store, scope, given, stone, what)
    return Explanation(given, found[0].kind, records=tuple(found))


async def _erased(store: Store, scope: str, given: str, erased_id: str, kind: str) -> Explanation:
    stones = await store.tombstones(scope, [erased_id])
    if not stones:
        raise NotFound(f"this scope has no {kind} {shown(erased_id)}")
    stone = stones[0]
    return Explanation(given, kind, Erased(to_datetime(stone.erased_at), stone.reason, stone.by))


async def _graph(store: Store, scope: str, given: str, graph: GraphId) -> Explanation:
    answer = await store.held(scope, Moment(None, None, now()), [], [], [graph.entity])
    entity = answer.found.entities.get(graph.entity)
    if entity is None:
        return await _erased(store, scope, given, graph.entity, "entity")
    relations = answer.found.relations.get(graph.entity, ())
    for part in parts_at(entity, relations, answer.found.predicates, graph.start):
        if str(part.id) == given:
            return Explanation(
                given,
                "graph",
                versions=tuple(fact_of(StandingFact(version, ())) for version in part.relations),
            )
    raise NotFound(f"{shown(given)} no longer describes the neighbourhood of its entity; recall it again")
