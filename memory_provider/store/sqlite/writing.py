"""A write: lock, load, plan, write. The caller's transaction around it commits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from ...temporal.instants import OPEN, PAST, Instant
from ..contract import Changes, Loaded, Needs, Plan, record_tombstone
from ..errors import StoreError
from ..records import (
    ContextRecord,
    Entity,
    IdempotencyRecord,
    Predicate,
    SessionTail,
    SourceLink,
    Supersession,
    Version,
)
from .holding import last_records
from .inserting import (
    ScopeRow,
    add_words,
    drop_words,
    insert_entities,
    insert_episodes,
    insert_idempotency,
    insert_links,
    insert_records,
    insert_versions,
    move_clock,
    new_scope,
    put_predicates,
    scope_row,
)
from .rows import (
    IDEMPOTENCY,
    LINK,
    PREDICATE,
    RECORD,
    VERSION,
    idempotency_of,
    link_of,
    predicate_of,
    record_of,
    version_of,
)
from .sql import STANDS, among, column, for_each
from .words import fact_words

_NOTHING = Changes(recorded_at=None)


def write(connection: sqlite3.Connection, scope: str, needs: Needs, plan: Plan) -> None:
    """Run inside a write transaction: what the plan raises rolls it back."""
    found = scope_row(connection, scope)
    loaded = load(connection, found, needs)
    changes = plan(loaded)
    if any(changes[1:]) or changes.recorded_at is not None:
        _apply(connection, found or new_scope(connection, scope), loaded, changes)


def load(connection: sqlite3.Connection, scope: ScopeRow | None, needs: Needs) -> Loaded:
    """What a plan needs to know."""
    if scope is None:
        return Loaded(PAST, (), (), {}, {}, {}, {}, {})
    in_scope = {"scope": scope.number}
    versions = list({each.id: each for each in _standing(connection, in_scope, needs)}.values())
    return Loaded(
        clock=scope.clock,
        versions=versions,
        links=list(_attached(connection, in_scope, versions)),
        predicates=_predicates(connection, in_scope, needs.predicates),
        entities=_entities(connection, in_scope, needs.entities),
        episodes=dict(
            among(
                connection,
                "SELECT id, occurred_at FROM episodes WHERE scope = :scope AND id IN (:given)",
                needs.episodes,
                in_scope,
            )
        ),
        sessions=_sessions(connection, in_scope, needs.sessions),
        idempotency=_done(connection, in_scope, needs.idempotency),
        records=_records(connection, in_scope, needs.records),
        lineages=last_records(connection, {**in_scope, "known": OPEN}, needs.lineages),
        erased=_erased(connection, in_scope, needs.records),
    )


def _standing(connection: sqlite3.Connection, in_scope: dict[str, int], needs: Needs) -> Iterator[Version]:
    for row in for_each(
        connection,
        f"SELECT {VERSION} FROM facts f"
        f" WHERE f.scope = :scope AND f.subject = :a AND f.predicate = :b AND f.{STANDS}",
        needs.keys,
        in_scope,
    ):
        yield version_of(row)
    for row in for_each(
        connection,
        f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope AND f.subject = :a AND f.predicate = :b"
        f" AND f.object_type = :c AND f.object_text = :d AND f.{STANDS}",
        ((*key, *what) for key, what in needs.objects),
        in_scope,
    ):
        yield version_of(row)
    for row in for_each(
        connection,
        f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope AND f.predicate = :a AND f.{STANDS}",
        column(needs.standing_of_predicates),
        in_scope,
    ):
        yield version_of(row)


def _attached(
    connection: sqlite3.Connection, in_scope: dict[str, int], versions: Iterable[Version]
) -> Iterator[SourceLink]:
    for row in among(
        connection,
        f"SELECT {LINK} FROM links l WHERE l.scope = :scope AND l.fact_id IN (:given) AND l.detached_at = {OPEN}",
        (each.id for each in versions),
        in_scope,
    ):
        yield link_of(row)


def _predicates(
    connection: sqlite3.Connection, in_scope: dict[str, int], names: Iterable[str]
) -> dict[str, Predicate]:
    rows = among(
        connection,
        f"SELECT {PREDICATE} FROM predicates p WHERE p.scope = :scope AND p.name IN (:given)",
        names,
        in_scope,
    )
    return {each.name: each for each in map(predicate_of, rows)}


def _entities(
    connection: sqlite3.Connection, in_scope: dict[str, int], names: Iterable[str]
) -> dict[str, Entity]:
    rows = among(
        connection,
        "SELECT id, name FROM entities WHERE scope = :scope AND name IN (:given)",
        names,
        in_scope,
    )
    return {name: Entity(entity, name) for entity, name in rows}


def _sessions(
    connection: sqlite3.Connection, in_scope: dict[str, int], names: Iterable[str]
) -> dict[str, SessionTail]:
    tails = {}
    for session, row_id, episode, position in for_each(
        connection,
        "SELECT session, row_id, id, position FROM episodes WHERE scope = :scope AND session = :a"
        " ORDER BY position DESC LIMIT 1",
        column(names),
        in_scope,
    ):
        terms = connection.execute("SELECT terms FROM chunks WHERE episode = ? ORDER BY number", (row_id,))
        tails[session] = SessionTail(episode, position, " ".join(each for (each,) in terms if each))
    return tails


def _done(
    connection: sqlite3.Connection, in_scope: dict[str, int], keys: Iterable[str]
) -> dict[str, IdempotencyRecord]:
    rows = among(
        connection,
        f"SELECT {IDEMPOTENCY} FROM idempotency i WHERE i.scope = :scope AND i.key IN (:given)",
        keys,
        in_scope,
    )
    return {each.key: each for each in map(idempotency_of, rows)}


def _records(
    connection: sqlite3.Connection, in_scope: dict[str, int], ids: Iterable[str]
) -> dict[str, ContextRecord]:
    rows = among(
        connection,
        f"SELECT {RECORD} FROM context_records r WHERE r.scope = :scope AND r.id IN (:given)",
        ids,
        in_scope,
    )
    return {each.id: each for each in map(record_of, rows)}


def _erased(connection: sqlite3.Connection, in_scope: dict[str, int], ids: Iterable[str]) -> frozenset[str]:
    stones = {record_tombstone(each): each for each in ids}
    rows = among(
        connection, "SELECT id FROM tombstones WHERE scope = :scope AND id IN (:given)", stones, in_scope
    )
    return frozenset(stones[each] for (each,) in rows)


def _apply(connection: sqlite3.Connection, scope: ScopeRow, loaded: Loaded, changes: Changes) -> None:
    at = changes.recorded_at
    if at is None and (changes.superseded or changes.detached or changes.superseded_records):
        raise StoreError("a plan that ends versions, links or records says when: it must set recorded_at")
    ended = 0
    insert_entities(connection, scope.number, changes.entities)
    put_predicates(connection, scope.number, changes.predicates)
    if at is not None:
        _supersede(connection, scope.number, changes.superseded, at)
        _detach(connection, scope.number, loaded.links, changes.detached, at)
        ended = _supersede_records(connection, scope.number, changes.superseded_records, at)
    standing = insert_versions(connection, scope.number, changes.versions)
    insert_links(connection, scope.number, changes.links)
    chunks = insert_episodes(connection, scope.number, changes.episodes)
    records = insert_records(connection, scope.number, changes.records)
    insert_idempotency(connection, scope.number, changes.idempotency)
    move_clock(connection, scope, at, standing - len(changes.superseded), chunks, records - ended)


def _supersede(
    connection: sqlite3.Connection, scope: int, superseded: Iterable[Supersession], at: Instant
) -> None:
    ending: list[tuple[int, str]] = []
    updates = []
    for each in superseded:
        row = connection.execute(
            f"SELECT row_id, terms FROM facts WHERE scope = ? AND id = ? AND recorded_at = ? AND {STANDS}",
            (scope, each.id, each.recorded_at),
        ).fetchone()
        if row is None:
            raise StoreError(
                f"{each.id} has no standing version recorded at {each.recorded_at}: nothing to supersede"
            )
        ending.append((row[0], fact_words(scope, row[1])))
        updates.append((at, each.ended_by, each.absorbed_by, row[0]))
    connection.executemany(
        "UPDATE facts SET superseded_at = ?, ended_by = ?, absorbed_by = ? WHERE row_id = ?", updates
    )
    drop_words(connection, "words_standing", ending)
    add_words(connection, "words_ended", ending)


def _supersede_records(connection: sqlite3.Connection, scope: int, ids: Iterable[str], at: Instant) -> int:
    """End the belief in context records. Returns how many of them were served."""
    ending: list[tuple[int, str]] = []
    for each in ids:
        row = connection.execute(
            f"SELECT row_id, frame, terms FROM context_records WHERE scope = ? AND id = ? AND {STANDS}",
            (scope, each),
        ).fetchone()
        if row is None:
            raise StoreError(f"there is no standing context record {each}: nothing to supersede")
        connection.execute("UPDATE context_records SET superseded_at = ? WHERE row_id = ?", (at, row[0]))
        if row[1] is not None:
            ending.append((row[0], fact_words(scope, row[2])))
    drop_words(connection, "words_records", ending)
    add_words(connection, "words_records_ended", ending)
    return len(ending)


def _detach(
    connection: sqlite3.Connection, scope: int, loaded: Iterable[SourceLink], ids: Iterable[str], at: Instant
) -> None:
    lines = {link.id: link.fact_id for link in loaded}
    for each in ids:
        if each not in lines:  # a plan may name a link that it did not ask for
            row = connection.execute(
                "SELECT fact_id FROM links WHERE scope = ? AND id = ?", (scope, each)
            ).fetchone()
            if row is None:
                raise StoreError(f"there is no source link {each} to detach")
            lines[each] = row[0]
    connection.executemany(
        "UPDATE links SET detached_at = ? WHERE scope = ? AND fact_id = ? AND id = ?",
        [(at, scope, lines[each], each) for each in ids],
    )
