"""Numbered steps of the schema, each applied once."""

# A test may block its own loop.
# ruff: noqa: ASYNC220, ASYNC240
from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memory_provider.store.addresses import SqliteAddress
from memory_provider.store.conformance.rows import (
    LATEST,
    fact,
    load,
    put,
    record,
    record_probe,
    second,
    text,
)
from memory_provider.store.contract import Needs, Pattern, Slice
from memory_provider.store.errors import StoreTooNew, StoreUnavailable
from memory_provider.store.sqlite import schema
from memory_provider.store.sqlite.store import SqliteStore
from memory_provider.temporal.instants import OPEN

STEPS = ["0001 tables", "0002 context records", "0003 unscrubbed erases"]


async def test_looking_at_a_file_that_is_not_there_makes_none(file: Path) -> None:
    store = SqliteStore(SqliteAddress(file))
    layout = await store.layout()
    assert (list(layout.applied), list(layout.pending)) == ([], STEPS)
    assert layout.server.startswith("SQLite 3.")
    assert not file.exists()


async def test_migrating_makes_and_keeps(file: Path) -> None:
    store = SqliteStore(SqliteAddress(file))
    assert list((await store.migrate()).applied) == STEPS
    secret = await store.secret()
    assert len(secret) == 32
    assert list((await store.migrate()).pending) == []
    assert await store.secret() == secret
    await store.close()
    assert not file.with_name("memory.db-wal").exists(), "the last one out empties the log"


async def test_a_step_is_added_to_a_file_of_an_older_release(
    store: SqliteStore, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put(store, "s", second(1), fact("Ann", "likes", text("tea"), second(1)))
    step = (
        "0004 more",
        "CREATE TABLE more (x INTEGER);\n-- a comment; with a semicolon\nINSERT INTO more VALUES (7);",
    )
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, step))
    assert list((await store.layout()).pending) == ["0004 more"]
    newer = await opened()
    assert list((await newer.layout()).applied) == [*STEPS, "0004 more"]
    assert len((await newer.facts("s", LATEST, Pattern(), Slice(5))).found) == 1


async def test_a_file_from_before_context_records(
    opened, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(schema, "STEPS", schema.STEPS[:1])
        before = SqliteStore(SqliteAddress(file))
        await before.migrate()
        await before.close()
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO scopes (name, clock) VALUES ('s', ?)", (second(1),))
        connection.execute(
            "INSERT INTO idempotency (scope, key, arguments, recorded_at, fact_ids, superseded_ids, erased)"
            " VALUES (1, 'key', 'arguments', ?, '[]', '[]', 0)",
            (second(1),),
        )
    connection.close()
    assert list((await SqliteStore(SqliteAddress(file)).layout()).pending) == STEPS[1:]
    store = await opened()
    new = record("the kettle is red", second(2))
    loaded = await put(store, "s", second(2), records=[new])
    assert loaded.clock == second(1)
    done = (await load(store, "s", Needs(idempotency=["key"]))).idempotency["key"]
    assert (done.record_ids, done.expires_at) == ((), OPEN)
    (hit,) = (await store.candidates("s", LATEST, record_probe("kettle"))).found.records
    assert hit.hit.record.id == new.record.id
    assert not await store.inspect(None), "its schema is what a new file has"


async def test_a_step_that_fails_leaves_the_file_as_it_was(
    store: SqliteStore, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(
            schema, "STEPS", (*schema.STEPS, ("0004 bad", "CREATE TABLE more (x);\nSELECT nonsense;"))
        )
        with pytest.raises(Exception, match="nonsense"):
            await opened()
    again = await opened()
    assert list((await again.layout()).applied) == STEPS


async def test_a_file_of_a_newer_release_is_refused(store: SqliteStore, file: Path, opened) -> None:
    await store.close()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreTooNew, match="newer release"):
        await opened()
    with pytest.raises(StoreTooNew):
        await SqliteStore(SqliteAddress(file)).layout()


async def test_a_file_of_another_program_is_refused_and_left_alone(file: Path, opened) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(StoreUnavailable, match="another program"):
        await opened()
    with pytest.raises(StoreUnavailable, match="another program"):
        await SqliteStore(SqliteAddress(file)).layout()
    assert file.read_bytes() == before


async def test_an_empty_file_is_as_good_as_none(file: Path, opened) -> None:
    file.touch()
    store = await opened()
    assert list((await store.layout()).pending) == []


OPEN_AND_WRITE = """
import sys, anyio
from memory_provider.store.opening import store_at
from memory_provider.store.conformance.rows import fact, put, second, text

async def main():
    store = store_at(f"sqlite:///{sys.argv[1]}")
    await store.open()
    await put(store, sys.argv[2], second(1), fact("Ann", "likes", text("tea"), second(1)))
    print((await store.secret()).hex())
    await store.close()

anyio.run(main)
"""


async def test_processes_that_open_a_new_file_at_once_agree(file: Path, opened) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN_AND_WRITE, str(file), f"scope {i}"], stdout=subprocess.PIPE
        )
        for i in range(6)
    ]
    secrets = {process.communicate(timeout=120)[0] for process in processes}
    assert [process.returncode for process in processes] == [0] * 6
    assert len(secrets) == 1
    store = await opened()
    assert [each.name for each in await store.scopes()] == [f"scope {i}" for i in range(6)]
    assert not await store.inspect(None)
