"""Clients of a server over HTTP: as little of a client as will do, so that it is the server that is measured."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from socket import SO_RCVBUF, SOL_SOCKET
from typing import Any
from urllib.parse import urlsplit

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
LONGEST_HEAD = 10_000


def question(text: str, id: str = "q") -> bytes:
    """A query as a body."""
    asked = {"goal": text, "query_text": text, "max_frames": 10, "max_tokens": 2000}
    return json.dumps({"type": "query", "id": id, "query": asked}).encode()


class Client:
    """One connection, kept open."""

    def __init__(self, stream: SocketStream) -> None:
        self._stream = stream
        self._answers = BufferedByteReceiveStream(stream)

    async def ask(self, body: bytes) -> bytes:
        """The body of the answer to one."""
        await self._stream.send(HEAD % len(body) + body)
        head = await self._answers.receive_until(b"\r\n\r\n", LONGEST_HEAD)
        status, *lines = head.split(b"\r\n")
        if status != b"HTTP/1.1 200 OK":
            raise RuntimeError(f"the server answers {status!r}")
        [size] = [int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:")]
        return await self._answers.receive_exactly(size)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Client]:
    """A client of a server."""
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    async with await anyio.connect_tcp(parts.hostname, parts.port) as stream:
        yield Client(stream)


@dataclass
class Load:
    """What clients were answered while they all asked as fast as they could."""

    seconds: float = 0.0
    took: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def load(url: str, bodies: list[bytes], clients: int, seconds: float) -> Load:
    """So many clients for so long, each asking the next question when the last one is answered."""
    found = Load()
    began = time.perf_counter()
    questions: Iterator[bytes] = cycle(bodies)

    async def run() -> None:
        async with connected(url) as client:
            while time.perf_counter() - began < seconds:
                asked = time.perf_counter()
                answer: Any = json.loads(await client.ask(next(questions)))
                found.took.append(time.perf_counter() - asked)
                if answer["type"] != "frames":
                    found.errors.append(f"{answer.get('code')}: {answer.get('message')}")

    async with anyio.create_task_group() as tasks:
        for _ in range(clients):
            tasks.start_soon(run)
    found.seconds = time.perf_counter() - began
    return found


@asynccontextmanager
async def stalled(url: str, clients: int) -> AsyncIterator[None]:
    """Meanwhile, so many that stop sending in a head, stop sending in a body, or do not take a long answer.

    When the server lets go of one it comes back.
    """
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    long = question("nothing", "x" * 1_000_000)
    starts = [b"POST / HT", HEAD % 1000 + b"{", HEAD % len(long) + long]

    async def stall(start: bytes) -> None:
        while True:
            with suppress(OSError, anyio.EndOfStream, anyio.BrokenResourceError):
                async with await anyio.connect_tcp(parts.hostname or "", parts.port or 0) as stream:
                    stream.extra(SocketAttribute.raw_socket).setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
                    await stream.send(start)
                    if start is starts[-1]:
                        await anyio.sleep(12)  # the server gives it 10
                    else:
                        await stream.receive()

    async with anyio.create_task_group() as tasks:
        for number in range(clients):
            tasks.start_soon(stall, starts[number % len(starts)])
        await anyio.sleep(2)
        yield
        tasks.cancel_scope.cancel()
