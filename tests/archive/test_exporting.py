"""An archive appears whole and on disk, or not at all, and never with what was erased or damaged."""

# A test may block its own loop.
# ruff: noqa: ASYNC240
from __future__ import annotations

import io
import os
import sqlite3
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from memory_provider import Memory
from memory_provider.archive import ArchiveError, export_scope, import_archive
from tests.archive.rich_histories import write_rich


async def test_something_erased_meanwhile(
    store_address: str, scope: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive may hold it: it is not kept."""
    target = tmp_path / "kept.jsonl"
    target.write_text("the archive of yesterday")
    async with Memory.open(store_address, scope=scope) as memory:
        await write_rich(memory, 30, 10)
        secret = await memory.add_episode("A secret.")

        async def erase() -> None:
            await memory.erase(episode=secret.episode_id, reason="asked to")

        _after_the_first_batch(memory, monkeypatch, erase)
        with pytest.raises(ArchiveError, match="erased from the scope"):
            await export_scope(memory, target)
    assert target.read_text() == "the archive of yesterday"
    assert not [each for each in os.listdir(tmp_path) if each.endswith(".part")]


async def test_the_whole_scope_erased_meanwhile(
    store_address: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await write_rich(memory, 31, 10)

        async def erase() -> None:
            await memory.store.erase_scope(scope)

        _after_the_first_batch(memory, monkeypatch, erase)
        with pytest.raises(ArchiveError, match="erased from the scope"):
            await export_scope(memory, io.BytesIO())


async def test_something_written_meanwhile_is_not_in_it(
    store_address: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = io.BytesIO()
    async with Memory.open(store_address, scope=scope) as memory:
        rich = await write_rich(memory, 32, 10)

        async def write() -> None:
            for number in range(3):
                await memory.add_episode(f"Late {number}.")

        _after_the_first_batch(memory, monkeypatch, write)
        manifest = await export_scope(memory, archive)
    assert manifest.clock == rich.times[-1]
    assert b"Late" not in archive.getvalue()


def _after_the_first_batch(memory: Memory, monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    dump = memory.store.dump

    async def interrupted(scope: str, batch: int) -> Any:
        done = False
        async for rows in dump(scope, batch):
            yield rows
            if not done:
                done = True
                await act()

    monkeypatch.setattr(memory.store, "dump", interrupted)


async def test_a_damaged_row(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with Memory.open(f"sqlite:///{path}") as memory:
        await memory.assert_fact("Ann", "likes", "tea", valid_from=None)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE facts SET statement = 'Ann likes wine'")
        connection.close()
        with pytest.raises(ArchiveError, match=r"digest that does not match: fact_.*doctor"):
            await export_scope(memory, io.BytesIO())


async def test_on_disk_before_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (done.append("fsync"), fsync(descriptor)))
    monkeypatch.setattr(os, "replace", lambda old, new: (done.append("replace"), replace(old, new)))
    async with Memory.open("memory:") as memory:
        await memory.add_episode("Hello.")
        done.clear()
        await export_scope(memory, tmp_path / "a.jsonl")
    assert done == ["fsync", "replace", "fsync"]


async def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path) -> None:
    """A file renamed over a device would take its place: /dev/null would be a file from then on."""
    for name in ("pipe", "pipe.gz"):
        pipe = tmp_path / name
        os.mkfifo(pipe)
        received: list[bytes] = []
        async with Memory.open("memory:") as memory:
            await memory.assert_fact("Alice", "likes", "tea")
            async with anyio.create_task_group() as group:
                group.start_soon(export_scope, memory, pipe)
                received.append(await anyio.to_thread.run_sync(pipe.read_bytes))
            assert pipe.is_fifo()
        assert list(tmp_path.iterdir()) == [pipe]
        async with Memory.open("memory:") as copy:
            await import_archive(copy, io.BytesIO(received[0]))
            assert len(await copy.history("Alice")) == 1
        pipe.unlink()
