"""Pipes that are full, answers that nobody waits for any more, and many questions at once: each gets its own answer."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import anyio
import pytest

from memory_provider.host.connections import Connection, StdioChannel
from memory_provider.host.errors import ConnectionClosed
from memory_provider.protocol import ContextQuery

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

ECHO = str(Path(__file__).with_name("echo.py"))
QUERY = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)
PIPEFUL = 70_000


def connect(mode: str) -> Connection:
    return Connection("echo", StdioChannel("echo", [sys.executable, ECHO, mode]))


async def ask(connection: Connection, goal: str) -> str:
    return (await connection.query(QUERY.replace(goal=goal))).frames[0].id


async def test_a_provider_that_is_read_late_is_read_by_who_sends() -> None:
    """It writes more than a pipe holds before it reads on; who asked for that has given up, and nobody waits."""
    connection = connect("long answers")
    await connection.open()
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks:
            for number in range(4):
                tasks.start_soon(ask, connection, f"given up {number}")
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
    assert await ask(connection, goal := "x" * 20 * PIPEFUL) == goal[:1000]
    await connection.close()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("mode", ["once", "twice", "long answers"])
async def test_questions_come_and_are_given_up_at_any_time(mode: str, seed: int) -> None:
    """Where a question is given up half sent, the connection is opened anew; no answer is ever another's."""
    chance = random.Random(seed)
    connection = connect(mode)
    answered, closed = [], []

    async def one(number: int) -> None:
        goal = f"{number} " * chance.choice([1, 1, 1, 50, PIPEFUL])
        for _ in range(chance.randrange(30)):
            await anyio.lowlevel.checkpoint()
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                if chance.random() < 0.4:
                    tasks.start_soon(give_up, scope, chance.randrange(200))
                try:
                    await connection.open()
                    assert await ask(connection, goal) == goal[:1000]
                    answered.append(number)
                except ConnectionClosed:
                    closed.append(number)
                tasks.cancel_scope.cancel()

    async def give_up(scope: anyio.CancelScope, steps: int) -> None:
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        scope.cancel()

    async with anyio.create_task_group() as tasks:
        for number in range(40):
            tasks.start_soon(one, number)
    await connection.open()
    assert await ask(connection, "the last") == "the last"
    await connection.close()
    assert answered
