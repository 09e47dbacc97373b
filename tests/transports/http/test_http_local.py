"""Without tokens only what runs on this machine is answered, and no web page that a browser shows here."""

from __future__ import annotations

import pytest

from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen

from .server import Server, query


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost"},
        {"Host": "LOCALHOST:1234"},
        {"Host": "127.1.2.3:8080"},
        {"Host": "[::1]:8080"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1"},
    ],
)
def test_a_request_of_this_machine(server: Server, headers: dict[str, str]) -> None:
    assert server.post(query(GOAL), **headers).envelope["result"]["frames"]


@pytest.mark.parametrize("path", ["/", "/metrics"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example"},
        {"Host": "127.0.0.1.rebound.example:80"},
        {"Host": ""},
        {"Host": "rebound.example@localhost"},
        {"Host": "localhost/rebound.example"},
        {"Host": "[[::1"},
        {"Host": "[localhost]"},
        {"Origin": "http://[localhost"},
        {"Origin": "https://page.example"},
        {"Origin": "null"},
    ],
)
def test_a_page_in_a_browser(server: Server, path: str, headers: dict[str, str]) -> None:
    answer = server.post(query(GOAL), **headers) if path == "/" else server.get(path, **headers)
    assert answer.status == 403
    assert b"this machine" in answer.body
    assert GOAL.encode() not in answer.body


def test_every_origin_counts(server: Server) -> None:
    with server.socket() as line:
        line.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            b"Origin: https://page.example\r\nContent-Length: 0\r\n\r\n"
        )
        assert line.recv(65_536).startswith(b"HTTP/1.1 403")


def test_anybody_is_answered_where_that_was_said(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope, "--host", "0.0.0.0", "--insecure-no-auth") as server:
        port = server.address[1]
        server.url = f"http://127.0.0.1:{port}/"
        answer = server.post(query(GOAL), Host="memory.example")
        assert answer.envelope["result"]["frames"]
