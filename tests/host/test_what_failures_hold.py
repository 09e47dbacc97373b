"""Whoever keeps what became of a question keeps no message with it that was not worth reading."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

import pytest

from memory_provider.host import Host, HttpChannel, StdioChannel
from memory_provider.host.errors import HostError, TransportError, VersionMismatch, WireError

from .test_http_channel import response, server

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])

LONG = 1_000_000
ACK = (
    '{"type": "handshake_ack", "protocol_version": "contextgraph/2.0", "provider": {"name": "p", "version": "1",'
    ' "data_flow": {"reads": true, "writes": false, "egress": false}}, "capabilities": {"query": {"kinds": []}}}'
)


def reachable(thing: object) -> list[object]:
    """What an object keeps alive, but for classes and modules."""
    found, seen = [thing], {id(thing)}
    for each in found:
        for other in gc.get_referents(each):
            if id(other) not in seen and not isinstance(other, type | ModuleType):
                seen.add(id(other))
                found.append(other)
    return found


def kept(error: HostError) -> int:
    """The bytes of all that an error keeps alive."""
    return sum(sys.getsizeof(each) for each in reachable(error))


async def test_a_long_line_is_let_go_of() -> None:
    async with Host() as host:
        host.add("p", StdioChannel("p", [sys.executable, "-c", f"print('x' * {LONG})"]))
        error = (await host.greet())["p"]
        assert isinstance(error, WireError)
        assert kept(error) < LONG / 10


@pytest.mark.parametrize(("max_body", "kind"), [(LONG * 2, WireError), (LONG // 2, TransportError)])
async def test_a_long_body_is_let_go_of(max_body: int, kind: type[HostError]) -> None:
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (LONG, b"x" * LONG)
    async with server(response(chunked, "200 OK", "Transfer-Encoding: chunked")) as (url, _), Host() as host:
        host.add("p", HttpChannel("p", url, max_body=max_body))
        error = (await host.greet())["p"]
        assert type(error) is kind
        assert kept(error) < LONG / 10


async def test_a_provider_that_is_given_up_fails_no_matter_how_often_with_the_same_few_bytes() -> None:
    async with Host() as host:
        host.add(
            "p", StdioChannel("p", [sys.executable, "-c", f"print({ACK!r}, flush=True); input(); input()"])
        )
        first = (await host.greet())["p"]
        assert isinstance(first, VersionMismatch)
        before = kept(first)
        for _ in range(100):
            again = (await host.greet())["p"]
        assert isinstance(again, VersionMismatch)
        assert kept(again) == before
