"""A load that is killed goes on where it stopped, and ends as one that never was."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from memory_provider.memory.api import Memory
from memory_provider.seeding import seed

from .files import fact, rows, write_lines


def entries() -> list[dict[str, object]]:
    stamped: list[dict[str, object]] = []
    for number in range(150):
        at = f"2024-{1 + number // 56:02d}-{1 + number % 28:02d}T{number % 56 // 28:02d}:00:00Z"
        stamped.append({"type": "episode", "id": f"s{number}", "text": f"told {number}", "recorded_at": at})
        stamped.append(fact(number, episode=f"s{number}", recorded_at=at, valid_from="2020"))
    plain: list[dict[str, object]] = []
    for number in range(150, 1150):
        plain.append({"type": "episode", "id": f"e{number}", "text": f"said {number}", "session": "one"})
        plain.append(fact(number, episode=f"e{number}", valid_from="2020"))
    return [*sorted(stamped, key=lambda each: str(each["recorded_at"])), *plain]


@pytest.mark.slow
def test_killed_in_the_middle_and_loaded_again(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "long.jsonl", entries())
    total, whole = anyio.run(_loaded, f"sqlite:///{tmp_path / 'whole.db'}", file)
    store = f"sqlite:///{tmp_path / 'killed.db'}"
    command = [sys.executable, "-m", "memory_provider", "--store", store, "seed", str(file)]
    for pause in (0.2, 0.4):
        already = anyio.run(_written, store)
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            for _ in range(1200):
                if process.poll() is not None or anyio.run(_written, store) > already:
                    break
                time.sleep(0.05)
            time.sleep(pause)
            process.kill()
    already = anyio.run(_written, store)
    again, found = anyio.run(_loaded, store, file)
    assert already > 0
    assert again == total - already
    assert found == whole
    assert anyio.run(_loaded, store, file)[0] == 0


async def _loaded(store: str, file: Path) -> tuple[int, list[tuple[object, ...]]]:
    """How many items a load wrote, and what the scope holds then."""
    async with Memory.open(store) as memory:
        report = await seed(memory, [file])
        return report.written, await rows(memory, clocks=False)


async def _written(store: str) -> int:
    """How many items a scope holds."""
    async with Memory.open(store) as memory:
        return len(await memory.changes(limit=10_000))
