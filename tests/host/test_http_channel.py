"""A host and a provider over HTTP, the provider being bytes on a socket."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import SocketStream

from memory_provider.host.connections import Connection
from memory_provider.host.connections.http import HttpChannel, check_address, is_loopback
from memory_provider.host.errors import (
    HandshakeTimeout,
    HostError,
    PlaintextRefused,
    TransportError,
    Unauthorized,
    WireError,
)
from memory_provider.host.host import Host
from memory_provider.host.outcomes import ConsentRequired
from memory_provider.protocol import ContextQuery, Handshake, HandshakeAck
from memory_provider.temporal.errors import InvalidInput
from tests.protocol.cases import CASES, raw

ACK = next(raw(case) for case in CASES if case["name"] == "ack good").strip()
HELLO = Handshake(protocol_version="contextgraph/1.0")
TOKEN = "t0ken-nobody-should-see"


def response(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", "Connection: close", *headers]
    if not any(header.startswith(("Content-Length", "Transfer-Encoding")) for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@asynccontextmanager
async def server(
    answer: bytes, *, requests: int = 1, drips: bool = False
) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Answers each of so many requests on a connection with these bytes; what it was sent."""
    heard: list[bytes] = []

    async def serve(stream: SocketStream) -> None:
        async with stream:
            try:
                for _ in range(requests):
                    request = await stream.receive(65536)
                    while b"handshake" not in request and b"query" not in request:
                        request += await stream.receive(65536)
                    heard.append(request)
                    await stream.send(answer)
                    while drips:
                        await stream.send(b"x")
                        await anyio.sleep(0.01)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return  # the host had heard enough

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        yield f"http://127.0.0.1:{port}/", heard
        tasks.cancel_scope.cancel()


async def exchange(answer: bytes, *, max_body: int = 1_000_000) -> tuple[object, list[bytes]]:
    """What comes of a handshake."""
    async with server(answer) as (url, heard):
        channel = HttpChannel("p", url, token=TOKEN, max_body=max_body)
        await channel.open()
        try:
            return await channel.exchange(HELLO), heard
        except HostError as error:
            return error, heard
        finally:
            await channel.close()


BACKENDS = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])


@BACKENDS
async def test_an_envelope_goes_out_and_one_comes_back() -> None:
    answer, heard = await exchange(response(ACK))
    assert isinstance(answer, HandshakeAck)
    [request] = heard
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.startswith(b"POST / HTTP/1.1")
    assert b"application/json" in head and f"Authorization: Bearer {TOKEN}".encode() in head
    assert body == b'{"type":"handshake","protocol_version":"contextgraph/1.0"}'


@BACKENDS
@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (response(b"", "401 Unauthorized"), Unauthorized, "401"),
        (
            response(b"", "307 Temporary Redirect", "Location: http://elsewhere.example/"),
            TransportError,
            "elsewhere",
        ),
        (response(b"x" * 1_000_000, "500 Internal Server Error"), TransportError, "HTTP 500"),
        (response(TOKEN.encode(), "403 Forbidden"), TransportError, "HTTP 403"),
        (response(b"<html>"), WireError, "no envelope"),
        (response(b"", "200 OK", "Content-Length: 99999999"), TransportError, "limit"),
        (response(b"", "200 OK", "Content-Encoding: gzip"), TransportError, "compressed"),
        (
            response(b"4000\r\n" + b"x" * 0x4000 + b"\r\n0\r\n\r\n", "200 OK", "Transfer-Encoding: chunked"),
            TransportError,
            "limit",
        ),
        (b"nonsense\r\n\r\n", TransportError, "p"),
    ],
)
async def test_what_is_no_answer_is_an_error_that_shows_no_credential(
    answer: bytes, kind: type[HostError], said: str
) -> None:
    error, _ = await exchange(answer, max_body=10_000)
    assert type(error) is kind, error
    assert said in str(error)
    assert len(str(error)) < 800
    assert TOKEN not in str(error) and TOKEN not in repr(error)


@BACKENDS
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("status", ["200 OK", "500 Internal Server Error"])
async def test_a_body_that_is_not_read_to_its_end_leaves_nothing_open(status: str) -> None:
    answer = response(b"x" * 1_000_000, status)
    error, _ = await exchange(answer.replace(b"Content-Length: 1000000\r\n", b""), max_body=10_000)
    assert type(error) is TransportError
    gc.collect()  # whatever is still open says so now


@BACKENDS
async def test_a_second_answer_in_the_same_breath_is_given_to_nobody() -> None:
    answer = response(ACK).replace(b"Connection: close\r\n", b"")
    async with server(answer + answer.replace(b"tea-memory", b"sea-memory"), requests=2) as (url, heard):
        channel = HttpChannel("p", url)
        await channel.open()
        for _ in range(2):
            ack = await channel.exchange(HELLO)
            assert isinstance(ack, HandshakeAck) and ack.provider.name == "tea-memory"
        assert len(heard) == 2
        await channel.close()


@BACKENDS
@pytest.mark.parametrize("drip", ["in the head", "in the body"])
async def test_an_answer_that_drips_for_ever_has_an_end(drip: str) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Slow: "
    if drip == "in the body":
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    async with server(head, drips=True) as (url, _):
        connection = Connection("slow", HttpChannel("slow", url), handshake_timeout=0.3)
        with pytest.raises(HandshakeTimeout):
            await connection.open()
        await connection.close()


@BACKENDS
async def test_nothing_follows_a_redirect() -> None:
    async with server(response(ACK)) as (elsewhere, heard):
        error, _ = await exchange(response(b"", "307 Temporary Redirect", f"Location: {elsewhere}"))
        assert isinstance(error, TransportError)
        assert heard == []


@BACKENDS
async def test_a_provider_over_http_needs_consent_on_this_machine_too() -> None:
    async with server(response(ACK)) as (url, heard), Host() as host:
        host.add("p", HttpChannel("p", url))
        [outcome] = await host.query(ContextQuery(goal="secret", max_frames=1, max_tokens=1))
        assert isinstance(outcome, ConsentRequired)
        assert heard and not any(b"secret" in request for request in heard)


@pytest.mark.parametrize(
    "url", ["http://example.org/", "http://127.0.0.1.example.org", "http://10.0.0.1", "http://[2001:db8::1]/"]
)
def test_plain_http_to_another_machine_is_refused_before_there_is_a_connection(url: str) -> None:
    with pytest.raises(PlaintextRefused):
        HttpChannel("p", url)


@pytest.mark.parametrize(
    "url", ["https://u:s3cret@example.org/", "ftp://example.org", "example.org", "http://", "http://[::1"]
)
def test_what_is_no_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_address("p", url)
    assert "s3cret" not in str(refused.value)


def test_loopback_goes_by_the_name_alone() -> None:
    assert all(map(is_loopback, ["localhost", "LocalHost", "127.0.0.1", "127.9.9.9", "::1"]))
    assert not any(map(is_loopback, ["localhost.example", "128.0.0.1", "::2", "0.0.0.0"]))


def test_a_credential_is_in_no_representation() -> None:
    channel = HttpChannel("p", "https://example.org", token=TOKEN)
    assert TOKEN not in repr(channel) and TOKEN not in str(channel)
    with pytest.raises(InvalidInput) as refused:
        HttpChannel("p", "https://example.org", token=TOKEN + "\r\n")
    assert TOKEN not in str(refused.value)


@BACKENDS
@pytest.mark.parametrize(
    "answer",
    [
        response(b'{"type":"error","code":"x:%(t)s","message":"bad token %(t)s"}' % {b"t": TOKEN.encode()}),
        response(b'{"type":"%s"}' % TOKEN.encode()),
        response(b"a" * 500 + TOKEN.encode(), "500 Internal Server Error"),
        response(b"", "307 Temporary Redirect", f"Location: http://elsewhere.example/?{TOKEN}"),
        b"HTTP/1.1 200 OK\r\nX %s\r\n\r\n" % TOKEN.encode(),
        b"HTP %s\r\n\r\n" % TOKEN.encode(),
    ],
)
async def test_a_credential_that_is_sent_back_goes_no_further(answer: bytes) -> None:
    said, _ = await exchange(answer)
    assert TOKEN[:12] not in str(said) and TOKEN[:12] not in repr(said)


@BACKENDS
async def test_a_short_credential_changes_no_answer() -> None:
    async with server(response(ACK)) as (url, _):
        channel = HttpChannel("p", url, token="e")
        await channel.open()
        assert isinstance(await channel.exchange(HELLO), HandshakeAck)
        await channel.close()


def test_a_channel_shows_nothing_that_opens_doors() -> None:
    shown = repr(HttpChannel("p", "https://a.example/b?key=door", token=TOKEN))
    assert shown == "HttpChannel('p', 'https://a.example/b?…')"
    assert repr(HttpChannel("p", "https://a.example/")) == "HttpChannel('p', 'https://a.example/')"
