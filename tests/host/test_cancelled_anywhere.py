"""A question is cancelled at each step that any of its tasks takes, one after the other: nothing is ever left of it."""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

import anyio
import pytest
import trio

from memory_provider.host import Host, StdioChannel
from memory_provider.protocol import ContextQuery

from .test_cancellation import open_files
from .test_hosting import Good

ECHO = str(Path(__file__).with_name("echo.py"))
QUERY = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)
MOST_STEPS = 1000


class CancelAtStep(trio.abc.Instrument):
    """Counts the steps of all tasks, and cancels at one of them."""

    def __init__(self, step: int, scope: anyio.CancelScope) -> None:
        self.left = step
        self.scope = scope

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.left -= 1
        if self.left == 0:
            self.scope.cancel()


def running(pids: Path) -> list[str]:
    return [pid for pid in pids.read_text().split() if os.path.exists(f"/proc/{pid}")]


async def asked_twice(scope: anyio.CancelScope, pids: Path) -> bool:
    """Whether it came to the end."""
    with scope:
        async with Host() as host:
            host.add("good", Good())
            host.add("echo", StdioChannel("echo", [sys.executable, ECHO, "once", str(pids)], grace=0.05))
            await host.query(QUERY)
            await host.query(QUERY)
    return not scope.cancelled_caught


@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_nothing_is_left_wherever_it_is_cancelled(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.touch()
    files, tasks = open_files(), len(anyio.get_running_tasks())
    for step in count(1):
        scope = anyio.CancelScope()
        cancelling = CancelAtStep(step, scope)
        trio.lowlevel.add_instrument(cancelling)
        try:
            came_to_its_end = await asked_twice(scope, pids)
        finally:
            trio.lowlevel.remove_instrument(cancelling)
        left = (open_files(), len(anyio.get_running_tasks()), running(pids))
        assert left == (files, tasks, []), f"cancelled at step {step}"
        if came_to_its_end:
            break
        assert step < MOST_STEPS
    assert step > 20
    assert pids.read_text()
