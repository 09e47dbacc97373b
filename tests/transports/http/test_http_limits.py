"""What a peer may not do, and that nobody else is slowed by one who tries."""

from __future__ import annotations

import contextlib
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.datastructures import Headers
from starlette.types import Receive

from memory_provider.protocol import MAX_BYTES
from memory_provider.transports.http.bodies import Bodies, Unreadable
from memory_provider.transports.http.limits import Limits
from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen

from .server import Answer, Server, query, send
from .waiting import for_a_file, stuck, until

pytestmark = pytest.mark.alone

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


def padded(size: int) -> bytes:
    """A query of exactly so many bytes."""
    shell = json.dumps(query(GOAL, "padded") | {"junk": ""}).encode()
    return shell.replace(b'"junk": ""', b'"junk": "' + b"k" * (size - len(shell)) + b'"')


def everything(line: socket.socket) -> bytes:
    """What a connection brings until its end, however it ends."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while chunk := line.recv(1_000_000):
            data += chunk
    return data


def metric(server: Server, name: str, **labels: str) -> float:
    """A figure of /metrics; 0 where it has not been counted yet."""
    for family in text_string_to_metric_families(server.get("/metrics").body.decode()):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return sample.value
    return 0


# --- size -------------------------------------------------------------------------------------------------------


def test_a_message_of_exactly_the_limit_is_read(server: Server) -> None:
    assert server.ask(padded(MAX_BYTES))["id"] == "padded"


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("size", [MAX_BYTES + 1, 2 * MAX_BYTES])
def test_a_longer_one_is_refused_by_the_binding(server: Server, size: int, chunked: bool) -> None:
    before = metric(server, "memory_provider_refused_total", why="large")
    body = padded(size)
    with server.connection() as line:
        parts = (body[at : at + 65_536] for at in range(0, size, 65_536))
        line.request("POST", "/", parts if chunked else body, encode_chunked=chunked)
        response = line.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
    assert (answer.envelope["type"], answer.envelope["code"]) == ("error", "bad_request")
    assert answer.headers["connection"] == "close"
    assert metric(server, "memory_provider_refused_total", why="large") == before + 1
    assert server.query(GOAL)["result"]["frames"]


def test_a_body_that_never_ends_is_not_read_to_its_end(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope, "--max-body", "1000") as server, server.socket() as line:
        line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            for _ in range(100_000):
                line.sendall(b"3e8\r\n" + b"k" * 1000 + b"\r\n")
            raise AssertionError("100 MB were taken")
        assert server.query(GOAL)["result"]["frames"]


def test_a_body_announced_as_far_too_long_is_refused_at_once(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope, "--max-body", "1000") as server:
        for announced in (b"1001\r\nExpect: 100-continue", b"4001", b"18446744073709551616"):
            with server.socket() as line:
                line.sendall(HEAD + b"Content-Length: " + announced + b"\r\n\r\n")
                answer = everything(line)
            assert answer.startswith(b"HTTP/1.1 200"), answer
            assert b'"code":"bad_request"' in answer
        assert server.query(GOAL)["result"]["frames"]


async def test_all_bodies_together_are_bounded() -> None:
    bodies = Bodies(Limits(body=1000, bodies=2500))
    ends = anyio.Event()

    def sender() -> Receive:
        events = iter([b"k" * 999, b"k"])

        async def receive() -> dict[str, Any]:
            part = next(events)
            if part == b"k":
                await ends.wait()
            return {"type": "http.request", "body": part, "more_body": part != b"k"}

        return receive

    found: list[int | str] = []

    async def read() -> None:
        try:
            found.append(len(await bodies.read(Headers(), sender())))
        except Unreadable as problem:
            found.append(problem.why)

    for _ in range(2):  # what was received no longer counts
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(read)
            await anyio.wait_all_tasks_blocked()
            assert found == ["busy", "busy"]
            ends.set()
        assert found == ["busy", "busy", 1000, 1000]
        found.clear()
        ends = anyio.Event()


# --- slow peers -------------------------------------------------------------------------------------------------


def test_a_head_that_does_not_come_ends_the_connection(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope, "--slow-seconds", "0.3") as server:
        for part in (b"", b"POST / HT", HEAD):
            with server.socket() as line:
                line.sendall(part)
                assert everything(line) == b""
        with server.connection() as kept:  # also that of a later request
            assert send(kept, "POST", "/", query(GOAL)).envelope["result"]["frames"]
            kept.sock.sendall(b"POST")
            assert everything(kept.sock) == b""


def test_a_body_that_does_not_come_is_told_so(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope, "--slow-seconds", "0.3") as server:
        with server.socket() as line:
            line.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
            answer = everything(line)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"did not arrive within 0.3 seconds" in answer
        assert metric(server, "memory_provider_refused_total", why="slow") == 1


def test_an_answer_that_is_not_taken_ends_the_connection(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope, "--slow-seconds", "0.3") as server:
        assert server.query(GOAL)
        until(lambda: server.get("/readyz").status == 200)  # now all that stays open is open
        open_now = metric(server, "process_open_fds")
        with server.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            body = json.dumps(query("xylophone", "x" * (MAX_BYTES - 1000))).encode()
            line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            until(lambda: metric(server, "memory_provider_answers_total", answer="frames", code="") == 2)
            until(lambda: metric(server, "process_open_fds") <= open_now)


def test_nobody_is_slowed_by_those_who_do_not_send_or_read(kitchen: Kitchen) -> None:
    """More of them than requests are answered at one time; they take none of those places."""
    with Server(kitchen.store, kitchen.scope, "--at-once", "2") as server, contextlib.ExitStack() as lines:
        for part in [b"", b"POST / HT", HEAD, HEAD + b"Content-Length: 100\r\n\r\n{"] * 5:
            lines.enter_context(server.socket()).sendall(part)
        body = json.dumps(query("xylophone", "x" * 8_000_000)).encode()
        for _ in range(5):
            line = lines.enter_context(server.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        until(lambda: metric(server, "memory_provider_answers_total", answer="frames", code="") == 5)
        for number in range(20):
            assert server.query(GOAL, f"{number}")["result"]["frames"]


# --- how many, how long -----------------------------------------------------------------------------------------


def test_so_many_are_answered_at_one_time_and_the_others_in_their_turn(
    kitchen: Kitchen, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    with (
        Server(kitchen.store, kitchen.scope, "--at-once", "2", program=for_a_file(go)) as server,
        ThreadPoolExecutor(6) as clients,
    ):
        answers = [clients.submit(server.query, GOAL, f"{number}") for number in range(6)]
        until(lambda: metric(server, "memory_provider_requests_in_hand") == 6)
        assert server.errors().count("asked") == 2
        go.touch()
        assert [each.result()["id"] for each in answers] == [f"{number}" for number in range(6)]
        at_once = most = 0
        for line in server.errors().splitlines():
            at_once += 1 if line.startswith("asked") else -1
            most = max(most, at_once)
    assert most == 2


@pytest.mark.parametrize(
    "wait",
    [
        "import anyio; await anyio.sleep(600)",
        "import anyio; await anyio.to_thread.run_sync(time.sleep, 3)",
    ],
    ids=["for an event", "in a thread"],
)
def test_a_question_that_takes_too_long_is_answered_unavailable(kitchen: Kitchen, wait: str) -> None:
    limits = ("--request-seconds", "0.3", "--at-once", "1")
    with Server(kitchen.store, kitchen.scope, *limits, program=stuck(wait)) as server:
        answer = server.query("stuck", "a")
        assert (answer["code"], answer["id"]) == ("unavailable", "a")
        # Its place is free again when it has really ended.
        until(lambda: server.query(GOAL, "b")["type"] == "frames")
        server.signal()
        assert server.end() == 0


def test_so_many_connections_are_answered(kitchen: Kitchen) -> None:
    with (
        Server(kitchen.store, kitchen.scope, "--connections", "4") as server,
        contextlib.ExitStack() as lines,
    ):
        for _ in range(3):
            lines.enter_context(server.socket()).sendall(b"POST")
        until(lambda: server.get("/healthz").status == 503)
        lines.close()
        until(lambda: server.get("/healthz").status == 200)
        assert server.query(GOAL)["result"]["frames"]
