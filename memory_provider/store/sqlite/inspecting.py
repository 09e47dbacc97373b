"""What can be wrong in a file, found by looking at every row. Only reads."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...temporal.instants import OPEN
from ..contract import Finding
from .schema import migrate
from .sql import ENDED, STANDS
from .words import chunk_words, fact_words

_AT_MOST = 100
"""Findings of one check in one scope that are listed one by one."""

_ROWS = {
    "inverted window": "SELECT id || ' recorded at ' || recorded_at FROM facts"
    " WHERE scope = :scope AND valid_from >= valid_to",
    "inverted recorded time": "SELECT id || ' recorded at ' || recorded_at FROM facts"
    " WHERE scope = :scope AND recorded_at >= superseded_at",
    "recorded after the clock": "SELECT id || ' recorded at ' || recorded_at FROM facts"
    f" WHERE scope = :scope AND (recorded_at > :clock OR (superseded_at > :clock AND {ENDED}))"
    " UNION ALL SELECT id || ' recorded at ' || recorded_at FROM episodes"
    " WHERE scope = :scope AND recorded_at > :clock"
    " UNION ALL SELECT id || ' recorded at ' || recorded_at FROM context_records"
    f" WHERE scope = :scope AND (recorded_at > :clock OR (superseded_at > :clock AND {ENDED}))"
    " UNION ALL SELECT id || ' erased at ' || erased_at FROM tombstones WHERE scope = :scope AND erased_at > :clock",
    "two standing versions": f"SELECT id FROM facts WHERE scope = :scope AND {STANDS} GROUP BY id HAVING count(*) > 1",
    "versions believed at once": "SELECT id || ' recorded at ' || recorded_at FROM (SELECT id, recorded_at,"
    " lag(superseded_at) OVER (PARTITION BY id ORDER BY recorded_at) AS ended FROM facts WHERE scope = :scope)"
    " WHERE ended > recorded_at",
    "overlapping facts of a predicate of one": "SELECT id FROM (SELECT f.id, f.valid_from, max(f.valid_to) OVER"
    " (PARTITION BY f.subject, f.predicate ORDER BY f.valid_from, f.id"
    " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before"
    " FROM facts f JOIN predicates p ON p.scope = f.scope AND p.name = f.predicate"
    f" WHERE f.scope = :scope AND f.{STANDS} AND p.cardinality = 'one') WHERE before > valid_from",
    "lines that should be one": "SELECT id FROM (SELECT id, valid_from, max(valid_to) OVER"
    " (PARTITION BY subject, predicate, object_type, object_text ORDER BY valid_from, id"
    " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before"
    f" FROM facts WHERE scope = :scope AND {STANDS}) WHERE before >= valid_from",
    "fact without its entity": "SELECT DISTINCT f.id FROM facts f WHERE f.scope = :scope AND (NOT EXISTS"
    " (SELECT 1 FROM entities e WHERE e.scope = f.scope AND e.name = f.subject) OR (f.object_type = 'entity' AND"
    " NOT EXISTS (SELECT 1 FROM entities e WHERE e.scope = f.scope AND e.name = f.object_text)))",
    "fact without its predicate": "SELECT DISTINCT f.id FROM facts f WHERE f.scope = :scope AND NOT EXISTS"
    " (SELECT 1 FROM predicates p WHERE p.scope = f.scope AND p.name = f.predicate)",
    "fact without a source": f"SELECT f.id FROM facts f WHERE f.scope = :scope AND f.{STANDS} AND NOT EXISTS"
    f" (SELECT 1 FROM links l WHERE l.scope = f.scope AND l.fact_id = f.id AND l.detached_at = {OPEN})",
    "source link without its fact": "SELECT l.id FROM links l WHERE l.scope = :scope AND NOT EXISTS"
    " (SELECT 1 FROM facts f WHERE f.scope = l.scope AND f.id = l.fact_id)",
    "source link to an episode that is not there": "SELECT l.id FROM links l WHERE l.scope = :scope"
    " AND l.episode_id IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM episodes e WHERE e.scope = l.scope AND e.id = l.episode_id)",
    "source link that covers nothing": "SELECT id FROM links WHERE scope = :scope"
    " AND (covers_from >= covers_to OR attached_at >= detached_at)",
    "replacement of a version that is not there": "SELECT r.replaced_id || ' recorded at ' || r.replaced_recorded_at"
    " FROM replacements r WHERE r.scope = :scope AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.scope = r.scope"
    " AND f.id = r.replaced_id AND f.recorded_at = r.replaced_recorded_at)",
    "episode without chunks": "SELECT e.id FROM episodes e WHERE e.scope = :scope AND NOT EXISTS"
    " (SELECT 1 FROM chunks c WHERE c.episode = e.row_id)",
    "chunk whose clocks are not its episode's": "SELECT e.id || '#' || c.number FROM chunks c LEFT JOIN episodes e"
    " ON e.row_id = c.episode WHERE c.scope = :scope AND (e.row_id IS NULL OR e.scope <> c.scope"
    " OR e.occurred_at <> c.occurred_at OR e.recorded_at <> c.recorded_at)",
    "two turns at one place of a session": "SELECT min(id) FROM episodes WHERE scope = :scope AND session IS NOT NULL"
    " GROUP BY session, position HAVING count(*) > 1",
    "idempotency record of an episode that is not there": "SELECT i.episode_id FROM idempotency i"
    " WHERE i.scope = :scope AND i.episode_id IS NOT NULL AND NOT i.erased AND NOT EXISTS"
    " (SELECT 1 FROM episodes e WHERE e.scope = i.scope AND e.id = i.episode_id)",
    "context record with an inverted window": "SELECT id FROM context_records WHERE scope = :scope"
    " AND valid_from >= valid_to",
    "context record with inverted recorded time": "SELECT id FROM context_records WHERE scope = :scope"
    " AND recorded_at > superseded_at",
    "context records believed at once": "SELECT id FROM (SELECT id, recorded_at, lag(superseded_at) OVER"
    " (PARTITION BY lineage ORDER BY recorded_at, position) AS ended FROM context_records WHERE scope = :scope)"
    " WHERE ended > recorded_at",
    "idempotency record of a context record that is not there": "SELECT r.value FROM idempotency i,"
    " json_each(i.record_ids) r WHERE i.scope = :scope AND NOT i.erased AND NOT EXISTS"
    " (SELECT 1 FROM context_records c WHERE c.scope = i.scope AND c.id = r.value)",
    "sizes that were miscounted": "SELECT 'facts ' || facts || ', chunks ' || chunks || ', records ' || records"
    " FROM scopes WHERE scope = :scope"
    f" AND (facts <> (SELECT count(*) FROM facts f WHERE f.scope = :scope AND f.{STANDS})"
    " OR chunks <> (SELECT count(*) FROM chunks c WHERE c.scope = :scope)"
    " OR records <> (SELECT count(*) FROM context_records r WHERE r.scope = :scope AND r.frame IS NOT NULL"
    f" AND r.{STANDS}))",
}
"""Checks of one scope: each statement names, by ids, what is wrong."""

_INDEXED = {
    "words_standing": f"SELECT row_id, scope, terms, '' FROM facts WHERE {STANDS}",
    "words_ended": f"SELECT row_id, scope, terms, '' FROM facts WHERE {ENDED}",
    "words_said": "SELECT row_id, scope, terms, context FROM chunks",
    "words_records": "SELECT row_id, scope, terms, '' FROM context_records"
    f" WHERE frame IS NOT NULL AND {STANDS}",
    "words_records_ended": "SELECT row_id, scope, terms, '' FROM context_records"
    f" WHERE frame IS NOT NULL AND {ENDED}",
}


def inspect(connection: sqlite3.Connection, scope: str | None) -> list[Finding]:
    """Everything that is wrong; with a scope only what is wrong in it, and in the file as such."""
    found = [
        Finding("integrity", None, str(row[0]))
        for row in connection.execute("PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    found += _lost_schema(connection)
    found += _strays(connection)
    for number, name, clock in connection.execute(
        "SELECT scope, name, clock FROM scopes ORDER BY name"
    ).fetchall():
        if scope is None or name == scope:
            for check, statement in _ROWS.items():
                rows = connection.execute(statement, {"scope": number, "clock": clock}).fetchmany(_AT_MOST)
                found += [Finding(check, name, str(row[0])) for row in rows]
    found += _words(connection, scope)
    return found


def _lost_schema(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Tables and indexes of this release that the file lacks, or has otherwise."""
    schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(fresh, "memory:")
        expected = {row[:2]: row[2] for row in fresh.execute(schema)}
    finally:
        fresh.close()
    actual = {row[:2]: row[2] for row in connection.execute(schema)}
    for kind, name in expected:
        if (kind, name) not in actual:
            yield Finding("schema", None, f"the {kind} {name} is missing")
        elif actual[kind, name] != expected[kind, name]:
            yield Finding("schema", None, f"the {kind} {name} is not what this release makes")


def _strays(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Rows of scopes that are not there."""
    tables = (
        *("facts", "links", "episodes", "chunks", "entities", "predicates", "tombstones", "idempotency"),
        "context_records",
    )
    for table in tables:
        count = connection.execute(
            f"SELECT count(*) FROM {table} WHERE scope NOT IN (SELECT scope FROM scopes)"
        ).fetchone()[0]
        if count:
            yield Finding("rows without their scope", None, f"{count} in {table}")


def _words(connection: sqlite3.Connection, only: str | None) -> Iterator[Finding]:
    """The full-text indexes hold exactly the words of the rows: no row missing, none too many."""
    scopes: dict[int, str] = dict(connection.execute("SELECT scope, name FROM scopes"))
    for table, statement in _INDEXED.items():
        expected: dict[int, int] = {}
        homes: dict[int, int] = {}
        for row_id, scope, terms, context in connection.execute(statement):
            expected[row_id] = _folded(
                chunk_words(scope, terms, context) if context else fact_words(scope, terms)
            )
            homes[row_id] = scope
        actual = _indexed(connection, table)
        for row_id in sorted(expected.keys() | actual.keys()):
            name = scopes.get(homes.get(row_id, 0))
            if expected.get(row_id) != actual.get(row_id) and (only is None or name in (only, None)):
                wrong = (
                    "is not found by its words" if row_id in expected else "is in the index and nowhere else"
                )
                yield Finding("full-text index", name, f"{table} row {row_id} {wrong}")


def _folded(words: str) -> int:
    """The set of words, in a number that does not depend on their order."""
    return sum(hash(word) for word in words.lower().split())


def _indexed(connection: sqlite3.Connection, table: str) -> dict[int, int]:
    """What an index holds of each row, as `_folded` gives it."""
    connection.execute(f"CREATE VIRTUAL TABLE temp.indexed USING fts5vocab (main, {table}, instance)")
    try:
        rows: Any = connection.execute("SELECT doc, term FROM temp.indexed")
        held: Counter[int] = Counter()
        for row_id, word in rows:
            held[row_id] += hash(word)
        return dict(held)
    finally:
        connection.execute("DROP TABLE temp.indexed")
