"""Writers in processes of their own, forked so that killing a hundred of them is quick."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

import anyio

from memory_provider import Memory
from memory_provider.store.errors import StoreError

FORK = multiprocessing.get_context("fork")
CITIES = ["Paris", "Lyon", "Rome", "Oslo"]


def start(work: Callable[..., Any], *args: Any) -> BaseProcess:
    """A forked process; end it with `kill` or wait for it with `join`."""
    process = FORK.Process(target=work, args=args, daemon=True)
    process.start()
    return process


def kill(process: BaseProcess) -> None:
    """SIGKILL: the process gets no chance to tidy up."""
    assert process.pid
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def write_and_acknowledge(url: str, scope: str, round_: int, log: int, patient: bool) -> None:
    """Write transactions for ever; a line in the pipe `log` for each, after it was acknowledged."""

    async def main() -> None:
        async with Memory.open(url, scope=scope) as memory:
            number = 0
            while True:
                tag = f"{round_}-{number}"
                try:
                    await write_one(memory, tag)
                except StoreError:
                    if not patient:
                        raise
                    await anyio.sleep(0.05)
                    continue
                os.write(log, f"{tag}\n".encode())
                number += 1

    anyio.run(main)


async def write_one(memory: Memory, tag: str) -> Any:
    """One transaction of an episode and two facts: all of it or nothing may be seen."""
    async with memory.transaction() as tx:
        episode = tx.add_episode(f"note {tag}", idempotency_key=f"e{tag}")
        tx.assert_fact(f"left {tag}", "seen_in", tag, episode=episode, idempotency_key=f"l{tag}")
        tx.assert_fact(f"right {tag}", "seen_in", tag, episode=episode, idempotency_key=f"r{tag}")
    return tx.receipt


async def assert_whole(memory: Memory, acknowledged: list[str]) -> None:
    """Every acknowledged transaction is there, every other is there whole or not at all, and repeats are duplicates."""
    sides: dict[str, set[str]] = {}
    cursor = None
    while True:
        page = await memory.at().facts(predicate="seen_in", limit=5000, after=cursor)
        for fact in page:
            sides.setdefault(str(fact.object), set()).add(fact.subject.split()[0])
            assert fact.sources[0].episode_id
        cursor = page.cursor
        if cursor is None:
            break
    assert set(acknowledged) <= set(sides)
    assert all(each == {"left", "right"} for each in sides.values())
    episodes = set()
    cursor = None
    while True:
        changes = await memory.changes(limit=5000, after=cursor)
        episodes |= {
            str(change.after).removeprefix("note ") for change in changes if change.kind == "episode"
        }
        cursor = changes.cursor
        if cursor is None:
            break
    assert episodes == set(sides)
    for tag in acknowledged[-3:]:
        assert (await write_one(memory, tag)).duplicate


def contend(url: str, scope: str, seed: int, count: int, out: str) -> None:
    """Write `count` random operations on the keys everybody writes; what was done goes to the file `out`."""

    async def main() -> None:
        rng = random.Random(seed)
        done = []
        async with Memory.open(url, scope=scope) as memory:
            for number in range(count):
                subject, city = rng.choice(["ann", "bob"]), rng.choice(CITIES)
                first, last = sorted(rng.sample(range(1, 13), 2))
                window = {
                    "valid_from": f"2026-{first:02}-01T00:00:00Z",
                    "valid_to": f"2026-{last:02}-01T00:00:00Z",
                }
                kind = rng.choice(["assert", "assert", "correct", "retract"])
                key = f"{seed}-{number}"
                if kind == "assert":
                    receipt = await memory.assert_fact(subject, "city", city, **window, idempotency_key=key)
                elif kind == "correct":
                    receipt = await memory.correct_fact(subject, "city", city, **window, idempotency_key=key)
                else:
                    receipt = await memory.retract_fact(subject, "city", city, **window, idempotency_key=key)
                done.append([receipt.recorded_at.isoformat(), kind, subject, city, *window.values()])
        await anyio.Path(out).write_text(json.dumps(done))

    anyio.run(main)
