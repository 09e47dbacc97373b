"""Several processes on one file: no update is lost."""

# A test may block its own loop.
# ruff: noqa: ASYNC220
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memory_provider.store.conformance.rows import LATEST
from memory_provider.store.contract import Pattern, Slice

COUNT = """
import sys, anyio
from memory_provider.store.contract import Changes, Needs
from memory_provider.store.opening import store_at
from memory_provider.store.records import Entity, Key, Predicate
from memory_provider.store.conformance.rows import LATEST, ending, fact, fresh, link, second, text

def plan(loaded):
    at = max(loaded.clock + 1, second(0))
    old = loaded.versions[0] if loaded.versions else None
    new = fact("counter", "reads", text(str(int(old.object.text) + 1 if old else 1)), at)
    return Changes(
        at,
        entities=[] if loaded.entities else [Entity(fresh("ent"), "counter")],
        predicates=[] if loaded.predicates else [Predicate(fresh("p"), "reads", "one", "text", "reads", None, True)],
        superseded=[ending(new._replace(version=old))] if old else [],
        versions=[new],
        detached=[each.id for each in loaded.links],
        links=[link(new)],
    )

async def main():
    store = store_at(f"sqlite:///{sys.argv[1]}")
    await store.open()
    for _ in range(25):
        await store.write("s", Needs([Key("counter", "reads")], ["reads"], ["counter"]), plan)
    await store.close()

anyio.run(main)
"""


async def test_processes_count_to_their_sum(file: Path, opened) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", COUNT, str(file)]) for _ in range(4)]
    assert [process.wait(timeout=300) for process in processes] == [0] * 4
    store = await opened()
    (found,) = (await store.facts("s", LATEST, Pattern(), Slice(5))).found
    assert found.version.object.text == "100"
    history = await store.history("s", Pattern(), Slice(1000))
    assert [each.version.object.text for each in history] == [str(i + 1) for i in range(100)]
    times = [each.version.recorded_at for each in history]
    assert times == sorted(set(times))
    assert not await store.inspect(None)
