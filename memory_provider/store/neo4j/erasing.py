"""Erase: find everything a selection touches, let the plan decide, leave nothing of it in any property or index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...temporal.instants import PAST, Instant
from .. import contract
from ..contract import Erasable, Erasure, Needs, ScopeSummary, Selection
from ..names import normalise_name
from ..records import Tombstone
from . import decoding, encoding
from .connection import Connection, Passed, rows
from .queries import query
from .writing import Graph, NothingToWrite

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction as Transaction

BATCH = 5_000
"""How many nodes of a scope go in one transaction."""

PAGE = 1_000
"""How many episodes are looked through at a time for a name."""

RECORDS = 100
"""How many context records, whose bodies may be long."""


async def erase(
    connection: Connection, scope: str, selection: Selection, plan: contract.ErasePlan, *, dry_run: bool
) -> Instant:
    """Lock, find, plan, erase, commit; with `dry_run` everything but the last two. Answers the clock."""

    async def work(tx: Transaction) -> Instant:
        graph = Graph(tx, scope)
        clock = (await graph.lock(Needs())).clock
        erasable = await _find(tx, scope, selection, clock)
        try:
            erasure = plan(erasable)
        except Exception as problem:
            raise Passed(problem) from problem
        if dry_run or not any(erasure[1:]):
            raise Passed(NothingToWrite())
        await _apply(tx, scope, graph, erasure)
        return erasure.recorded_at

    try:
        return await connection.write(work, patience=None)
    except NothingToWrite:
        return PAST


async def erase_scope(connection: Connection, scope: str) -> ScopeSummary | None:
    """Delete every node of a scope in transactions of bounded size, its clock last."""
    found = await connection.read(lambda tx: rows(tx, query("scopes"), scope=scope))
    if not found:
        return None

    async def some(tx: Transaction) -> int:
        gone = await rows(tx, query("erase-scope"), scope=scope, limit=BATCH)
        return int(gone[0][0]) if gone else 0

    while await connection.write(some):
        pass
    return ScopeSummary(*found[0])


async def _find(tx: Transaction, scope: str, selection: Selection, clock: int) -> Erasable:
    episodes = [
        decoding.episode(row)
        for (row,) in await rows(
            tx, query("erasable-episodes"), scope=scope, episode=selection.episode, speaker=selection.entity
        )
    ]
    matched: list[str] = []
    if selection.episode is None and selection.record is None:
        found = await rows(
            tx,
            query("erasable-lines"),
            scope=scope,
            subject=selection.subject,
            predicate=selection.predicate,
            object_keys=encoding.object_keys(selection.object),
            entity=selection.entity,
        )
        matched = [id for (id,) in found]
    gone = {episode.id for episode in episodes}
    lines = await rows(tx, query("erasable-rows"), scope=scope, ids=matched, episodes=list(gone))
    records = []
    bereft = set()
    if selection.record is not None:
        for row, others in await rows(tx, query("erasable-records"), scope=scope, record=selection.record):
            record = decoding.record(row)
            records.append(record)
            if not others:
                bereft.add(record.lineage)
    entity = None
    names: set[str] = set()
    if selection.entity is not None:
        for row, aliases in await rows(tx, query("erasable-entity"), scope=scope, entity=selection.entity):
            entity = decoding.entity(row)
            names = {normalise_name(entity.name), *aliases}
    return Erasable(
        clock,
        frozenset(matched),
        [decoding.version(row) for _, versions, _ in lines for _, row in versions],
        decoding.links(row for _, _, sources in lines for row in sources),
        {id: versions[-1][0] for id, versions, _ in lines if versions},
        episodes,
        entity,
        [*await _naming(tx, scope, names - {""}, gone), *await _naming_records(tx, scope, names - {""})],
        records,
        bereft,
    )


async def _naming(tx: Transaction, scope: str, names: set[str], gone: set[str]) -> list[str]:
    """Ids of other episodes whose text or speaker has one of the names as whole words. An erase is rare."""
    found: list[str] = []
    after: list[Any] = [PAST, ""]
    while names:
        page = await _run(tx, "episode-texts", scope=scope, after=after, limit=PAGE)
        for id, text, speaker, _ in page:
            if id not in gone and _names_any(f"{text} {speaker}", names):
                found.append(id)
        if len(page) < PAGE:
            break
        after = page[-1][3]
    return found


async def _naming_records(tx: Transaction, scope: str, names: set[str]) -> list[str]:
    """The same of context records, by the ids that their tombstones would have."""
    found: list[str] = []
    after: list[Any] = [PAST, ""]
    while names:
        page = await _run(tx, "record-bodies", scope=scope, after=after, limit=RECORDS)
        found += [contract.record_tombstone(id) for id, body, _ in page if _names_any(body, names)]
        if len(page) < RECORDS:
            break
        after = page[-1][2]
    return found


def _names_any(text: str, names: set[str]) -> bool:
    words = f" {normalise_name(text)} "
    return any(f" {name} " in words for name in names)


async def _apply(tx: Transaction, scope: str, graph: Graph, erasure: Erasure) -> None:
    names: set[str] = set()
    predicates: set[str] = set()
    replacements: list[encoding.Properties] = []
    for subject, predicate, object, replaced in await _run(
        tx, "erase-facts", scope=scope, ids=list(erasure.facts)
    ):
        names.update(name for name in (subject, object) if name is not None)
        predicates.add(predicate)
        replacements += [encoding.replacement_properties(*each) for each in replaced]
    await graph.add_versions(erasure.rewritten)
    await graph.add_links(erasure.links)
    await graph.add_replacements(
        replacements
    )  # of versions that were written again; the others are not there
    speakers = await _run(tx, "erase-episodes", scope=scope, ids=list(erasure.episodes))
    names.update(speaker for (speaker,) in speakers if speaker is not None)
    if erasure.entities:
        await _run(tx, "erase-entities", scope=scope, names=list(erasure.entities))
    claims, episodes = list(erasure.claims), list(erasure.episodes)
    if erasure.records:
        await _run(tx, "erase-records", scope=scope, ids=list(erasure.records))
    await _run(tx, "erase-idempotency", scope=scope, claims=claims, episodes=episodes)
    orphans = await _run(tx, "erase-orphans", scope=scope, names=list(names), predicates=list(predicates))
    await graph.add_tombstones(erasure.tombstones)
    if erasure.tombstones:
        like = erasure.tombstones[0]
        await graph.add_tombstones(
            [Tombstone(id, "entity", erasure.recorded_at, like.reason, like.by) for (id,) in orphans]
        )
    await graph.set_clock(erasure.recorded_at)


async def _run(tx: Transaction, name: str, **parameters: Any) -> list[Any]:
    return await rows(tx, query(name), **parameters)
