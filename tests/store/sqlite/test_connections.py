"""Every connection is durable and private, and says so."""

from __future__ import annotations

import sqlite3
import stat
import sys

import anyio
import pytest

from memory_provider.store.addresses import SqliteAddress
from memory_provider.store.conformance.rows import LATEST, fact, put, second, text
from memory_provider.store.contract import Pattern, Slice
from memory_provider.store.errors import StoreUnavailable
from memory_provider.store.sqlite import connection as connections
from memory_provider.store.sqlite.store import SqliteStore

KEPT = {
    "journal_mode": "wal",
    "synchronous": 2,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "secure_delete": 1,
    "temp_store": 2,
}


def settings(connection: sqlite3.Connection) -> dict[str, object]:
    return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in KEPT}


async def test_every_connection_of_a_pool_is_durable(store: SqliteStore) -> None:
    seen: list[sqlite3.Connection] = []
    pool = store._connections

    def look(connection: sqlite3.Connection) -> None:
        seen.append(connection)
        assert settings(connection) == KEPT
        import time

        time.sleep(0.05)  # so that each read needs a connection of its own

    async with anyio.create_task_group() as group:
        for _ in range(2 * connections.READERS):
            group.start_soon(pool.read, look)
        group.start_soon(pool.write, look)
        group.start_soon(pool.maintain, look)
    assert len({id(each) for each in seen}) == connections.READERS + 1
    fresh = pool.fresh()
    assert settings(fresh) == KEPT
    fresh.close()


async def test_a_setting_that_is_not_kept_is_refused(file, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections.PRAGMAS, "synchronous", (2, "OFF"))
    store = SqliteStore(SqliteAddress(file))
    with pytest.raises(StoreUnavailable, match="synchronous"):
        await store.open()


async def test_the_pool_is_small_and_reads_do_not_wait_for_a_writer(store: SqliteStore) -> None:
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))
    inside = anyio.Event()
    leave = anyio.Event()

    def hold(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE scopes SET clock = clock")
        anyio.from_thread.run_sync(inside.set)
        anyio.from_thread.run(leave.wait)

    async with anyio.create_task_group() as group:
        group.start_soon(store._connections.write, hold)
        await inside.wait()
        with anyio.fail_after(5):
            for _ in range(20):
                assert len((await store.facts("s", LATEST, Pattern(), Slice(5))).found) == 1
        leave.set()


async def test_a_cancelled_write_is_committed_or_not_begun(store: SqliteStore) -> None:
    for number in range(1, 21):
        with anyio.move_on_after(0.002):
            await put(store, "s", second(number), fact("Ann", f"likes {number}", text("tea"), second(number)))
    facts = (await store.facts("s", LATEST, Pattern(), Slice(50))).found
    assert all(each.sources for each in facts)
    assert not await store.inspect(None)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
async def test_a_new_file_is_its_owners_alone(store: SqliteStore, file) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_the_directory_of_the_default_file_is_made(tmp_path) -> None:
    path = tmp_path / "share" / "memory-provider" / "memory.db"
    store = SqliteStore(SqliteAddress(path, private=True))
    await store.open()
    await store.close()
    assert path.exists()


async def test_a_closed_store_opens_again(store: SqliteStore) -> None:
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))
    await store.close()
    await store.open()
    assert len((await store.facts("s", LATEST, Pattern(), Slice(5))).found) == 1


async def test_a_store_in_memory_ends_with_its_closing() -> None:
    from memory_provider.store.opening import store_at

    store = store_at("memory:")
    await store.open()
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))
    assert [each.name for each in await store.scopes()] == ["s"]
    await store.close()
    await store.open()
    assert list(await store.scopes()) == []
    await store.close()
