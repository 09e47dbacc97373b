"""Disk full, read-only, locked, damaged: a clear error, and nothing half-written."""

# A test may block its own loop.
# ruff: noqa: ASYNC221, ASYNC240
from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_provider.store.conformance.rows import LATEST, fact, put, second, text
from memory_provider.store.contract import Pattern, Slice
from memory_provider.store.errors import StoreUnavailable
from memory_provider.store.sqlite.store import SqliteStore

pytestmark = pytest.mark.alone


async def subjects(store: SqliteStore) -> list[str]:
    return [each.version.subject for each in (await store.facts("s", LATEST, Pattern(), Slice(9999))).found]


async def test_a_locked_file(store: SqliteStore, opened, file: Path) -> None:
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))
    impatient = await opened(busy_timeout=0.2)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match="locked by another process") as refused:
        await put(impatient, "s", second(2), fact("Bea", "likes", text("tea"), second(2)))
    assert time.monotonic() - began < 3
    assert str(file) in str(refused.value)
    assert await subjects(impatient) == ["Ann"], "readers do not wait"
    other.execute("ROLLBACK")
    await put(impatient, "s", second(2), fact("Bea", "likes", text("tea"), second(2)))
    assert await subjects(store) == ["Ann", "Bea"]
    other.close()


async def test_a_full_database(store: SqliteStore) -> None:
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))

    def limit(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    def unlimit(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 1000000")

    await store._connections.maintain(limit)
    many = [fact(f"Bea {i}", "likes", text("tea" * 100), second(2)) for i in range(500)]
    with pytest.raises(StoreUnavailable, match="no room left"):
        await put(store, "s", second(2), *many)
    assert await subjects(store) == ["Ann"]
    assert not await store.inspect(None)
    await store._connections.maintain(unlimit)
    await put(store, "s", second(2), *many)
    assert len(await subjects(store)) == 501


FILL = """
import resource, sys, anyio
from memory_provider.store.opening import store_at
from memory_provider.store.errors import StoreUnavailable
from memory_provider.store.conformance.rows import fact, put, second, text

async def main():
    store = store_at(f"sqlite:///{sys.argv[1]}")
    await store.open()
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
    done = 0
    try:
        for number in range(1, 1000):
            rows = [fact(f"Ann {number} {i}", "likes", text("tea" * 50), second(number)) for i in range(20)]
            await put(store, "s", second(number), *rows)
            done = number
    except StoreUnavailable as refused:
        print(done, str(refused)[-300:].replace(chr(10), " "))
    else:
        print("never refused")

anyio.run(main)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
async def test_a_disk_that_fills_up_under_a_writer(file: Path, opened) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FILL, str(file)], capture_output=True, text=True, timeout=120, check=False
    )
    done, _, says = run.stdout.partition(" ")
    assert run.returncode == 0, run.stderr
    assert done.isdigit(), run.stdout
    assert "nothing was written" in says
    store = await opened()
    assert len(await subjects(store)) == int(done) * 20, "exactly what was acknowledged"
    assert not await store.inspect(None)
    number = int(done) + 1
    await put(store, "s", second(number), fact("Bea", "likes", text("tea"), second(number)))


READ_ONLY = """
import os, sys, anyio
from memory_provider.store.addresses import SqliteAddress
from memory_provider.store.contract import Pattern, Slice
from memory_provider.store.errors import StoreUnavailable
from memory_provider.store.sqlite.store import SqliteStore
from memory_provider.store.conformance.rows import LATEST, fact, put, second, text
from pathlib import Path

async def main():
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    store = SqliteStore(SqliteAddress(Path(sys.argv[1])), busy_timeout=1)
    try:
        await store.open()
        await put(store, "s", second(2), fact("Bea", "likes", text("tea"), second(2)))
    except StoreUnavailable as refused:
        print("refused", refused)

anyio.run(main)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
@pytest.mark.parametrize("directory_too", [True, False])
async def test_a_read_only_file(store: SqliteStore, opened, file: Path, directory_too: bool) -> None:
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))
    await store.close()
    for each in (file, *file.parents):
        if each in file.parents and os.geteuid() == 0:
            os.chmod(each, each.stat().st_mode | 0o055)  # the way there
        if each == Path("/tmp"):
            break
    file.chmod(0o444)
    file.parent.chmod(0o555 if directory_too else 0o777)
    try:
        run = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(file)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        file.parent.chmod(0o755)
        file.chmod(0o644)
    if "ModuleNotFoundError" in run.stderr:
        pytest.skip("another user of this machine cannot read this checkout")
    assert run.stdout.startswith("refused"), run.stdout + run.stderr
    assert "nothing was written" in run.stdout or "cannot be opened" in run.stdout
    again = await opened()
    assert await subjects(again) == ["Ann"]


@pytest.mark.parametrize(
    "junk", [b"this is no database, but a long enough text to be one" * 100, b"SQLite format 3\0" * 999]
)
async def test_a_file_that_is_no_database(file: Path, opened, junk: bytes) -> None:
    file.write_bytes(junk)
    with pytest.raises(StoreUnavailable, match=r"not an SQLite database|damaged"):
        await opened()
    assert file.read_bytes() == junk


async def test_a_damaged_file(store: SqliteStore, opened, file: Path) -> None:
    await put(store, "s", second(1), *(fact(f"Ann {i}", "likes", text("tea"), second(1)) for i in range(500)))
    await store.close()
    data = bytearray(file.read_bytes())
    data[4096 * 10 :] = b"\xee" * (len(data) - 4096 * 10)
    file.write_bytes(bytes(data))
    with pytest.raises(StoreUnavailable, match="damaged"):
        again = await opened()
        await subjects(again)
        await put(again, "s", second(2), fact("Bea", "likes", text("tea"), second(2)))


async def test_a_directory_that_is_not_there(tmp_path: Path, opened) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        await opened(path=tmp_path / "nowhere" / "memory.db")
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        await opened(path=tmp_path)


async def test_a_closed_store_says_so(store: SqliteStore) -> None:
    pool = store._connections
    await store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await pool.read(lambda connection: None)


async def test_a_store_that_was_not_opened_says_so(file: Path, tmp_path: Path) -> None:
    from memory_provider.store.addresses import SqliteAddress

    store = SqliteStore(SqliteAddress(file))
    with pytest.raises(Exception, match=r"no such table|refused"):
        await store.scopes()


async def test_a_file_whose_tables_are_garbled(store: SqliteStore, opened, file: Path) -> None:
    """SQLite's module fails over the text of the tables before it says that the file is damaged."""
    await store.close()
    garbled = file.read_bytes().replace(b"CREATE TABLE", b"\x9e" * 12)
    file.write_bytes(garbled.replace(b"tablestorestore", b"table" + b"\x9e" * 10))
    with pytest.raises(StoreUnavailable, match="damaged"):
        await opened()
