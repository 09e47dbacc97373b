"""A scope that was exported and imported answers as it did: from every store into every store."""

from __future__ import annotations

import gzip
import io
import os
import secrets
from pathlib import Path

import pytest

from memory_provider import Memory
from memory_provider.archive import export_scope, import_archive
from memory_provider.errors import ClockRefused
from tests.archive.answering import answers, rows, spread
from tests.archive.rich_histories import write_rich
from tests.conftest import NEO4J_PARAMS, pool


@pytest.fixture(params=["memory", "sqlite", *NEO4J_PARAMS])
def other_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of each store in turn, for the other end."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'other.db'}"
    return pool.get(request.param).uri


async def test_the_same_answers_at_every_known_at(
    store_address: str, other_address: str, scope: str, tmp_path: Path
) -> None:
    other = f"other/{secrets.token_hex(6)}"
    await _carry((store_address, scope), (other_address, other), tmp_path / "archive.jsonl.gz", seed=1)


@pytest.mark.parametrize("seed", range(2, 7))
async def test_more_histories(seed: int, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'target.db'}"
    await _carry(("memory:", "source"), (target, "target"), tmp_path / "archive.jsonl", seed=seed)


async def _carry(source: tuple[str, str], target: tuple[str, str], archive: Path, seed: int) -> None:
    """A history from one store and scope to another, compared."""
    async with Memory.open(source[0], scope=source[1]) as memory:
        rich = await write_rich(memory, seed)
        known = spread(rich.times, 3)
        manifest = await export_scope(memory, archive)
        expected = await answers(memory, known, rich.episodes)
        held = await rows(memory)
    async with Memory.open(target[0], scope=target[1]) as memory:
        report = await import_archive(memory, archive)
        assert sum(report.written.values()) + report.left_out == sum(manifest.rows.values())
        assert await rows(memory) == held
        found = await answers(memory, known, rich.episodes)
        for question, answer in expected.items():
            assert found[question] == answer, question
        # Nothing happens when the same archive comes again.
        again = await import_archive(memory, archive)
        assert not again.written
        assert again.already_there == sum(report.written.values())
        # What is written next goes on where the exported memory stopped.
        receipt = await memory.add_episode("And then we came home.", session="s1")
        assert receipt.recorded_at > rich.times[-1]


async def test_one_state_makes_one_archive(store_address: str, scope: str, tmp_path: Path) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await write_rich(memory, 4, 20)
        first, second = io.BytesIO(), io.BytesIO()
        await export_scope(memory, first)
        await export_scope(memory, second)
        assert first.getvalue() == second.getvalue()
        packed = tmp_path / "a.jsonl.gz"
        await export_scope(memory, packed)
        assert gzip.decompress(packed.read_bytes()) == first.getvalue()
        assert packed.stat().st_mode & 0o077 == 0
        assert not [each for each in os.listdir(tmp_path) if each.endswith(".part")]


async def test_an_empty_scope(store_address: str, other_address: str, scope: str) -> None:
    archive = io.BytesIO()
    async with Memory.open(store_address, scope=scope) as memory:
        manifest = await export_scope(memory, archive)
    assert (manifest.clock, dict(manifest.rows)) == (None, {})
    async with Memory.open(other_address, scope=f"other/{secrets.token_hex(6)}") as memory:
        archive.seek(0)
        assert not (await import_archive(memory, archive)).written


async def test_keys_still_work_in_the_same_scope_of_the_same_database(
    store_address: str, scope: str, tmp_path: Path
) -> None:
    archive = tmp_path / "a.jsonl"
    async with Memory.open(store_address, scope=scope) as memory:
        first = await memory.add_episode("Remember me.", idempotency_key="once")
        await export_scope(memory, archive)
        await memory.store.erase_scope(scope)
        assert (await import_archive(memory, archive)).left_out == 0
        again = await memory.add_episode("Remember me.", idempotency_key="once")
        assert again.duplicate
        assert again.episode_id == first.episode_id
    async with Memory.open(store_address, scope=f"{scope}/other") as memory:
        if store_address == "memory:":
            return  # another database by now
        assert (await import_archive(memory, archive)).left_out == 1


async def test_through_a_pipe(tmp_path: Path) -> None:
    """What can be read only once is copied first."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError("not seekable")

    archive = io.BytesIO()
    async with Memory.open("memory:") as memory:
        await write_rich(memory, 5, 10)
        await export_scope(memory, archive)
        expected = await rows(memory)
    async with Memory.open("memory:") as memory:
        await import_archive(memory, Pipe(archive.getvalue()))
        assert await rows(memory) == expected


async def test_a_history_of_which_only_the_clock_is_left(store_address: str, scope: str) -> None:
    """What is written next is later than it, there as here."""
    archive = io.BytesIO()
    async with Memory.open("memory:", scope="clock") as memory:
        retracted = await memory.retract_fact("Ann", "likes", valid_from=None)
        manifest = await export_scope(memory, archive)
        assert manifest.clock == retracted.recorded_at
    async with Memory.open(store_address, scope=scope) as memory:
        archive.seek(0)
        await import_archive(memory, archive)
        with pytest.raises(ClockRefused):
            await memory.add_episode("Earlier.", recorded_at=retracted.recorded_at)
