"""What was acknowledged survives a kill; what was not is whole or absent."""

import os
import random
import select
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from memory_provider import Memory
from memory_provider.doctor import examine
from tests.durability import writers

KILLS = 100
SERVER_KILLS = 5


def wait_for_lines(pipe: int, count: int, seconds: float) -> bytes:
    """At least `count` lines from a pipe, or a failure after a bound."""
    data, end = b"", time.monotonic() + seconds
    while data.count(b"\n") < count:
        ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
        lines = data.count(b"\n")
        assert ready, f"the writer acknowledged only {lines} writes"
        piece = os.read(pipe, 65536)
        assert piece, "the writer ended by itself"
        data += piece
    return data


def rest_of(pipe: int) -> bytes:
    os.set_blocking(pipe, False)
    data = b""
    while True:
        try:
            piece = os.read(pipe, 65536)
        except BlockingIOError:
            return data
        if not piece:
            return data
        data += piece


async def begin(url: str) -> None:
    async with Memory.open(url, scope="killed") as memory:
        await memory.assert_fact("nobody", "seen_elsewhere", "first")


async def check(url: str, acknowledged: list[str]) -> None:
    async with Memory.open(url, scope="killed") as memory:
        await writers.assert_whole(memory, acknowledged)
        assert await examine(memory.store) == []


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'memory.db'}"
    anyio.run(begin, url)
    rng = random.Random(7)
    acknowledged: list[str] = []
    for round_ in range(KILLS):
        read_end, write_end = os.pipe()
        process = writers.start(writers.write_and_acknowledge, url, "killed", round_, write_end, False)
        os.close(write_end)
        # Killed somewhere inside the transaction after a random number of acknowledged ones.
        data = wait_for_lines(read_end, rng.randrange(1, 8), 30)
        time.sleep(rng.uniform(0, 0.02))  # to any point of the next transactions
        writers.kill(process)
        data += rest_of(read_end)
        os.close(read_end)
        acknowledged.extend(data.decode().split())
    assert len(acknowledged) >= KILLS
    anyio.run(check, url, acknowledged)


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_killed_neo4j_loses_nothing_that_was_acknowledged(start_neo4j: Callable[..., object]) -> None:
    server = start_neo4j()
    rng = random.Random(11)
    acknowledged: list[str] = []
    url = server.uri  # type: ignore[attr-defined]
    anyio.run(begin, url)
    for round_ in range(SERVER_KILLS):
        pipes = [os.pipe() for _ in range(3)]
        processes = []
        for number, (_, write_end) in enumerate(pipes):
            processes.append(
                writers.start(
                    writers.write_and_acknowledge, url, "killed", round_ * 10 + number, write_end, True
                )
            )
            os.close(write_end)
        data = [wait_for_lines(read_end, rng.randrange(3, 30), 120) for read_end, _ in pipes]
        server.kill()  # type: ignore[attr-defined]
        for process in processes:
            writers.kill(process)
        for (read_end, _), said in zip(pipes, data, strict=True):
            acknowledged.extend((said + rest_of(read_end)).decode().split())
            os.close(read_end)
        server.restart()  # type: ignore[attr-defined]
    anyio.run(check, url, acknowledged)
