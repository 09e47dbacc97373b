"""Rewriting the file after an erase, so that no deleted byte stays in it.

`secure_delete` overwrites what is deleted, but not the copies that SQLite leaves behind in a page when it moves rows
between pages; only writing every page anew (`VACUUM`) is sure to drop those. The log is then emptied.

An erase counts as unscrubbed from its commit on, so that what a kill or a full disk kept from being rewritten is
rewritten when the file is next opened.
"""

from __future__ import annotations

import sqlite3
import time
from typing import Final

from .failures import is_busy

PATIENCE: Final = 5.0
"""How many seconds readers of the old state are waited for."""

_TURN_MS: Final = 100
"""How many milliseconds one attempt may take."""


def owe_scrub(connection: sqlite3.Connection) -> None:
    """Note, in the transaction of an erase, that the file has to be rewritten after it."""
    connection.execute("UPDATE store SET unscrubbed = unscrubbed + 1")


def scrub_if_owed(connection: sqlite3.Connection) -> list[str]:
    """`scrub`, if the file was not rewritten after the last erase."""
    return scrub(connection) if _owed(connection) else []


def scrub(connection: sqlite3.Connection) -> list[str]:
    """Rewrite the file and empty its log. Returns what could not be done, in words; nothing when all is clean.

    The erase itself is committed by then, so no failure here is an error.
    """
    # SQLite's own wait would hold the writers' lock while it waits for a reader; asking often lets them through.
    patience = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.execute(f"PRAGMA busy_timeout = {_TURN_MS}")
    try:
        return _scrubbed(connection)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")


def _scrubbed(connection: sqlite3.Connection) -> list[str]:
    left: list[str] = []
    owed = _owed(connection)
    try:
        # The new copy is built in a temporary file: it may be too large for memory, and holds nothing that was erased.
        connection.execute("PRAGMA temp_store = FILE")
        _patiently(connection, "VACUUM")
        _patiently(connection, f"UPDATE store SET unscrubbed = unscrubbed - {owed}")
    except sqlite3.Error as problem:
        left.append(
            "pages of the file may hold older copies of erased rows until it is opened again, "
            f"because it could not be rewritten now ({problem})"
        )
    finally:
        connection.execute("PRAGMA temp_store = MEMORY")
    if not _log_emptied(connection):
        left.append(
            "the file's write-ahead log still holds erased bytes, because a reader of an older state holds it: "
            "it is emptied by the next erase, or when the last program closes the file"
        )
    return left


def _owed(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT unscrubbed FROM store").fetchone()[0])


def _log_emptied(connection: sqlite3.Connection) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                return True
        except sqlite3.Error as problem:
            if not is_busy(problem):
                return False
        time.sleep(0.05)
    return False


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as problem:
            if not is_busy(problem) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
