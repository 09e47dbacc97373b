"""A hostile provider behind an address: bytes on a socket, for each kind of request."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import SocketAttribute, SocketStream

from .messages import ACK, GOOD, Mode, result

LEFT = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
Answers = Callable[[SocketStream], Awaitable[None]]


def response(body: bytes, status: str = "200 OK", *headers: str, length: int | None = None) -> bytes:
    """A response that says how long it is, rightly or not."""
    said = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {said}", *headers]
    return "\r\n".join([*lines, "Connection: close"]).encode() + b"\r\n\r\n" + body


def chunked(*chunks: bytes) -> bytes:
    """A response in pieces, written as they are."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(chunks)


def sending(data: bytes) -> Answers:
    """Sends this, and closes."""

    async def send(stream: SocketStream) -> None:
        await stream.send(data)

    return send


async def holds(stream: SocketStream) -> None:
    await anyio.sleep_forever()


async def drips(stream: SocketStream) -> None:
    await stream.send(response(b"", length=999_999))
    while True:
        await stream.send(b" ")
        await anyio.sleep(0.02)


async def drips_its_head(stream: SocketStream) -> None:
    await stream.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await stream.send(b"X: y\r\n")
        await anyio.sleep(0.02)


async def never_ends(stream: SocketStream) -> None:
    await stream.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while True:
        await stream.send(b" " * 65536)


async def never_ends_its_head(stream: SocketStream) -> None:
    await stream.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await stream.send(b"X: " + b"y" * 65536 + b"\r\n")


async def never_ends_its_chunks(stream: SocketStream) -> None:
    await stream.send(chunked())
    while True:
        await stream.send(b"1\r\n \r\n")


HONEST = result(GOOD)
WRONG: dict[str, tuple[Answers, str]] = {
    "closes at once": (sending(b""), "TransportError"),
    "no HTTP": (sending(HONEST + b"\n"), "TransportError"),
    "another protocol": (sending(b"\x15\x03\x01\x00\x02\x02\x28"), "TransportError"),
    "half a head": (sending(b"HTTP/1.1 200 OK\r\nContent-Le"), "TransportError"),
    "half a body": (sending(response(HONEST, length=len(HONEST) + 9)), "TransportError"),
    "a length that cuts the body": (sending(response(HONEST, length=len(HONEST) - 9)), "WireError"),
    "a length below nothing": (sending(response(HONEST, length=-1)), "TransportError"),
    "a length beyond all measure": (sending(response(HONEST, length=10**30)), "TransportError"),
    "two lengths": (sending(response(HONEST, "200 OK", "Content-Length: 3")), "TransportError"),
    "a chunk of no length": (sending(chunked(b"zz\r\n" + HONEST)), "TransportError"),
    "a chunk of a great length": (sending(chunked(b"f" * 40 + b"\r\n" + HONEST)), "TransportError"),
    "the last chunk missing": (
        sending(chunked(b"%x\r\n" % len(HONEST) + HONEST + b"\r\n")),
        "TransportError",
    ),
    "no content": (sending(b"HTTP/1.1 204 No Content\r\n\r\n"), "WireError"),
    "an empty body": (sending(response(b"")), "WireError"),
    "a redirect": (
        sending(response(HONEST, "308 Permanent Redirect", "Location: http://127.0.0.1:9/")),
        "TransportError",
    ),
    "a redirect without an address": (sending(response(b"", "302 Found")), "TransportError"),
    "no credential": (sending(response(b"", "401 Unauthorized")), "Unauthorized"),
    "an answer with another status": (
        sending(response(HONEST, "500 Internal Server Error")),
        "TransportError",
    ),
    "a status nobody knows": (sending(response(HONEST, "999 What")), "TransportError"),
    "a compressed body": (sending(response(HONEST, "200 OK", "Content-Encoding: br")), "TransportError"),
    "a header with a line break": (sending(response(HONEST, "200 OK", "X: a\n\x00b")), "TransportError"),
    "waits": (holds, "AnswerTimeout"),
    "drips a body": (drips, "AnswerTimeout"),
    "drips a head": (drips_its_head, "AnswerTimeout"),
    "never ends its body": (never_ends, "TransportError"),
    "never ends its head": (never_ends_its_head, "TransportError"),
    "never ends its chunks": (never_ends_its_chunks, "AnswerTimeout"),
}
"""What only a server can do with a question, and what it becomes."""

RIGHT: dict[str, bytes] = {
    "a body in pieces": chunked(b"".join(b"1\r\n%c\r\n" % byte for byte in HONEST), b"0\r\n\r\n"),
    "a body without a length": b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + HONEST,
    "another type": response(HONEST).replace(b"application/json", b"text/html"),
    "an answer and more": response(HONEST) + response(b"no"),
    "news first": b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n" + response(HONEST),
}
"""What looks odd and is an answer."""


@asynccontextmanager
async def served(answer: Answers, ack: bytes = response(ACK)) -> AsyncIterator[str]:
    """An address where handshakes are answered by `ack`, and all else like this."""

    async def serve(stream: SocketStream) -> None:
        async with stream:
            try:
                heard = await stream.receive()
                while len(heard.partition(b"\r\n\r\n")[2]) < _length(heard):
                    heard += await stream.receive()
                if b'"type":"handshake"' in heard:
                    await stream.send(ack)
                else:
                    await answer(stream)
            except LEFT:
                return  # the host has gone

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, serve)
        yield f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}/"
        tasks.cancel_scope.cancel()


def saying(mode: Mode) -> tuple[Answers, bytes]:
    """The same as a process says on its lines."""
    return sending(response(mode.said(mode.answer))), response(mode.said(mode.ack))


def _length(heard: bytes) -> int:
    found = re.search(rb"content-length: *([0-9]+)", heard.partition(b"\r\n\r\n")[0], re.IGNORECASE)
    return int(found[1]) if found else 1
