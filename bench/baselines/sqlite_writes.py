"""The same rows into SQLite by hand: `executemany` in one durable transaction, one hop to a worker thread."""

from __future__ import annotations

import sqlite3
from itertools import count
from pathlib import Path
from typing import Any

import anyio.to_thread

from memory_provider.store.contract import Changes
from memory_provider.store.names import normalise_name
from memory_provider.store.sqlite.rows import episode_row, fact_row, link_row
from memory_provider.store.sqlite.words import chunk_words, fact_words

from .sqlite_reads import connect

Rows = list[tuple[str, list[tuple[Any, ...]]]]
"""Statements with their rows."""


class SqliteRows:
    """Makes rows ready, numbered as the store numbers them."""

    def __init__(self, path: Path) -> None:
        connection = connect(path)
        self._path = path
        self._scopes: dict[str, int] = {}
        self._fact, self._episode, self._chunk = (
            count(connection.execute(f"SELECT coalesce(max(row_id), 0) FROM {table}").fetchone()[0] + 1)
            for table in ("facts", "episodes", "chunks")
        )
        connection.close()

    def of(self, changes: Changes, name: str) -> Rows:
        """The rows of one transaction of a scope, for every table and text index."""
        scope = self._scope(name)
        facts = [(next(self._fact), new) for new in changes.versions]
        episodes = [(next(self._episode), each) for each in changes.episodes]
        chunks = [(next(self._chunk), row, each, piece) for row, each in episodes for piece in each.chunks]
        rows: Rows = [
            (
                _insert("entities", 4),
                [(scope, each.name, each.id, normalise_name(each.name)) for each in changes.entities],
            ),
            (
                _insert("predicates", 8),
                [(scope, each.name, each.id, *each[2:]) for each in changes.predicates],
            ),
            (_insert("facts", 18), [fact_row(row, scope, new) for row, new in facts]),
            (_words("words_standing"), [(row, fact_words(scope, new.terms)) for row, new in facts]),
            (_insert("links", 19), [link_row(scope, each) for each in changes.links]),
            (_insert("episodes", 12), [episode_row(row, scope, each) for row, each in episodes]),
            (
                _insert("chunks", 11),
                [
                    (row, scope, each.occurred_at, each.recorded_at, of, *piece)
                    for row, of, each, piece in chunks
                ],
            ),
            (
                _words("words_said"),
                [(row, chunk_words(scope, piece.terms, piece.context)) for row, _, _, piece in chunks],
            ),
            ("UPDATE scopes SET clock = coalesce(?, clock) WHERE scope = ?", [(changes.recorded_at, scope)]),
        ]
        return [(statement, values) for statement, values in rows if values]

    def _scope(self, name: str) -> int:
        if name not in self._scopes:
            connection = connect(self._path)
            (self._scopes[name],) = connection.execute(
                "INSERT INTO scopes (name, clock) VALUES (?, 0) RETURNING scope", (name,)
            ).fetchone()
            connection.close()
        return self._scopes[name]


class SqliteWriter:
    """One connection that writes."""

    def __init__(self, path: Path) -> None:
        self._connection: sqlite3.Connection = connect(path)
        self._connection.execute("PRAGMA busy_timeout = 30000")

    async def write(self, rows: Rows) -> None:
        """One transaction; durable when this returns."""
        await anyio.to_thread.run_sync(self._write, rows)

    def close(self) -> None:
        self._connection.close()

    def _write(self, rows: Rows) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for statement, values in rows:
            self._connection.executemany(statement, values)
        self._connection.execute("COMMIT")


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def _words(table: str) -> str:
    return f"INSERT INTO {table} (rowid, words) VALUES (?, ?)"
