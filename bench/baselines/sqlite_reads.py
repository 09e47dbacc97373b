"""The reads on SQLite by hand: one hop to a worker thread, FTS5 and its bm25 over the same tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import anyio.to_thread

from memory_provider.store.sqlite.connection import PRAGMAS

from .packing import CANDIDATES, OPEN, Shown, dated, names_in, pack, scaled, words_of

# The words are indexed as one would: FTS5 stems and counts them, the rows stay where they are.
INDEXES = """
CREATE VIRTUAL TABLE fact_text USING fts5 (
    statement, content='facts', content_rowid='row_id', tokenize='porter unicode61');
INSERT INTO fact_text (rowid, statement) SELECT row_id, statement FROM facts;
CREATE VIRTUAL TABLE said_text USING fts5 (
    text, before, content='', tokenize='porter unicode61');
INSERT INTO said_text (rowid, text, before)
    SELECT c.row_id, e.text, coalesce(b.text, '')
    FROM chunks c JOIN episodes e ON e.row_id = c.episode
    LEFT JOIN episodes b ON b.scope = e.scope AND b.id = e.previous;
"""

FACT = (
    "f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to, f.recorded_at,"
    " f.statement, f.digest"
)
SOURCE = "l.fact_id, l.episode_id, l.file_uri, l.by, l.method, l.confidence, l.spoke_from, l.spoke_to, l.recorded_at"

FACTS = f"""
SELECT {FACT}, {SOURCE}
FROM scopes s
JOIN facts f ON f.scope = s.scope AND f.subject = :subject AND f.predicate = :predicate
    AND f.superseded_at = {OPEN} AND f.valid_from <= :as_of AND f.valid_to > :as_of
LEFT JOIN links l ON l.scope = f.scope AND l.fact_id = f.id AND l.detached_at = {OPEN}
    AND l.covers_from < f.valid_to AND l.covers_to > f.valid_from
WHERE s.name = :scope
ORDER BY f.valid_from, f.object_text, f.id, l.recorded_at
"""

SEARCH_FACTS = f"""
SELECT {FACT}, best.score
FROM (
    SELECT f.row_id, bm25(fact_text) AS score
    FROM fact_text JOIN facts f ON f.row_id = fact_text.rowid
    WHERE fact_text MATCH :words AND f.scope = :scope
        AND f.superseded_at = {OPEN} AND f.valid_from <= :as_of AND f.valid_to > :as_of
    ORDER BY score LIMIT {CANDIDATES}
) best JOIN facts f ON f.row_id = best.row_id
ORDER BY best.score
"""

SEARCH_EPISODES = f"""
SELECT e.id, e.text, e.occurred_at, e.recorded_at, e.speaker, e.session, c.number, c.digest, best.score
FROM (
    SELECT c.row_id, bm25(said_text, 1.0, 0.4) AS score
    FROM said_text JOIN chunks c ON c.row_id = said_text.rowid
    WHERE said_text MATCH :words AND c.scope = :scope AND c.occurred_at <= :as_of
    ORDER BY score LIMIT {CANDIDATES}
) best JOIN chunks c ON c.row_id = best.row_id JOIN episodes e ON e.row_id = c.episode
ORDER BY best.score
"""

NAMED = f"""
SELECT id, name FROM entities WHERE scope = ?1 AND normalised IN ({{0}})
UNION
SELECT e.id, e.name FROM facts f JOIN entities e ON e.scope = f.scope AND e.name = f.subject
WHERE f.scope = ?1 AND f.alias IN ({{0}}) AND f.superseded_at = {OPEN}
"""

RELATIONS = f"""
SELECT {FACT} FROM facts f
WHERE f.scope = :scope AND f.subject = :name AND f.object_type = 'entity' AND f.superseded_at = {OPEN}
UNION
SELECT {FACT} FROM facts f
WHERE f.scope = :scope AND f.object_text = :name AND f.object_type = 'entity' AND f.superseded_at = {OPEN}
"""

SOURCES = (
    f"SELECT {SOURCE} FROM links l WHERE l.scope = ?1 AND l.detached_at = {OPEN} AND l.fact_id IN ({{}})"
)

LABELS = "SELECT name, label, inverse_label FROM predicates WHERE scope = ?1 AND name IN ({})"

DIGESTS = f"SELECT id, digest FROM facts WHERE scope = ?1 AND superseded_at = {OPEN} AND id IN ({{}})"


def connect(path: Path) -> sqlite3.Connection:
    """A connection as durable as the memory's, with as much cache."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute("PRAGMA journal_mode = wal")
    for name, (_, written) in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {written}")
    return connection


def by_hand(source: Path, target: Path) -> None:
    """A copy of a memory's file, with text indexes of its own."""
    if target.exists():
        return
    making = target.with_suffix(".part")
    making.unlink(missing_ok=True)
    with sqlite3.connect(source) as memory, sqlite3.connect(making) as copy:
        memory.backup(copy)
    connection = sqlite3.connect(making, isolation_level=None)
    for name in ("words_standing", "words_ended", "words_said"):
        connection.execute(f"DROP TABLE {name}")
    connection.executescript(INDEXES)
    connection.execute("ANALYZE")
    connection.close()
    making.rename(target)


class SqliteByHand:
    """Reads of one scope."""

    def __init__(self, path: Path, scope: str) -> None:
        self._connection = connect(path)
        self._scope = scope
        self._number = self._connection.execute(
            "SELECT scope FROM scopes WHERE name = ?", (scope,)
        ).fetchone()[0]

    async def facts(self, subject: str, predicate: str, as_of: int) -> list[tuple[Any, list[Any]]]:
        """Facts of a key in view, each with its sources."""
        return await anyio.to_thread.run_sync(self._facts, subject, predicate, as_of)

    async def recall(self, question: str, as_of: int) -> list[Shown]:
        """What answers a question best."""
        return await anyio.to_thread.run_sync(self._recall, question, as_of)

    async def digests(self, ids: list[str]) -> dict[str, str]:
        """What facts say now."""
        return await anyio.to_thread.run_sync(self._digests, ids)

    def close(self) -> None:
        self._connection.close()

    def _facts(self, subject: str, predicate: str, as_of: int) -> list[tuple[Any, list[Any]]]:
        asked = {"scope": self._scope, "subject": subject, "predicate": predicate, "as_of": as_of}
        found: dict[str, tuple[Any, list[Any]]] = {}
        for row in self._connection.execute(FACTS, asked):
            fact = found.setdefault(row[0], (row[:10], []))
            if row[10]:
                fact[1].append(row[10:])
        return list(found.values())

    def _recall(self, question: str, as_of: int) -> list[Shown]:
        run = self._connection.execute
        words = " OR ".join(f'"{word}"' for word in words_of(question))
        asked = {"scope": self._number, "words": words, "as_of": as_of}
        run("BEGIN")
        facts = run(SEARCH_FACTS, asked).fetchall() if words else []
        said = run(SEARCH_EPISODES, asked).fetchall() if words else []
        entities = self._each(NAMED, names_in(question))
        around = {
            name: run(RELATIONS, {"scope": self._number, "name": name}).fetchall() for _, name in entities
        }
        relations = {row[0]: row for rows in around.values() for row in rows}
        labels = {
            name: label for name, label, _ in self._each(LABELS, {row[2] for row in relations.values()})
        }
        sources: dict[str, list[Any]] = {}
        for row in self._each(SOURCES, {*(row[0] for row in facts), *relations}):
            sources.setdefault(row[0], []).append(row)
        run("COMMIT")
        shown = [
            Shown(row[0], "fact", dated(row[8], row[5], row[6]), row[9], score, sources.get(row[0], ()))
            for row, score in scaled((row, -row[10]) for row in facts)
        ]
        shown += [
            Shown(row[0], "episode", row[1], row[7], score)
            for row, score in scaled((row, -row[8]) for row in said)
        ]
        for entity, name in entities:
            now = [row for row in around[name] if row[5] <= as_of < row[6]]
            lines = [f"{row[1]} {labels[row[2]]} {row[4]}" for row in now]
            shown.append(Shown(entity, "graph", "\n".join([name, *lines]), "", 1.0, [row[0] for row in now]))
            shown += [
                Shown(row[0], "fact", dated(row[8], row[5], row[6]), row[9], 0.5, sources.get(row[0], ()))
                for row in now
            ]
        return pack(list({each.id: each for each in reversed(shown)}.values()))

    def _digests(self, ids: list[str]) -> dict[str, str]:
        return dict(self._each(DIGESTS, ids))

    def _each(self, statement: str, values: Any) -> list[Any]:
        values = list(values)
        if not values:
            return []
        marks = ", ".join(f"?{place}" for place in range(2, len(values) + 2))
        return self._connection.execute(statement.format(marks), (self._number, *values)).fetchall()
