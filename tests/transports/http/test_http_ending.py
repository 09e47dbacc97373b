"""A stop finishes what is in flight, takes nothing new, and is clean."""

from __future__ import annotations

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen

from .server import Server, query, send
from .waiting import for_a_file, until
from .writers import Writers


def refuses(server: Server) -> bool:
    """Whether nobody listens any more."""
    try:
        with server.socket():
            return False
    except ConnectionError:
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("moment", ["before anything", "after a query", "with a connection kept open"])
def test_every_ending_is_clean(kitchen: Kitchen, moment: str, number: int) -> None:
    with Server(kitchen.store, kitchen.scope) as server, server.connection() as line:
        if moment == "after a query":
            assert server.query(GOAL)["result"]["frames"]
        if moment == "with a connection kept open":
            assert send(line, "POST", "/", query(GOAL)).envelope["result"]["frames"]
        server.signal(number)
        assert (server.end(), server.errors()) == (0, "")


def test_what_is_in_flight_is_finished(kitchen: Kitchen, tmp_path: Path) -> None:
    go = tmp_path / "go"
    with (
        Server(kitchen.store, kitchen.scope, program=for_a_file(go)) as server,
        ThreadPoolExecutor(8) as clients,
    ):
        answers = [clients.submit(server.query, GOAL, f"{number}") for number in range(8)]
        until(lambda: server.errors().count("asked") == 8)
        server.signal()
        until(lambda: refuses(server))
        assert not any(each.done() for each in answers)
        go.touch()
        for number, each in enumerate(answers):
            assert each.result()["id"] == f"{number}"
            assert each.result()["result"]["frames"]
        assert server.end() == 0


def test_what_was_acknowledged_is_kept(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'memory.db'}"
    with Server(store, "s") as server:
        writers = Writers(server)
        with writers.writing(4):
            until(lambda: len(writers.accepted) > 20)
            server.signal()
            assert server.end() == 0
    with Server(store, "s") as again:
        assert writers.missing(again) == set()


def test_another_signal_breaks_nothing_off(kitchen: Kitchen, tmp_path: Path) -> None:
    go = tmp_path / "go"
    with (
        Server(kitchen.store, kitchen.scope, program=for_a_file(go)) as server,
        ThreadPoolExecutor(1) as clients,
    ):
        answer = clients.submit(server.query, GOAL)
        until(lambda: "asked" in server.errors())
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGINT):
            server.signal(number)
            until(lambda: refuses(server))
        go.touch()
        assert answer.result()["result"]["frames"]
        assert server.end() == 0
        assert "Traceback" not in server.errors()


def test_a_request_that_is_still_being_sent_is_taken(kitchen: Kitchen) -> None:
    body = json.dumps(query(GOAL, "late")).encode()
    with Server(kitchen.store, kitchen.scope) as server, server.socket() as line:
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n"
        line.sendall(head % len(body))
        assert line.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"  # it is being read
        server.signal()
        until(lambda: refuses(server))
        line.sendall(body)
        answer = b""
        while chunk := line.recv(65_536):
            answer += chunk
        assert answer.startswith(b"HTTP/1.1 200")
        assert b'"id":"late"' in answer
        assert server.end() == 0


def test_a_question_that_does_not_end_does_not_hold_it(kitchen: Kitchen, tmp_path: Path) -> None:
    """It is told that there is no answer when its time is over, and the server ends."""
    limits = ("--request-seconds", "1", "--slow-seconds", "1")
    program = for_a_file(tmp_path / "never")
    with Server(kitchen.store, kitchen.scope, *limits, program=program) as server:
        with ThreadPoolExecutor(1) as client:
            answer = client.submit(server.query, GOAL, "a")
            until(lambda: "asked" in server.errors())
            server.signal()
            assert answer.result()["code"] == "unavailable"
        assert server.end() == 0


def test_nothing_is_left_of_it_when_it_is_killed(kitchen: Kitchen) -> None:
    with Server(kitchen.store, kitchen.scope) as server:
        port = server.address[1]
        server.process.kill()
        server.process.wait()
    with Server(kitchen.store, kitchen.scope, "--port", f"{port}") as again:  # at once, on the same port
        assert again.query(GOAL)["result"]["frames"]
