"""Damaged messages over HTTP: the server lives, every answer is a message, the next question is answered."""

from __future__ import annotations

import contextlib
import json
import random
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen
from tests.transports.fuzzing import MUTANTS, ROUND, assert_answer, damaged, mutants

from .server import PATIENCE, Server, query

CONNECTIONS = 4


def exchange(line: socket.socket, bodies: list[bytes]) -> list[tuple[int, bytes]]:
    """Status and body of each answer. All are sent ahead, as no client would: that is what makes 50,000 quick."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    with ThreadPoolExecutor(1) as sender:
        sent = sender.submit(line.sendall, b"".join(head % len(body) + body for body in bodies))
        with line.makefile("rb") as answers:
            found = []
            for _ in bodies:
                status, size = int(answers.readline().split()[1]), 0
                while (header := answers.readline().rstrip()) != b"":
                    name, _, value = header.lower().partition(b":")
                    size = int(value) if name == b"content-length" else size
                found.append((status, answers.read(size)))
        sent.result(PATIENCE)
    return found


@pytest.mark.slow
def test_the_server_lives(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope) as server:

        def run(seed: int) -> int:
            bodies = list(mutants(seed, kitchen.kettle))
            with server.socket() as line:
                answers = exchange(line, bodies)
            for number, (status, body) in enumerate(answers):
                assert status in (200, 204), (bodies[number], status, body)
                if status == 200:
                    assert_answer(body, thoroughly=number % 50 == 0)
                else:
                    assert body == b""
            after = server.query(GOAL, f"after {seed}")
            assert after["id"] == f"after {seed}"
            assert after["result"]["frames"]
            return len(answers)

        with ThreadPoolExecutor(CONNECTIONS) as clients:
            assert sum(clients.map(run, range(MUTANTS // ROUND))) == MUTANTS
        server.signal()
        assert server.end() == 0
        assert server.errors() == ""


@pytest.mark.slow
def test_it_lives_through_damaged_requests_too(kitchen: Kitchen) -> None:
    """Heads as well as bodies, each on a connection of its own that then ends."""
    body = json.dumps(query(GOAL, "a")).encode()
    whole = (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    )
    chunked = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
    requests = [
        whole,
        chunked % (len(body), body),
        whole * 2,
        b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]
    with Server(kitchen.store, kitchen.scope) as server:

        def run(seed: int) -> None:
            chance = random.Random(seed)
            for _ in range(100):
                request, data = damaged(chance.choice(requests), chance), b""
                with server.socket() as line, contextlib.suppress(ConnectionError):
                    line.sendall(request)
                    line.shutdown(socket.SHUT_WR)
                    while chunk := line.recv(65_536):
                        data += chunk
                assert data == b"" or data.startswith(b"HTTP/1.1 ")
                assert not data.startswith(b"HTTP/1.1 5"), (request, server.errors())
                assert b"Traceback" not in data
            assert server.query(GOAL)["result"]["frames"]

        with ThreadPoolExecutor(CONNECTIONS) as clients:
            list(clients.map(run, range(30)))
        server.signal()
        assert server.end() == 0
        assert server.errors() == ""
