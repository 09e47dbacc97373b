"""Ids, clocks and hashes of a scope's rows in a temporary database, so that they can be joined in bounded memory.

Nothing that was said is in it: names and objects are hashed. SQLite removes its file when it is closed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from types import TracebackType
from typing import Any

from ..memory.text.chunking import turn_terms
from ..store.contract import Dump
from ..store.records import Predicate

_TABLES = """
CREATE TABLE lines (
    id TEXT, key BLOB, object BLOB, subject BLOB, entity BLOB, predicate BLOB, one INTEGER,
    valid_from INTEGER, valid_to INTEGER, recorded_at INTEGER, superseded_at INTEGER, absorbed_by TEXT);
CREATE TABLE replaced (id TEXT, recorded_at INTEGER, old_id TEXT, old_recorded_at INTEGER);
CREATE TABLE links (
    id TEXT, line TEXT, episode TEXT, covers_from INTEGER, covers_to INTEGER,
    attached_at INTEGER, detached_at INTEGER);
CREATE TABLE episodes (
    id TEXT, speaker BLOB, session BLOB, position INTEGER, previous TEXT, turn BLOB, context BLOB);
CREATE TABLE entities (id TEXT, name BLOB);
CREATE TABLE predicates (name BLOB);
CREATE TABLE tombstones (id TEXT, kind TEXT);
CREATE TABLE records (episode TEXT);
CREATE TABLE context_records (
    id TEXT, lineage TEXT, kind TEXT, position INTEGER, recorded_at INTEGER, superseded_at INTEGER);
CREATE TABLE batches (record TEXT);
"""

_INDEXES = """
CREATE INDEX lines_by_id ON lines (id, recorded_at);
CREATE INDEX links_by_line ON links (line);
CREATE INDEX episodes_by_id ON episodes (id);
CREATE INDEX entities_by_name ON entities (name);
CREATE INDEX entities_by_id ON entities (id);
CREATE INDEX predicates_by_name ON predicates (name);
CREATE INDEX tombstones_by_id ON tombstones (id);
CREATE INDEX context_records_by_id ON context_records (id);
CREATE INDEX context_records_by_lineage ON context_records (lineage, recorded_at, position);
"""


class Ledger:
    """What the checks that look at several rows at once ask."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_TABLES)
        self._database.execute("BEGIN")

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def add(self, batch: Dump, predicates: Mapping[str, Predicate]) -> None:
        """Note the rows of a batch; `predicates` are those seen so far."""
        for table, rows in (
            ("lines", _lines(batch, predicates)),
            ("replaced", _replaced(batch)),
            ("links", _links(batch)),
            ("episodes", _episodes(batch)),
            ("entities", ((each.id, hashed(each.name)) for each in batch.entities)),
            ("predicates", ((hashed(each.name),) for each in batch.predicates)),
            ("tombstones", ((each.id, each.kind) for each in batch.tombstones)),
            ("records", ((each.episode_id,) for each in batch.idempotency if not each.erased)),
            ("context_records", _context_records(batch)),
            ("batches", ((id,) for each in batch.idempotency if not each.erased for id in each.record_ids)),
        ):
            self._insert(table, rows)

    def complete(self) -> None:
        """All rows are in: make them quick to find."""
        self._database.execute("COMMIT")
        self._database.executescript(_INDEXES)

    def ask(self, statement: str) -> Iterator[Any]:
        """The rows of a SELECT."""
        return iter(self._database.execute(statement))

    def _insert(self, table: str, rows: Iterator[tuple[Any, ...]]) -> None:
        first = next(rows, None)
        if first is not None:
            statement = f"INSERT INTO {table} VALUES ({', '.join('?' * len(first))})"
            self._database.execute(statement, first)
            self._database.executemany(statement, rows)


def hashed(*texts: str) -> bytes:
    """Texts as 16 bytes; the same for the same texts."""
    found = blake2b(digest_size=16)
    for text in texts:
        data = text.encode(errors="surrogatepass")
        found.update(len(data).to_bytes(8))
        found.update(data)
    return found.digest()


def _lines(batch: Dump, predicates: Mapping[str, Predicate]) -> Iterator[tuple[Any, ...]]:
    for new in batch.versions:
        version = new.version
        predicate = predicates.get(version.predicate)
        yield (
            version.id,
            hashed(version.subject, version.predicate),
            hashed(*version.object),
            hashed(version.subject),
            hashed(version.object.text) if version.object.is_entity else None,
            hashed(version.predicate),
            predicate is not None and predicate.cardinality == "one",
            version.valid_from,
            version.valid_to,
            version.recorded_at,
            version.superseded_at,
            version.absorbed_by,
        )


def _replaced(batch: Dump) -> Iterator[tuple[Any, ...]]:
    for new in batch.versions:
        for old in new.replaces:
            yield new.version.id, new.version.recorded_at, old.id, old.recorded_at


def _links(batch: Dump) -> Iterator[tuple[Any, ...]]:
    for link in batch.links:
        yield (
            link.id,
            link.fact_id,
            link.episode_id,
            link.covers_from,
            link.covers_to,
            link.attached_at,
            link.detached_at,
        )


def _context_records(batch: Dump) -> Iterator[tuple[Any, ...]]:
    for record, _ in batch.records:
        yield (
            record.id,
            record.lineage,
            record.kind,
            record.position,
            record.recorded_at,
            record.superseded_at,
        )


def _episodes(batch: Dump) -> Iterator[tuple[Any, ...]]:
    for episode in batch.episodes:
        yield (
            episode.id,
            hashed(episode.speaker) if episode.speaker is not None else None,
            hashed(episode.session) if episode.session is not None else None,
            episode.position,
            episode.previous,
            hashed(turn_terms(episode.chunks)),
            hashed(episode.chunks[0].context if episode.chunks else ""),
        )
