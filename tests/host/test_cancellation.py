"""Whoever gives up leaves nothing behind: no process, no task, no open file, however far the question had got."""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from memory_provider.host import Host, StdioChannel
from memory_provider.host.errors import ConnectionClosed
from memory_provider.host.outcomes import Failed
from memory_provider.protocol import ContextQuery

from .test_hosting import Good

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

CLINGING = str(Path(__file__).with_name("clinging.py"))
QUERY = ContextQuery(goal="kettle", max_frames=8, max_tokens=1000)
LONG = QUERY.replace(goal="kettle" * 200_000)
"""More than a pipe holds."""
PATIENCE = 120.0
"""Seconds after which a test that waits for an end has failed; nothing is expected to take long."""
STAGES = {
    "started": [QUERY],
    "deaf": [LONG],
    "asked": [QUERY],
    "half an answer": [QUERY],
    "in turn": [QUERY, QUERY, LONG],
    "several": [QUERY, QUERY, QUERY],
    "escaped": [QUERY],
}
"""How far questions get, and which they are."""


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


class Watched:
    """A process that is told of when it ends."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.file = os.pidfd_open(pid)

    @property
    def is_alive(self) -> bool:
        return not select.select([self.file], [], [], 0)[0]

    async def gone(self) -> None:
        with anyio.fail_after(PATIENCE):
            await anyio.wait_readable(self.file)

    def close(self) -> None:
        os.close(self.file)


async def hear(told: Path) -> list[int]:
    async with await anyio.open_file(told) as pipe:
        return [int(pid) for pid in (await pipe.readline()).split()]


@pytest.fixture
def told(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "told")
    return tmp_path / "told"


@pytest.mark.parametrize("ending", ["cancelled", "closed", "cancelled while it is closed"])
@pytest.mark.parametrize("stage", STAGES)
async def test_nothing_is_left(stage: str, ending: str, told: Path) -> None:
    files, tasks_before = open_files(), len(anyio.get_running_tasks())
    watched: list[Watched] = []
    outcomes: list[object] = []

    async def ask(query: ContextQuery) -> None:
        outcomes.append((await host.query(query))[-1])

    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks, Host() as host:
            host.add("good", Good())
            channel = StdioChannel("bad", [sys.executable, CLINGING, stage, str(told)], grace=0.05)
            host.add("bad", channel)
            for query in STAGES[stage]:
                tasks.start_soon(ask, query)
            watched += map(Watched, await hear(told))
            await anyio.wait_all_tasks_blocked()
            assert all(each.is_alive for each in watched) and outcomes == []
            if ending == "cancelled":
                scope.cancel()
                await anyio.sleep_forever()
            if ending == "cancelled while it is closed":
                tasks.start_soon(host.close)
                await anyio.wait_all_tasks_blocked()
                scope.cancel()
    escaped = watched.pop() if stage == "escaped" else None
    try:
        for each in watched:
            await each.gone()
        assert escaped is None or escaped.is_alive  # who leaves the group is out of reach
        assert open_files() == files + len(watched) + (escaped is not None)
        assert len(anyio.get_running_tasks()) == tasks_before
        assert not channel.is_open
        if ending == "closed":
            assert len(outcomes) == len(STAGES[stage])
            assert all(isinstance(each, Failed) for each in outcomes)
    finally:
        if escaped is not None:
            signal.pidfd_send_signal(escaped.file, signal.SIGKILL)
            escaped.close()
        for each in watched:
            each.close()


async def test_who_gives_up_takes_no_answer_from_another_who_asked_the_same_provider(told: Path) -> None:
    """Of a provider that correlates; what one of the others was asked goes on."""
    files = open_files()
    async with Host() as host:
        host.add("bad", StdioChannel("bad", [sys.executable, CLINGING, "several", str(told)], grace=0.05))
        async with anyio.create_task_group() as tasks:
            scopes = [anyio.CancelScope() for _ in range(3)]

            async def ask(scope: anyio.CancelScope) -> None:
                with scope:
                    await host.query(QUERY)

            for scope in scopes:
                tasks.start_soon(ask, scope)
            watched = [Watched(pid) for pid in await hear(told)]
            await anyio.wait_all_tasks_blocked()
            scopes[0].cancel()
            scopes[1].cancel()
            await anyio.wait_all_tasks_blocked()
            assert all(each.is_alive for each in watched)  # the third still waits, and reads
            scopes[2].cancel()
    for each in watched:
        await each.gone()
        each.close()
    assert open_files() == files


HEADS = {
    "no answer": b"",
    "half of a head": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "half of a body": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
    "a body without a length": b"HTTP/1.1 200 OK\r\n\r\n{",
}
"""How far an answer over HTTP gets."""


@pytest.mark.parametrize("ending", ["cancelled", "closed"])
@pytest.mark.parametrize("stage", HEADS)
async def test_nothing_is_left_of_a_question_over_http(stage: str, ending: str) -> None:
    heard, gone = anyio.Event(), anyio.Event()
    greeted: list[object] = []

    async def serve(stream: SocketStream) -> None:
        async with stream:
            await stream.receive()
            await stream.send(HEADS[stage])
            heard.set()
            with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
                while True:
                    await stream.receive()
        gone.set()

    async def greet() -> None:
        greeted.append((await host.greet())["p"])

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(SocketAttribute.local_port)
        async with anyio.create_task_group() as serving:
            serving.start_soon(listener.serve, serve)
            await anyio.wait_all_tasks_blocked()
            files, tasks_before = open_files(), len(anyio.get_running_tasks())
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as tasks, Host() as host:
                    host.add("p", f"http://127.0.0.1:{port}/")
                    tasks.start_soon(greet)
                    await heard.wait()
                    await anyio.wait_all_tasks_blocked()
                    if ending == "cancelled":
                        scope.cancel()
                        await anyio.sleep_forever()
            await gone.wait()
            await anyio.wait_all_tasks_blocked()
            assert (open_files(), len(anyio.get_running_tasks())) == (files, tasks_before)
            assert [type(each) for each in greeted] == ([] if ending == "cancelled" else [ConnectionClosed])
            serving.cancel_scope.cancel()
