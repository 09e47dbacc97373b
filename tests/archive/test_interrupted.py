"""An import that was killed is run again, and goes on where it stopped."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_provider import Memory
from memory_provider.archive import ArchiveError, batching, export_scope, import_archive
from memory_provider.doctor import examine
from memory_provider.store.errors import ScopeNotEmpty
from tests.archive.answering import rows
from tests.archive.rich_histories import write_rich


@pytest.fixture
async def exported(anyio_backend: str, tmp_path: Path) -> tuple[Path, dict[str, list[object]]]:
    """An archive and the rows it was made from."""
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        await write_rich(memory, 8, 40)
        await export_scope(memory, archive)
        return archive, await rows(memory)


def program(address: str, scope: str, archive: Path, last: int, how: str = "") -> list[str]:
    return [sys.executable, "-m", "tests.archive.dying", address, scope, str(archive), str(last), how]


def _killed(address: str, scope: str, archive: Path, last: int, how: str = "") -> None:
    done = subprocess.run(program(address, scope, archive, last, how), capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def _killed_after(seconds: float, command: list[str]) -> None:
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.kill()


async def test_killed_and_run_again(
    store_address: str, scope: str, exported: tuple[Path, dict[str, list[object]]]
) -> None:
    if store_address == "memory:":
        pytest.skip("a store in memory dies with its process")
    archive, expected = exported
    total = sum(map(len, expected.values()))
    for last in (20, 2 * total // 3):
        _killed(store_address, scope, archive, last)
    async with Memory.open(store_address, scope=scope) as memory:
        there = sum(map(len, (await rows(memory)).values()))
        assert 2 * total // 3 <= there < total
        report = await import_archive(memory, archive)
        assert report.already_there == there
        assert sum(report.written.values()) == total - there
        assert await rows(memory) == expected
        assert await examine(memory.store, scope, sample=5) == []


async def test_killed_at_any_moment(tmp_path: Path, exported: tuple[Path, dict[str, list[object]]]) -> None:
    archive, expected = exported
    address = f"sqlite:///{tmp_path / 'killed.db'}"
    chance = random.Random(9)
    for _ in range(6):
        _killed_after(chance.uniform(0.3, 1.5), program(address, "killed", archive, 10**9))
    async with Memory.open(address, scope="killed") as memory:
        await import_archive(memory, archive)
        assert await rows(memory) == expected


async def test_contexts_of_turns_that_were_written_before_the_kill(
    store_address: str, scope: str, tmp_path: Path
) -> None:
    """A turn whose predecessor an earlier run wrote still finds its words."""
    archive = tmp_path / "turns.jsonl"
    async with Memory.open("memory:", scope="turns") as memory:
        for number in range(12):
            await memory.add_episode(f"Turn{number} of the talk.", session="s")
        await export_scope(memory, archive)
        expected = await rows(memory)

    async with Memory.open(store_address, scope=scope) as memory:

        class Stop(Exception):
            pass

        def stop(doing: str, done: int, total: int | None) -> None:
            if doing == "writing" and done >= 5:
                raise Stop

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(batching, "BATCH", 5)
            with pytest.raises(Stop):
                await import_archive(memory, archive, progress=stop)
        await import_archive(memory, archive)
        assert await rows(memory) == expected


async def test_a_half_imported_scope_that_somebody_wrote_to_is_refused(
    store_address: str, scope: str, exported: tuple[Path, dict[str, list[object]]]
) -> None:
    archive, _ = exported

    class Stop(Exception):
        pass

    def stop(doing: str, done: int, total: int | None) -> None:
        if doing == "writing":
            raise Stop

    async with Memory.open(store_address, scope=scope) as memory:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(batching, "BATCH", 30)
            with pytest.raises(Stop):
                await import_archive(memory, archive, progress=stop)
        await memory.add_episode("I am here too.")
        before = await rows(memory)
        with pytest.raises(ScopeNotEmpty, match="not a beginning of this archive"):
            await import_archive(memory, archive)
        assert await rows(memory) == before


async def test_somebody_writes_during_the_import(
    store_address: str, scope: str, exported: tuple[Path, dict[str, list[object]]]
) -> None:
    """It is noticed at the end: what the scope holds is compared with the archive."""
    archive, _ = exported
    async with Memory.open(store_address, scope=scope) as memory:
        restore = memory.store.restore
        calls = 0

        async def interrupted(*arguments: object, **options: object) -> None:
            nonlocal calls
            calls += 1
            await restore(*arguments, **options)  # type: ignore[arg-type]
            if calls == 2:
                await memory.add_episode("I am here too.")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(batching, "BATCH", 30)
            patch.setattr(memory.store, "restore", interrupted)
            with pytest.raises(ArchiveError, match="while nobody writes"):
                await import_archive(memory, archive)


async def test_a_restamp_killed_and_run_again(
    store_address: str, scope: str, exported: tuple[Path, dict[str, list[object]]]
) -> None:
    if store_address == "memory:":
        pytest.skip("a store in memory dies with its process")
    archive, _ = exported
    for last in (10, 30):
        _killed(store_address, scope, archive, last, "restamp")
    async with Memory.open(store_address, scope=scope) as memory:
        report = await import_archive(memory, archive, restamp=True)
        assert report.already_there >= 30
        found = await rows(memory)
    async with Memory.open("memory:", scope=scope) as memory:
        whole = await import_archive(memory, archive, restamp=True)
        assert report.written["claim"] + report.already_there == (
            whole.written["claim"] + whole.written["episode"]
        )
        expected = await rows(memory)
    for section in ("entities", "episodes", "links"):
        assert len(found[section]) == len(expected[section])
