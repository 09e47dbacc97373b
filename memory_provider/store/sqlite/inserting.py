"""Rows going in: the same for a write, for what an erase leaves, and for an import."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from ...temporal.instants import OPEN, PAST, Instant
from ..names import normalise_name
from ..records import (
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    Predicate,
    SourceLink,
    Tombstone,
)
from .rows import episode_row, fact_row, idempotency_row, link_row, record_row
from .words import chunk_words, fact_words


class ScopeRow(NamedTuple):
    """A scope's row: its number in this file and its clock."""

    number: int
    clock: Instant


def scope_row(connection: sqlite3.Connection, name: str) -> ScopeRow | None:
    """The row of a scope, if it was ever written to."""
    row = connection.execute("SELECT scope, clock FROM scopes WHERE name = ?", (name,)).fetchone()
    return ScopeRow._make(row) if row else None


def new_scope(connection: sqlite3.Connection, name: str) -> ScopeRow:
    """A row for a scope written to for the first time."""
    number = connection.execute("INSERT INTO scopes (name, clock) VALUES (?, ?)", (name, PAST)).lastrowid
    assert number is not None
    return ScopeRow(number, PAST)


def insert_entities(
    connection: sqlite3.Connection, scope: int, entities: Iterable[Entity], or_leave: bool = False
) -> None:
    """New entities; with `or_leave` those that are there already are left alone."""
    connection.executemany(
        f"INSERT{_ignore(or_leave)} INTO entities (scope, name, id, normalised) VALUES (?, ?, ?, ?)",
        [(scope, each.name, each.id, normalise_name(each.name)) for each in entities],
    )


def put_predicates(connection: sqlite3.Connection, scope: int, predicates: Iterable[Predicate]) -> None:
    """New or changed predicates, matched by name."""
    connection.executemany(
        "INSERT OR REPLACE INTO predicates"
        " (scope, id, name, cardinality, object_type, label, inverse_label, declared) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(scope, *each) for each in predicates],
    )


def insert_versions(connection: sqlite3.Connection, scope: int, versions: Sequence[NewVersion]) -> int:
    """Versions with their words and what they replace. Returns how many of them stand."""
    if not versions:
        return 0
    first = 1 + connection.execute("SELECT coalesce(max(row_id), 0) FROM facts").fetchone()[0]
    connection.executemany(
        "INSERT INTO facts (row_id, scope, valid_from, valid_to, recorded_at, superseded_at, id, subject, predicate,"
        " object_type, object_text, statement, digest, cause, ended_by, absorbed_by, alias, terms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [fact_row(row_id, scope, new) for row_id, new in enumerate(versions, first)],
    )
    standing: list[tuple[int, str]] = []
    ended: list[tuple[int, str]] = []
    for row_id, new in enumerate(versions, first):
        words = fact_words(scope, new.terms)
        (standing if new.version.superseded_at == OPEN else ended).append((row_id, words))
    add_words(connection, "words_standing", standing)
    add_words(connection, "words_ended", ended)
    connection.executemany(
        "INSERT OR IGNORE INTO replacements (scope, id, recorded_at, replaced_id, replaced_recorded_at)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (scope, new.version.id, new.version.recorded_at, old.id, old.recorded_at)
            for new in versions
            for old in new.replaces
        ],
    )
    return len(standing)


def insert_links(
    connection: sqlite3.Connection, scope: int, links: Iterable[SourceLink], or_leave: bool = False
) -> None:
    """Source links; with `or_leave` those that are there already are left alone."""
    connection.executemany(
        f"INSERT{_ignore(or_leave)} INTO links (scope, fact_id, id, claim, episode_id, file_uri, file_digest,"
        " file_range, by, method, confidence, spoke_from, spoke_to, covers_from, covers_to, recorded_at, attached_at,"
        " detached_at, original_recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [link_row(scope, each) for each in links],
    )


def insert_episodes(connection: sqlite3.Connection, scope: int, episodes: Sequence[Episode]) -> int:
    """Episodes with their chunks and words. Returns how many chunks."""
    if not episodes:
        return 0
    first = 1 + connection.execute("SELECT coalesce(max(row_id), 0) FROM episodes").fetchone()[0]
    connection.executemany(
        "INSERT INTO episodes (row_id, scope, occurred_at, recorded_at, id, text, source, speaker, session, position,"
        " previous, original_recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [episode_row(row_id, scope, each) for row_id, each in enumerate(episodes, first)],
    )
    number = count(1 + connection.execute("SELECT coalesce(max(row_id), 0) FROM chunks").fetchone()[0])
    pieces = [
        (next(number), row_id, episode, each)
        for row_id, episode in enumerate(episodes, first)
        for each in episode.chunks
    ]
    connection.executemany(
        "INSERT INTO chunks (row_id, scope, occurred_at, recorded_at, episode, number, first_byte, end_byte, digest,"
        " terms, context) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (row_id, scope, episode.occurred_at, episode.recorded_at, of, *each)
            for row_id, of, episode, each in pieces
        ],
    )
    add_words(
        connection,
        "words_said",
        [(row_id, chunk_words(scope, each.terms, each.context)) for row_id, _, _, each in pieces],
    )
    return len(pieces)


def insert_records(connection: sqlite3.Connection, scope: int, records: Sequence[IndexedRecord]) -> int:
    """Context records with the words of those that are served. Returns how many of these stand."""
    if not records:
        return 0
    first = 1 + connection.execute("SELECT coalesce(max(row_id), 0) FROM context_records").fetchone()[0]
    connection.executemany(
        "INSERT INTO context_records (row_id, scope, id, lineage, kind, status, statement, body, digest, observed_at,"
        " valid_from, valid_to, recorded_at, superseded_at, expires_at, position, frame, frame_digest, sharing,"
        " subjects, retention, client, by, original_recorded_at, terms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [record_row(row_id, scope, new) for row_id, new in enumerate(records, first)],
    )
    standing: list[tuple[int, str]] = []
    ended: list[tuple[int, str]] = []
    for row_id, new in enumerate(records, first):
        if new.record.frame is not None:
            (standing if new.record.stands else ended).append((row_id, fact_words(scope, new.terms)))
    add_words(connection, "words_records", standing)
    add_words(connection, "words_records_ended", ended)
    return len(standing)


def insert_idempotency(
    connection: sqlite3.Connection, scope: int, records: Iterable[IdempotencyRecord], or_leave: bool = False
) -> None:
    """Idempotency records; with `or_leave` those that are there already are left alone."""
    connection.executemany(
        f"INSERT{_ignore(or_leave)} INTO idempotency (scope, key, arguments, recorded_at, episode_id, claim, fact_ids,"
        " superseded_ids, erased, record_ids, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [idempotency_row(scope, each) for each in records],
    )


def put_tombstones(connection: sqlite3.Connection, scope: int, tombstones: Iterable[Tombstone]) -> None:
    """Tombstones, one an id: the latest erasure of it."""
    connection.executemany(
        "INSERT OR REPLACE INTO tombstones (scope, id, kind, erased_at, reason, by) VALUES (?, ?, ?, ?, ?, ?)",
        [(scope, *each) for each in tombstones],
    )


def add_words(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[int, str]]) -> None:
    """Make rows findable by their words."""
    connection.executemany(f"INSERT INTO {table} (rowid, words) VALUES (?, ?)", rows)


def drop_words(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[int, str]]) -> None:
    """Take rows out of an index; the words must be those they were added with."""
    connection.executemany(f"INSERT INTO {table} ({table}, rowid, words) VALUES ('delete', ?, ?)", rows)


def move_clock(
    connection: sqlite3.Connection,
    scope: ScopeRow,
    to: Instant | None,
    facts: int = 0,
    chunks: int = 0,
    records: int = 0,
) -> None:
    """Move a scope's clock (None leaves it) and its sizes."""
    if to is not None or facts or chunks or records:
        connection.execute(
            "UPDATE scopes SET clock = ?, facts = facts + ?, chunks = chunks + ?, records = records + ?"
            " WHERE scope = ?",
            (scope.clock if to is None else to, facts, chunks, records, scope.number),
        )


def _ignore(or_leave: bool) -> str:
    return " OR IGNORE" if or_leave else ""
