"""Where the server listens."""

from __future__ import annotations

import asyncio
import socket

import pytest

from memory_provider.errors import InvalidInput
from memory_provider.loopback import is_loopback
from memory_provider.transports.http.addresses import listen, url


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("LocalHost", True),
        ("localhost.example", False),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("", False),
        ("127.1", False),
    ],
)
def test_what_only_this_machine_can_reach(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


async def test_answers_are_not_held_back() -> None:
    """A client that waits for the rest of an answer would wait 40 ms for each."""
    connected: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = writer.get_extra_info("socket")
        connected.set_result(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    [listening] = listen("127.0.0.1", 0)
    async with await asyncio.start_server(accepted, sock=listening):
        _, writer = await asyncio.open_connection(*listening.getsockname())
        assert await connected
        writer.close()


def test_a_name_with_several_addresses_has_one_port() -> None:
    sockets = listen("localhost", 0)
    try:
        assert len({each.getsockname()[1] for each in sockets}) == 1
        assert {each.getsockname()[0] for each in sockets} <= {"127.0.0.1", "::1"}
        port = sockets[0].getsockname()[1]
        assert url(sockets[0], "localhost", tls=False) == f"http://localhost:{port}/"
        assert url(sockets[0], "::1", tls=True) == f"https://[::1]:{port}/"
    finally:
        for each in sockets:
            each.close()


def test_a_port_that_is_taken_is_left_alone() -> None:
    [first] = listen("127.0.0.1", 0)
    with first:
        first.listen()
        with pytest.raises(InvalidInput, match="in use"):
            listen("127.0.0.1", first.getsockname()[1])
