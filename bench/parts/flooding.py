"""Flooding: the memory of a host whose provider sends more than anybody should read."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream

from memory_provider.protocol.strict_json import MAX_BYTES

from ..results import Row
from .starting import environment

PART = "The memory of a host, beside the limit of 16 MiB for a message"
STDIO = {
    "short answers": "<= 1",
    "lines as long as they may be": "<= 8",
    "lines as long as they may be, of empty lists": "<= 32",
    "a line without an end": "<= 8",
    "blank lines without an end": "<= 1",
    "answers to questions that were not asked, without an end": "<= 1",
}
HTTP = {"a body without an end, over HTTP": "<= 8"}


async def run(times: int) -> AsyncIterator[Row]:
    """A row a flood, over one question and over so many: were anything kept, more would need more.

    Linux alone tells the peak of a process.
    """
    if sys.platform != "linux":
        return
    for mode, target in STDIO.items():
        yield await _row(mode, mode, times, target)
    async with _server() as url:
        for mode, target in HTTP.items():
            yield await _row(mode, url, times, target)


async def _row(mode: str, provider: str, times: int, target: str) -> Row:
    few, many = await _flooded(provider, 1), await _flooded(provider, times)
    multiples = [(each["peak"] - each["before"]) / MAX_BYTES for each in (few, many)]
    became = ", ".join(f"{count} {name}" for name, count in Counter(many["became"]).items())
    return Row(
        PART,
        "",
        mode,
        f"{_mebibytes(many['peak'])} of {_mebibytes(many['before'])} idle",
        value=max(multiples),
        spread=" and ".join(f"{each:.2f}" for each in multiples),
        target=target,
        note=f"1 and {times} questions; of the latter {became}",
    )


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"


async def _flooded(provider: str, times: int) -> Any:
    """A process of its own, as a peak is one of a whole process."""
    command = [sys.executable, "-m", "bench.flooded", provider, str(times)]
    done = await anyio.run_process(command, env=environment(), stderr=None)
    return json.loads(done.stdout)


@asynccontextmanager
async def _server() -> AsyncIterator[str]:
    """Answers a handshake, and everything else with a body that does not end."""
    flow = {"reads": True, "writes": False, "egress": False}
    ack = json.dumps(
        {
            "type": "handshake_ack",
            "protocol_version": "contextgraph/1.0",
            "provider": {"name": "flooder", "version": "1", "data_flow": flow},
            "capabilities": {"query": {"kinds": ["fact"]}},
        }
    ).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"

    async def serve(stream: SocketStream) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            async with stream:
                asked = b""
                while not asked.endswith(b"}"):
                    asked += await stream.receive()
                if b'"handshake"' in asked:
                    await stream.send(head + b"Content-Length: %d\r\n\r\n" % len(ack) + ack)
                    return
                await stream.send(head + b"\r\n")
                while True:
                    await stream.send(b"x" * 65536)

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(SocketAttribute.local_port)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, serve)
            yield f"http://127.0.0.1:{port}/"
            tasks.cancel_scope.cancel()
