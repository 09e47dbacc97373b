"""A scope's rows going out and coming in as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...temporal.instants import PAST
from ..contract import Dump
from ..errors import ScopeNotEmpty
from ..records import IndexedRecord, NewVersion, VersionRef
from .holding import episodes_of
from .inserting import (
    insert_entities,
    insert_episodes,
    insert_idempotency,
    insert_links,
    insert_records,
    insert_versions,
    move_clock,
    new_scope,
    scope_row,
)
from .rows import (
    EPISODE,
    IDEMPOTENCY,
    LINK,
    PREDICATE,
    TOMBSTONE,
    VERSION,
    WHOLE_RECORD,
    entity_of,
    idempotency_of,
    link_of,
    predicate_of,
    record_of,
    tombstone_of,
    version_of,
)

Batch = Callable[[Sequence[Any]], list[Any]]


def dumped(connection: sqlite3.Connection, scope: str, batch: int) -> Iterator[Dump]:
    """Every row of a scope, parents before children, from the one state that the first step sees."""
    connection.execute("BEGIN")
    found = scope_row(connection, scope)
    if found is None:
        return
    yield Dump(found.clock)
    kinds: tuple[tuple[str, str, Batch], ...] = (
        ("entities", "SELECT id, name FROM entities WHERE scope = ? ORDER BY name", _each(entity_of)),
        (
            "predicates",
            f"SELECT {PREDICATE} FROM predicates p WHERE p.scope = ? ORDER BY p.name",
            _each(predicate_of),
        ),
        (
            "episodes",
            f"SELECT {EPISODE}, e.row_id FROM episodes e WHERE e.scope = ? ORDER BY e.recorded_at, e.id",
            lambda rows: list(episodes_of(connection, rows).values()),
        ),
        (
            "versions",
            f"SELECT {VERSION}, f.terms, f.alias FROM facts f WHERE f.scope = ?"
            " ORDER BY f.recorded_at, f.valid_from, f.id",
            lambda rows: [_new_version(connection, found.number, row) for row in rows],
        ),
        ("links", f"SELECT {LINK} FROM links l WHERE l.scope = ? ORDER BY l.fact_id, l.id", _each(link_of)),
        (
            "records",
            f"SELECT {WHOLE_RECORD}, r.terms FROM context_records r WHERE r.scope = ?"
            " ORDER BY r.recorded_at, r.position, r.id",
            lambda rows: [IndexedRecord(record_of(row), row[22]) for row in rows],
        ),
        (
            "tombstones",
            f"SELECT {TOMBSTONE} FROM tombstones t WHERE t.scope = ? ORDER BY t.id",
            _each(tombstone_of),
        ),
        (
            "idempotency",
            f"SELECT {IDEMPOTENCY} FROM idempotency i WHERE i.scope = ? ORDER BY i.key",
            _each(idempotency_of),
        ),
    )
    for kind, statement, records in kinds:
        cursor = connection.execute(statement, (found.number,))
        while rows := cursor.fetchmany(batch):
            yield Dump(found.clock, **{kind: records(rows)})


def restore(connection: sqlite3.Connection, scope: str, rows: Dump, first: bool) -> None:
    """Write rows as they are; those that are there already are left alone. Run inside a write transaction."""
    found = scope_row(connection, scope)
    if first and found and _holds_anything(connection, found.number, found.clock):
        raise ScopeNotEmpty(
            f"scope {scope!r} already holds history; import into an empty scope, or restamp the import"
        )
    found = found or new_scope(connection, scope)
    number = found.number
    insert_entities(connection, number, rows.entities, or_leave=True)
    connection.executemany(
        "INSERT OR IGNORE INTO predicates (scope, id, name, cardinality, object_type, label, inverse_label, declared)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, *each) for each in rows.predicates],
    )
    chunks = insert_episodes(
        connection, number, [each for each in rows.episodes if not _has_episode(connection, number, each.id)]
    )
    standing = insert_versions(
        connection, number, [each for each in rows.versions if not _has_version(connection, number, each)]
    )
    insert_links(connection, number, rows.links, or_leave=True)
    connection.executemany(
        "INSERT OR IGNORE INTO tombstones (scope, id, kind, erased_at, reason, by) VALUES (?, ?, ?, ?, ?, ?)",
        [(number, *each) for each in rows.tombstones],
    )
    insert_idempotency(connection, number, rows.idempotency, or_leave=True)
    records = insert_records(
        connection, number, [each for each in rows.records if not _has_record(connection, number, each)]
    )
    move_clock(connection, found, max(found.clock, rows.clock), standing, chunks, records)


def _each(record: Callable[[Any], Any]) -> Batch:
    return lambda rows: [record(row) for row in rows]


def _new_version(connection: sqlite3.Connection, scope: int, row: Any) -> NewVersion:
    version = version_of(row)
    replaced = connection.execute(
        "SELECT replaced_id, replaced_recorded_at FROM replacements WHERE scope = ? AND id = ? AND recorded_at = ?",
        (scope, version.id, version.recorded_at),
    )
    return NewVersion(version, row[14], row[15], tuple(VersionRef._make(each) for each in replaced))


def _holds_anything(connection: sqlite3.Connection, scope: int, clock: int) -> bool:
    tables = (
        *("facts", "episodes", "entities", "predicates", "links", "tombstones", "idempotency"),
        "context_records",
    )
    return clock != PAST or any(
        connection.execute(f"SELECT 1 FROM {table} WHERE scope = ? LIMIT 1", (scope,)).fetchone()
        for table in tables
    )


def _has_episode(connection: sqlite3.Connection, scope: int, episode: str) -> bool:
    row = connection.execute("SELECT 1 FROM episodes WHERE scope = ? AND id = ?", (scope, episode)).fetchone()
    return row is not None


def _has_version(connection: sqlite3.Connection, scope: int, new: NewVersion) -> bool:
    row = connection.execute(
        "SELECT 1 FROM facts WHERE scope = ? AND id = ? AND recorded_at = ?",
        (scope, new.version.id, new.version.recorded_at),
    ).fetchone()
    return row is not None


def _has_record(connection: sqlite3.Connection, scope: int, new: IndexedRecord) -> bool:
    row = connection.execute(
        "SELECT 1 FROM context_records WHERE scope = ? AND id = ?", (scope, new.record.id)
    ).fetchone()
    return row is not None
