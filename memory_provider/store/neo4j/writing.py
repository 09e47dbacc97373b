"""The unit of a write: lock the scope, load what the plan needs, plan, write what changes.

Everything a plan decides comes back as lists of rows; each kind of row is written by one statement, so that a
transaction of a thousand facts takes as many round trips as one of a single fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...temporal.instants import OPEN, Instant
from .. import contract
from ..errors import StoreError
from ..records import (
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    Predicate,
    SessionTail,
    SourceLink,
    Supersession,
    Tombstone,
)
from . import decoding, encoding
from .connection import Passed, rows
from .marks import superseded_mark
from .queries import query

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction as Transaction


class Graph:
    """What one transaction knows of the scope's nodes, and the statements that write to it."""

    def __init__(self, tx: Transaction, scope: str) -> None:
        self._tx = tx
        self._scope = scope
        self._nodes: dict[str, str] = {}
        """Element ids of entities by name."""
        self._predicates: dict[str, Predicate] = {}

    async def lock(self, needs: contract.Needs) -> contract.Loaded:
        """Take the scope's lock, and answer what a plan needs to know."""
        with_records = bool(needs.records or needs.lineages)
        (found,) = await rows(
            self._tx,
            query("scope-lock", records=with_records),
            scope=self._scope,
            keys=[list(key) for key in needs.keys],
            objects=[[*key, encoding.object_key(what)] for key, what in needs.objects],
            standing_of=list(needs.standing_of_predicates),
            predicates=list(needs.predicates),
            entities=list(needs.entities),
            episodes=list(needs.episodes),
            sessions=list(needs.sessions),
            idempotency=list(needs.idempotency),
            records=list(needs.records),
            lineages=list(dict.fromkeys(needs.lineages)),
            stones=list(stones := {contract.record_tombstone(each): each for each in needs.records}),
        )
        clock, standing, predicates, entities, episodes, sessions, idempotency, *known = found
        records, lineages, erased = known or ((), (), ())
        self._nodes.update((name, node) for _, name, node in entities)
        self._predicates.update((row[1], decoding.predicate(row)) for row in predicates)
        links = {row[0]: row for _, sources in standing for row in sources}
        return contract.Loaded(
            clock,
            [decoding.version(fact) for fact, _ in standing],
            decoding.links(links.values()),
            dict(self._predicates),
            {name: Entity(id, name) for id, name, _ in entities},
            dict(episodes),
            {
                session: SessionTail(episode, position, " ".join(filter(None, terms)))
                for session, episode, position, terms in sessions
            },
            {row[0]: decoding.idempotency(row) for row in idempotency},
            {row[0]: decoding.record(row) for row in records},
            {row[1]: decoding.record(row) for row in lineages},
            frozenset(stones[each] for each in erased),
        )

    async def write(self, changes: contract.Changes) -> None:
        """Write what a plan decided, and move the clock."""
        await self.add_entities(changes.entities)
        await self.set_predicates(changes.predicates)
        await self.add_episodes(changes.episodes)
        if changes.recorded_at is not None:
            await self.supersede(changes.superseded, changes.recorded_at)
            await self.detach(changes.detached, changes.recorded_at)
            await self.supersede_records(changes.superseded_records, changes.recorded_at)
        elif changes.superseded or changes.detached or changes.superseded_records:
            raise Passed(
                StoreError("a plan that ends versions, links or records says when: it must set recorded_at")
            )
        await self.add_versions(changes.versions)
        await self.add_links(changes.links)
        await self.add_records(changes.records)
        await self.add_idempotency(changes.idempotency)
        if changes.recorded_at is not None:
            await self.set_clock(changes.recorded_at)

    async def set_clock(self, clock: Instant) -> None:
        """Move the scope's clock."""
        await self._rows("scope-clock", clock=clock)

    async def add_entities(self, entities: Sequence[Entity]) -> None:
        """New entities."""
        if entities:
            written = await self._rows(
                "add-entities", rows=[encoding.entity_properties(entity) for entity in entities]
            )
            self._nodes.update((name, node) for name, node in written)

    async def set_predicates(self, predicates: Sequence[Predicate]) -> None:
        """Predicates, new or changed."""
        self._predicates.update((predicate.name, predicate) for predicate in predicates)
        await self._write("set-predicates", [encoding.predicate_properties(each) for each in predicates])

    async def add_episodes(self, episodes: Sequence[Episode]) -> None:
        """New episodes with their chunks."""
        await self._write(
            "add-episodes", [encoding.episode_properties(self._scope, episode) for episode in episodes]
        )

    async def supersede(self, superseded: Sequence[Supersession], at: Instant) -> None:
        """End the belief in versions and their edges."""
        if not superseded:
            return
        ended = await self._rows(
            "supersede", at=at, mark=superseded_mark(at), rows=[each._asdict() for each in superseded]
        )
        if ended != [[len(superseded)]]:
            raise Passed(
                StoreError("a plan ends the belief in a version that does not stand: nothing is written")
            )

    async def detach(self, ids: Sequence[str], at: Instant) -> None:
        """End the backing of source links."""
        if not ids:
            return
        detached = await self._rows("detach-sources", at=at, ids=list(ids))
        if detached != [[len(ids)]]:
            raise Passed(StoreError("a plan detaches a source link that is not there: nothing is written"))

    async def add_versions(self, versions: Sequence[NewVersion]) -> None:
        """New versions, the edges of those that are relations, and what they replace."""
        if not versions:
            return
        await self._find_nodes(versions)
        await self._find_predicates(versions)
        facts, relations, ended, replacements = [], [], [], []
        for new in versions:
            version = new.version
            row = encoding.fact_properties(self._scope, new)
            row["subject_node"] = self._node(version.subject)
            if version.object.is_entity:
                predicate = self._predicates.get(version.predicate)
                row["object_node"] = self._node(version.object.text)
                row["edge"] = encoding.edge_type(predicate)
                row["label"] = predicate.label if predicate else version.predicate
                relations.append(row)
            else:
                facts.append(row)
            if version.superseded_at != OPEN:
                ended.append({"id": version.id, "recorded_at": version.recorded_at})
            replacements += [
                encoding.replacement_properties(version.id, version.recorded_at, *old) for old in new.replaces
            ]
        await self._write("add-facts", facts)
        await self._write("add-relations", relations)
        await self._write("mark-superseded", ended)
        await self.add_replacements(replacements)

    async def add_replacements(self, replacements: Sequence[encoding.Properties]) -> None:
        """Which versions took the place of which; of those that are there."""
        await self._write("add-replacements", replacements)

    async def add_links(self, links: Sequence[SourceLink]) -> None:
        """New source links."""
        await self._write("add-sources", [encoding.source_properties(link) for link in links])

    async def supersede_records(self, ids: Sequence[str], at: Instant) -> None:
        """End the standing of context records."""
        if not ids:
            return
        ended = await self._rows("supersede-records", at=at, mark=superseded_mark(at), ids=list(ids))
        if ended != [[len(ids)]]:
            raise Passed(
                StoreError("a plan supersedes a context record that does not stand: nothing is written")
            )

    async def add_records(self, records: Sequence[IndexedRecord]) -> None:
        """New context records."""
        await self._write("add-records", [encoding.record_properties(self._scope, each) for each in records])

    async def add_idempotency(self, records: Sequence[IdempotencyRecord]) -> None:
        """New idempotency records."""
        await self._write("add-idempotency", [encoding.idempotency_properties(record) for record in records])

    async def add_tombstones(self, tombstones: Sequence[Tombstone]) -> None:
        """What remains of something erased; one an id, the latest."""
        await self._write("add-tombstones", [encoding.tombstone_properties(each) for each in tombstones])

    def _node(self, name: str) -> str:
        node = self._nodes.get(name)
        if node is None:
            raise Passed(StoreError("a fact was to be written about an entity that is neither there nor new"))
        return node

    async def _find_nodes(self, versions: Iterable[NewVersion]) -> None:
        names = {new.version.subject for new in versions}
        names |= {new.version.object.text for new in versions if new.version.object.is_entity}
        names -= self._nodes.keys()
        if names:
            found = await self._rows("find-entities", names=list(names))
            self._nodes.update((name, node) for name, node in found)

    async def _find_predicates(self, versions: Iterable[NewVersion]) -> None:
        wanted = {new.version.predicate for new in versions if new.version.object.is_entity}
        if wanted - self._predicates.keys():
            found = await self._rows("predicates")
            predicates = (decoding.predicate(row) for row in found[0][2])
            self._predicates.update((each.name, each) for each in predicates)

    async def _write(self, name: str, written: Sequence[encoding.Properties]) -> None:
        if written:
            await self._rows(name, rows=written)

    async def _rows(self, name: str, **parameters: Any) -> list[Any]:
        return await rows(self._tx, query(name), scope=self._scope, **parameters)


class NothingToWrite(Exception):
    """Ends a transaction whose plan changes nothing, so that not even the lock leaves a trace."""


async def write(tx: Transaction, scope: str, needs: contract.Needs, plan: contract.Plan) -> Instant:
    """One attempt of a write; answers the clock. What the plan raises passes through the driver as `Passed`."""
    graph = Graph(tx, scope)
    loaded = await graph.lock(needs)
    try:
        changes = plan(loaded)
    except Exception as problem:
        raise Passed(problem) from problem
    if changes.recorded_at is None and not any(changes[1:]):
        raise Passed(NothingToWrite())
    await graph.write(changes)
    return loaded.clock if changes.recorded_at is None else changes.recorded_at
