"""Export and import: every row of a scope out in batches, and back in as it was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ...temporal.instants import OPEN, PAST, Instant
from ..contract import Dump, Needs
from ..errors import ScopeNotEmpty
from ..names import normalise_name
from ..records import IndexedRecord, NewVersion, SourceLink, VersionRef
from . import decoding
from .connection import Connection, Passed, rows
from .queries import query
from .settling import Seen, Settling
from .writing import Graph

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction as Transaction


class _Table(NamedTuple):
    """One kind of row: the query that pages it, the field of `Dump` it fills, where its pages begin."""

    query: str
    field: str
    start: Any
    decode: Callable[[Any, Instant], Any]


def _version(row: Any, clock: Instant) -> NewVersion:
    fact, terms, alias, replaces = row
    version = decoding.version(fact)
    if version.superseded_at > clock:
        version = version._replace(superseded_at=OPEN, ended_by=None, absorbed_by=None)
    return NewVersion(
        version,
        terms,
        None if alias is None else normalise_name(version.object.text),
        tuple(VersionRef(id, recorded_at) for id, recorded_at in replaces),
    )


def _link(row: Any, clock: Instant) -> SourceLink:
    link = SourceLink(*row[0])
    return link._replace(detached_at=OPEN) if link.detached_at > clock else link


def _record(row: Any, clock: Instant) -> IndexedRecord:
    record = decoding.record(row[0])
    if record.superseded_at > clock:
        record = record._replace(superseded_at=OPEN)
    return IndexedRecord(record, row[1])


_TABLES = (
    _Table("dump-entities", "entities", "", lambda row, _: decoding.entity(row[0])),
    _Table("dump-predicates", "predicates", "", lambda row, _: decoding.predicate(row[0])),
    _Table("dump-episodes", "episodes", [PAST, ""], lambda row, _: decoding.episode(row[0])),
    _Table("dump-versions", "versions", [PAST, ""], _version),
    _Table("dump-links", "links", "", _link),
    _Table("dump-records", "records", [PAST, 0, ""], _record),
    _Table("dump-tombstones", "tombstones", "", lambda row, _: decoding.tombstone(row[0])),
    _Table("dump-idempotency", "idempotency", "", lambda row, _: decoding.idempotency(row[0])),
)


async def dump(connection: Connection, settling: Settling, scope: str, batch: int) -> AsyncIterator[Dump]:
    """Every row of a scope that was recorded by the scope's clock as it is when the dump begins.

    Each batch is a transaction of its own. What is written meanwhile is left out, and what is superseded meanwhile
    is given as it stood; what is erased meanwhile is missing.
    """

    async def ask(tx: Transaction) -> Seen[list[Any]]:
        found = await rows(tx, query("dump-clock"), scope=scope)
        before, after = found[0] if found else (PAST, PAST)
        return Seen(before, after, found)

    found = await settling.read(scope, ask)
    if not found:
        return
    clock: Instant = found[0][0]
    yield Dump(clock)
    for table in _TABLES:
        after = table.start
        while True:
            page = await _page(connection, table, scope, clock, after, batch)
            if page:
                decoded: dict[str, Any] = {table.field: tuple(table.decode(row[:-1], clock) for row in page)}
                yield Dump(clock, **decoded)
                after = page[-1][-1]
            if len(page) < batch:
                break


async def _page(
    connection: Connection, table: _Table, scope: str, clock: Instant, after: Any, batch: int
) -> list[Any]:
    text = query(table.query)
    return await connection.read(
        lambda tx: rows(tx, text, scope=scope, clock=clock, after=after, limit=batch)
    )


async def restore(connection: Connection, scope: str, batch: Dump, *, first: bool) -> None:
    """Write what of a batch is not there yet."""

    async def work(tx: Transaction) -> None:
        graph = Graph(tx, scope)
        clock = (await graph.lock(Needs())).clock
        if first and (clock != PAST or await rows(tx, query("scope-rows"), scope=scope) == [[True]]):
            raise Passed(
                ScopeNotEmpty(
                    f"the scope {scope!r} has history already; import into an empty scope, or restamp what is imported"
                )
            )
        missing = await _missing(tx, scope, batch)
        await graph.add_entities(missing.entities)
        await graph.set_predicates(missing.predicates)
        await graph.add_episodes(missing.episodes)
        await graph.add_versions(missing.versions)
        await graph.add_links(missing.links)
        await graph.add_idempotency(missing.idempotency)
        await graph.add_records(missing.records)
        await graph.add_tombstones(missing.tombstones)
        await graph.set_clock(max(clock, batch.clock))

    await connection.write(work)


async def _missing(tx: Transaction, scope: str, batch: Dump) -> Dump:
    ((entities, predicates, episodes, versions, links, tombstones, idempotency, records),) = await rows(
        tx,
        query("restore-known"),
        scope=scope,
        entities=[each.name for each in batch.entities],
        predicates=[each.name for each in batch.predicates],
        episodes=[each.id for each in batch.episodes],
        versions=[[each.version.id, each.version.recorded_at] for each in batch.versions],
        links=[each.id for each in batch.links],
        tombstones=[each.id for each in batch.tombstones],
        idempotency=[each.key for each in batch.idempotency],
        records=[each.record.id for each in batch.records],
    )
    known = {(id, recorded_at) for id, recorded_at in versions}
    return Dump(
        batch.clock,
        [each for each in batch.entities if each.name not in set(entities)],
        [each for each in batch.predicates if each.name not in set(predicates)],
        [each for each in batch.episodes if each.id not in set(episodes)],
        [each for each in batch.versions if (each.version.id, each.version.recorded_at) not in known],
        [each for each in batch.links if each.id not in set(links)],
        [each for each in batch.tombstones if each.id not in set(tombstones)],
        [each for each in batch.idempotency if each.key not in set(idempotency)],
        [each for each in batch.records if each.record.id not in set(records)],
    )
