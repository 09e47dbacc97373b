"""The protocol's binding to HTTP, to the letter: statuses, methods, framing."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Any

import pytest

from tests.provider.kettle import GOAL
from tests.provider.wire import assert_valid

from .server import Server, query, send

HANDSHAKE = {"type": "handshake", "protocol_version": "contextgraph/1.0"}


def received(data: bytes) -> list[tuple[int, bytes]]:
    """Status and body of each response in what a connection brought."""
    found = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        size = int(
            next((x.split(b":")[1] for x in head.lower().split(b"\r\n") if b"content-length" in x), b"0")
        )
        found.append((int(head.split()[1]), rest[:size]))
        data = rest[size:]
    return found


def test_T4_it_keeps_serving_after_a_shutdown(server: Server) -> None:
    with server.connection() as line:
        for _ in range(3):
            assert send(line, "POST", "/", HANDSHAKE).envelope["type"] == "handshake_ack"
            answer = send(line, "POST", "/", {"type": "shutdown"})
            assert (answer.status, answer.body) == (204, b"")
            assert "content-length" not in answer.headers
            assert send(line, "POST", "/", query(GOAL)).envelope["result"]["frames"]


def test_errors_have_status_200(server: Server) -> None:
    for message, code in (
        (b"", "bad_request"),
        (b"not json", "bad_request"),
        (b'{"type":"query","id":"a"}', "bad_request"),
        ({"type": "handshake", "protocol_version": "other/1.0"}, "incompatible_version"),
        (query(GOAL, embedding=[1.0]), "bad_request"),
    ):
        assert server.ask(message)["code"] == code


def test_an_answer_that_nobody_waits_for_has_status_204(server: Server) -> None:
    for message in ({"type": "error", "message": "m"}, {"type": "something new"}):
        answer = server.post(message)
        assert (answer.status, answer.body) == (204, b"")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_a_post_carries_a_message(server: Server, method: str) -> None:
    answer = server.get("/", method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "path",
    ["//", "/x", "/x/", "/healthz/", "/readyz/", "/metrics/", "/%2e", "/..", "/index.html", "/?", "/?a=b"],
)
def test_nothing_is_redirected(server: Server, method: str, path: str) -> None:
    answer = server.get(path, method)
    assert answer.status in ((200, 405) if path.startswith("/?") else (404,))
    assert "location" not in answer.headers


def test_the_content_type_is_not_looked_at(server: Server) -> None:
    for content_type in ("application/json", "application/json; charset=utf-8", "text/plain", "nonsense"):
        answer = server.post(HANDSHAKE, **{"content-type": content_type})
        assert answer.envelope["type"] == "handshake_ack"
    with server.socket() as line:
        body = json.dumps(HANDSHAKE).encode()
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")


def test_no_session_and_no_cookie(server: Server) -> None:
    answer = server.post(HANDSHAKE)
    assert set(answer.headers) == {"date", "content-length", "content-type"}


@pytest.mark.parametrize(
    "rest", [b"", b"POST / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"]
)
@pytest.mark.parametrize("requests", [1, 3])
def test_who_says_that_nothing_more_comes_is_answered(server: Server, requests: int, rest: bytes) -> None:
    """As `nc -N` does: the half of the connection that brought the requests ends before the answers are there."""
    body = json.dumps(query(GOAL)).encode()
    request = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    with server.socket() as line:
        line.sendall(request * requests + rest)
        line.shutdown(socket.SHUT_WR)
        assert everything(line).count(b'"type":"frames"') == requests


@pytest.mark.parametrize(
    "sent", [b"", b"POST / HT", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"]
)
def test_who_ends_within_a_request_is_let_go(server: Server, sent: bytes) -> None:
    with server.socket() as line:
        line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        assert everything(line) == b""


def everything(line: socket.socket) -> bytes:
    """What comes until the connection ends."""
    return b"".join(iter(lambda: line.recv(65_536), b""))


def test_a_body_may_come_in_chunks(server: Server) -> None:
    body = json.dumps(query(GOAL, "a")).encode()
    with server.connection() as line:
        for _ in range(2):
            line.request("POST", "/", iter(bytes([byte]) for byte in body), encode_chunked=True)
            response = line.getresponse()
            assert assert_valid(json.loads(response.read()))["id"] == "a"


def test_a_peer_may_wait_for_a_sign_to_send_the_body(server: Server) -> None:
    body = json.dumps(query(GOAL, "a")).encode()
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
    with server.socket() as line:
        line.sendall(head % len(body))
        assert line.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(body)
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")


def test_requests_sent_ahead_are_answered_in_order(server: Server) -> None:
    messages = [query(GOAL, f"{n}") for n in range(20)]
    data = b""
    with server.socket() as line:
        for message in [*messages, HANDSHAKE]:
            body = json.dumps(message).encode()
            close = b"Connection: close\r\n" if message is HANDSHAKE else b""
            head = b"POST / HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n" % (close, len(body))
            line.sendall(head + body)
        while chunk := line.recv(65_536):
            data += chunk
    answers: list[dict[str, Any]] = [json.loads(body) for _, body in received(data)]
    assert [answer.get("id") for answer in answers] == [*(f"{n}" for n in range(20)), None]


@pytest.mark.parametrize(
    "head",
    [
        b"nonsense\r\n\r\n",
        b"POST / HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 6000 + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"POST / HTTP/1.1\r\nHost: page.example\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a TLS client's hello
        b"\x00" * 100 + b"\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_the_next_is_answered(server: Server, head: bytes) -> None:
    with server.socket() as line:
        line.sendall(head)
        answer = line.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 4")
    assert b"Traceback" not in answer
    assert server.query(GOAL)["result"]["frames"]


def test_a_body_that_is_no_http_after_its_answer(server: Server) -> None:
    with server.socket() as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: page.example\r\nTransfer-Encoding: chunked\r\n\r\n")
        answer = line.recv(65_536)
        line.sendall(b"xyz\r\n")
        with contextlib.suppress(ConnectionError):
            while more := line.recv(65_536):
                answer += more
        assert answer.startswith(b"HTTP/1.1 403")
        assert answer.count(b"HTTP/1.1") == 1
    assert server.query(GOAL)["result"]["frames"]
    assert server.errors() == ""


def test_a_peer_that_leaves_in_the_middle_is_forgotten(server: Server) -> None:
    for part in (b"", b"POST", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"):
        with server.socket() as line:
            line.sendall(part)
    assert server.query(GOAL)["result"]["frames"]
    assert server.errors() == ""
