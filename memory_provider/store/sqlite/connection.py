"""Connections: durable, private, and used by one worker thread at a time."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import anyio
import anyio.to_thread

from ..errors import StoreUnavailable
from .failures import FAILURES, is_busy, translated
from .schema import refuse_foreign

Found = TypeVar("Found")

READERS: Final = 4
"""How many reads of one store run at the same time; more wait their turn."""

PRAGMAS: Final = {
    "synchronous": (2, "FULL"),  # a commit has reached the disk before it returns
    "fullfsync": (1, "ON"),  # on macOS, through the drive's own cache too
    "checkpoint_fullfsync": (1, "ON"),
    "secure_delete": (1, "ON"),  # what is deleted is overwritten
    "temp_store": (2, "MEMORY"),  # nothing stored leaks into temporary files
    "cache_size": (-32_768, "-32768"),
}
"""What every connection is set to and checked for: the value SQLite reports, and how it is written."""


def connect(path: Path | None, address: str, busy_timeout: float) -> sqlite3.Connection:
    """A connection to a file, or to a database of its own in memory, with its settings read back."""
    connection = sqlite3.connect(
        path or ":memory:",
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        refuse_foreign(connection, address)
        _set_journal(connection, "wal" if path else "memory", address, busy_timeout)
        for name, (reported, written) in PRAGMAS.items():
            connection.execute(f"PRAGMA {name} = {written}")
            found = connection.execute(f"PRAGMA {name}").fetchone()
            if found != (reported,):
                raise StoreUnavailable(
                    f"{address}: SQLite keeps {name} at {found and found[0]}, not {written}"
                )
    except BaseException:
        connection.close()
        raise
    return connection


def _set_journal(connection: sqlite3.Connection, wanted: str, address: str, patience: float) -> None:
    """Write-ahead logging, so that readers and the writer do not wait for each other."""
    deadline = time.monotonic() + patience
    while True:
        try:
            found = connection.execute("PRAGMA journal_mode").fetchone()[0]
            if found != wanted:
                found = connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()[0]
        except sqlite3.OperationalError as problem:
            # The switch takes an exclusive lock and does not wait for it.
            if not is_busy(problem) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
            continue
        if found != wanted:
            raise StoreUnavailable(
                f"{address}: SQLite keeps its journal as {found!r}, not {wanted!r}; put the file on a local disk"
            )
        return


class Connections:
    """One connection that writes and a few that read; in memory, one that does both.

    Work runs in anyio's worker threads, one hop a call, under asyncio and trio alike. A hop is not abandoned when its
    task is cancelled: what was begun is committed or rolled back.
    """

    def __init__(self, path: Path | None, address: str, busy_timeout: float) -> None:
        self.path = path
        self.address = address
        self.busy_timeout = busy_timeout
        self._writers: list[sqlite3.Connection] = []
        self._readers: list[sqlite3.Connection] = self._writers if path is None else []
        self._write_limit = anyio.CapacityLimiter(1)
        self._read_limit = self._write_limit if path is None else anyio.CapacityLimiter(READERS)
        self._closed = False

    async def read(self, work: Callable[[sqlite3.Connection], Found]) -> Found:
        """Run work inside one read transaction: it sees one state."""
        return await anyio.to_thread.run_sync(
            self._run, "BEGIN", self._readers, work, limiter=self._read_limit
        )

    async def write(self, work: Callable[[sqlite3.Connection], Found]) -> Found:
        """Run work inside one write transaction; it is durable when this returns, or nothing was written."""
        return await anyio.to_thread.run_sync(
            self._run, "BEGIN IMMEDIATE", self._writers, work, limiter=self._write_limit
        )

    async def maintain(self, work: Callable[[sqlite3.Connection], Found]) -> Found:
        """Run work on the writing connection outside any transaction."""
        return await anyio.to_thread.run_sync(self._run, None, self._writers, work, limiter=self._write_limit)

    def fresh(self) -> sqlite3.Connection:
        """A connection for one long read; the caller closes it."""
        try:
            return connect(self.path, self.address, self.busy_timeout)
        except FAILURES as problem:
            raise translated(problem, self.address) from problem

    def _run(
        self, begin: str | None, idle: list[sqlite3.Connection], work: Callable[[sqlite3.Connection], Found]
    ) -> Found:
        if self._closed:
            raise StoreUnavailable(f"{self.address} is closed; open it again")
        try:
            connection = idle.pop() if idle else connect(self.path, self.address, self.busy_timeout)
        except FAILURES as problem:
            raise translated(problem, self.address) from problem
        try:
            if begin:
                connection.execute(begin)
            found = work(connection)
            if begin:
                connection.execute("COMMIT")
            return found
        except FAILURES as problem:
            raise translated(problem, self.address) from problem
        finally:
            try:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            except sqlite3.Error:
                connection.close()
            else:
                self._put_back(connection, idle)

    def _put_back(self, connection: sqlite3.Connection, idle: list[sqlite3.Connection]) -> None:
        if self._closed:
            connection.close()
        else:
            idle.append(connection)

    def close(self) -> None:
        """Close what is idle; what is at work closes when it is done."""
        self._closed = True
        for idle in (self._readers, self._writers):
            while idle:
                idle.pop().close()


def make_room(path: Path, private: bool) -> None:
    """Make the directory of the default file, and a new file readable by its owner alone."""
    if private:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
