"""Deleting rows from every table and index that has a trace of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..contract import (
    Erasure,
)
from ..records import Tombstone
from .inserting import (
    ScopeRow,
    add_words,
    drop_words,
    insert_links,
    insert_versions,
    put_tombstones,
)
from .sql import ENDED, STANDS, column, for_each
from .words import chunk_words, fact_words

_WORDS = ("words_standing", "words_ended", "words_said", "words_records", "words_records_ended")


def delete(connection: sqlite3.Connection, scope: ScopeRow, erasure: Erasure) -> None:
    """All that an erasure names, and what nothing needs any more then; what it leaves of lines is written."""
    number = scope.number
    names, predicates = _delete_lines(connection, number, erasure.facts)
    insert_versions(connection, number, erasure.rewritten)
    insert_links(connection, number, erasure.links)
    _delete_lost_replacements(connection, number, erasure.facts)
    names |= _delete_episodes(connection, number, erasure.episodes)
    connection.executemany(
        "DELETE FROM entities WHERE scope = ? AND name = ?", [(number, name) for name in erasure.entities]
    )
    connection.executemany(
        "UPDATE idempotency SET erased = 1 WHERE scope = ? AND claim = ?",
        [(number, each) for each in erasure.claims],
    )
    connection.executemany(
        "UPDATE idempotency SET erased = 1 WHERE scope = ? AND episode_id = ?",
        [(number, each) for each in erasure.episodes],
    )
    _delete_records(connection, number, erasure.records)
    orphans = _delete_orphans(connection, number, names - set(erasure.entities), predicates)
    put_tombstones(connection, number, erasure.tombstones)
    if erasure.tombstones:
        like = erasure.tombstones[0]
        put_tombstones(
            connection,
            number,
            [Tombstone(each, "entity", erasure.recorded_at, like.reason, like.by) for each in orphans],
        )
    connection.execute(
        "UPDATE scopes SET clock = :at,"
        f" facts = (SELECT count(*) FROM facts f WHERE f.scope = :scope AND f.{STANDS}),"
        " chunks = (SELECT count(*) FROM chunks c WHERE c.scope = :scope),"
        " records = (SELECT count(*) FROM context_records r WHERE r.scope = :scope AND r.frame IS NOT NULL"
        f" AND r.{STANDS}) WHERE scope = :scope",
        {"at": erasure.recorded_at, "scope": number},
    )
    _forget_words(connection)


def delete_scope(connection: sqlite3.Connection, scope: int) -> None:
    """Every row of a scope."""
    for state, table in ((STANDS, "words_standing"), (ENDED, "words_ended")):
        rows = connection.execute(
            f"SELECT row_id, terms FROM facts WHERE scope = ? AND {state}", (scope,)
        ).fetchall()
        drop_words(connection, table, [(row_id, fact_words(scope, terms)) for row_id, terms in rows])
    chunks = connection.execute(
        "SELECT row_id, terms, context FROM chunks WHERE scope = ?", (scope,)
    ).fetchall()
    drop_words(connection, "words_said", [(row[0], chunk_words(scope, *row[1:])) for row in chunks])
    for state, table in ((STANDS, "words_records"), (ENDED, "words_records_ended")):
        served = connection.execute(
            f"SELECT row_id, terms FROM context_records WHERE scope = ? AND frame IS NOT NULL AND {state}",
            (scope,),
        ).fetchall()
        drop_words(connection, table, [(row_id, fact_words(scope, terms)) for row_id, terms in served])
    for table in (
        *("facts", "replacements", "links", "episodes", "chunks", "entities", "predicates", "tombstones"),
        *("idempotency", "context_records", "scopes"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE scope = ?", (scope,))
    _forget_words(connection)


def _delete_lines(
    connection: sqlite3.Connection, scope: int, ids: Collection[str]
) -> tuple[set[str], set[str]]:
    """Delete every version and link of lines. Returns the names at their ends and their predicates."""
    names: set[str] = set()
    predicates: set[str] = set()
    for state, table in ((STANDS, "words_standing"), (ENDED, "words_ended")):
        rows = list(
            for_each(
                connection,
                "SELECT row_id, terms, subject, predicate, object_type, object_text FROM facts"
                f" WHERE scope = :scope AND id = :a AND {state}",
                column(ids),
                {"scope": scope},
            )
        )
        drop_words(connection, table, [(row[0], fact_words(scope, row[1])) for row in rows])
        connection.executemany("DELETE FROM facts WHERE row_id = ?", [(row[0],) for row in rows])
        names.update(row[2] for row in rows)
        names.update(row[5] for row in rows if row[4] == "entity")
        predicates.update(row[3] for row in rows)
    lines = [(scope, each) for each in ids]
    connection.executemany("DELETE FROM links WHERE scope = ? AND fact_id = ?", lines)
    connection.executemany("DELETE FROM replacements WHERE scope = ? AND id = ?", lines)
    return names, predicates


def _delete_lost_replacements(connection: sqlite3.Connection, scope: int, ids: Iterable[str]) -> None:
    """Of the versions that replaced a line's, those may still say so whose replaced version was written again."""
    connection.executemany(
        "DELETE FROM replacements WHERE scope = ? AND replaced_id = ? AND NOT EXISTS (SELECT 1 FROM facts f"
        " WHERE f.scope = replacements.scope AND f.id = replaced_id AND f.recorded_at = replaced_recorded_at)",
        [(scope, each) for each in ids],
    )


def _delete_episodes(connection: sqlite3.Connection, scope: int, ids: Collection[str]) -> set[str]:
    """Delete episodes, and their words from the context of the turn after. Returns their speakers."""
    rows: Sequence[Any] = list(
        for_each(
            connection,
            "SELECT row_id, id, session, speaker FROM episodes WHERE scope = :scope AND id = :a",
            column(ids),
            {"scope": scope},
        )
    )
    for row_id, episode, session, _ in rows:
        _drop_chunks(connection, scope, "episode = ?", row_id)
        connection.execute("DELETE FROM episodes WHERE row_id = ?", (row_id,))
        connection.execute("DELETE FROM links WHERE scope = ? AND episode_id = ?", (scope, episode))
        after = connection.execute(
            "SELECT row_id FROM episodes WHERE scope = ? AND session = ? AND previous = ?",
            (scope, session, episode),
        ).fetchall()
        for (next_row,) in after:
            connection.execute("UPDATE episodes SET previous = NULL WHERE row_id = ?", (next_row,))
            _empty_context(connection, scope, next_row)
    return {speaker for *_, speaker in rows if speaker is not None}


def _delete_records(connection: sqlite3.Connection, scope: int, ids: Collection[str]) -> None:
    """Delete context records. What was done under a key for one of them can no longer be compared."""
    for state, table in ((STANDS, "words_records"), (ENDED, "words_records_ended")):
        rows = list(
            for_each(
                connection,
                f"SELECT row_id, terms, frame FROM context_records WHERE scope = :scope AND id = :a AND {state}",
                column(ids),
                {"scope": scope},
            )
        )
        served = [(row_id, fact_words(scope, terms)) for row_id, terms, frame in rows if frame is not None]
        drop_words(connection, table, served)
        connection.executemany("DELETE FROM context_records WHERE row_id = ?", [(row[0],) for row in rows])
    connection.executemany(
        "UPDATE idempotency SET erased = 1, arguments = '' WHERE scope = ?"
        " AND EXISTS (SELECT 1 FROM json_each(record_ids) WHERE value = ?)",
        [(scope, each) for each in ids],
    )


def _drop_chunks(connection: sqlite3.Connection, scope: int, where: str, value: int) -> None:
    chunks = connection.execute(
        f"SELECT row_id, terms, context FROM chunks WHERE {where}", (value,)
    ).fetchall()
    drop_words(connection, "words_said", [(row[0], chunk_words(scope, *row[1:])) for row in chunks])
    connection.execute(f"DELETE FROM chunks WHERE {where}", (value,))


def _empty_context(connection: sqlite3.Connection, scope: int, episode: int) -> None:
    chunks = connection.execute(
        "SELECT row_id, terms, context FROM chunks WHERE episode = ? AND context <> ''", (episode,)
    ).fetchall()
    drop_words(connection, "words_said", [(row[0], chunk_words(scope, *row[1:])) for row in chunks])
    connection.executemany("UPDATE chunks SET context = '' WHERE row_id = ?", [(row[0],) for row in chunks])
    add_words(connection, "words_said", [(row[0], chunk_words(scope, row[1], "")) for row in chunks])


def _delete_orphans(
    connection: sqlite3.Connection, scope: int, names: Iterable[str], predicates: Iterable[str]
) -> list[str]:
    """Delete entities that nothing names any longer, and undeclared predicates that no fact has. Returns entity ids."""
    gone = []
    speakers = {
        speaker
        for (speaker,) in connection.execute(
            "SELECT DISTINCT speaker FROM episodes WHERE scope = ?", (scope,)
        )
    }
    for name in sorted(set(names) - speakers):
        row = connection.execute(
            "SELECT id FROM entities e WHERE e.scope = :scope AND e.name = :name"
            f" AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.scope = :scope AND f.subject = :name AND f.{STANDS})"
            f" AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.scope = :scope AND f.subject = :name AND f.{ENDED})"
            " AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.scope = :scope AND f.object_text = :name"
            f" AND f.object_type = 'entity' AND f.{STANDS})"
            " AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.scope = :scope AND f.object_text = :name"
            f" AND f.object_type = 'entity' AND f.{ENDED})",
            {"scope": scope, "name": name},
        ).fetchone()
        if row:
            connection.execute("DELETE FROM entities WHERE scope = ? AND name = ?", (scope, name))
            gone.append(row[0])
    connection.executemany(
        "DELETE FROM predicates WHERE scope = ? AND name = ? AND NOT declared AND NOT EXISTS"
        " (SELECT 1 FROM facts f WHERE f.scope = predicates.scope AND f.predicate = predicates.name)",
        [(scope, each) for each in predicates],
    )
    return gone


def _forget_words(connection: sqlite3.Connection) -> None:
    """Merge each index into one segment, which drops deleted words and the marks that they were deleted."""
    for table in _WORDS:
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
