"""A Neo4j that goes away, and comes back: hosts hear of it soon, and everything acknowledged is there again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from memory_provider.errors import StoreUnavailable
from memory_provider.sync import Memory
from scripts import neo4j_server

from .server import Server
from .waiting import until
from .writers import Writers

SOON = 3.0
"""Seconds within which a host hears that the store is not there."""

pytestmark = [pytest.mark.neo4j, pytest.mark.slow, pytest.mark.alone]


def names(server: Server) -> set[str]:
    """What is found of everything that was written."""
    reply = server.query("thing", "all", kinds=["fact"], max_frames=1000, max_tokens=100_000)
    return {frame["title"].split(" is ")[0] for frame in reply["result"]["frames"]}


def all_unavailable(server: Server, many: int) -> float:
    """Ask many questions at one time; the seconds that the slowest answer took."""

    def ask(number: int) -> float:
        began = time.monotonic()
        reply = server.query("thing", f"{number}")
        took = time.monotonic() - began
        assert (reply["type"], reply["code"], reply["id"]) == ("error", "unavailable", f"{number}")
        return took

    with ThreadPoolExecutor(many) as clients:
        return max(clients.map(ask, range(many)))


@pytest.mark.parametrize("version", neo4j_server.VERSIONS)
def test_a_server_that_is_killed_and_restarted(
    start_neo4j: Callable[..., neo4j_server.Server], scope: str, version: str
) -> None:
    neo4j = start_neo4j(version)
    acknowledged = set()
    with Memory.open(neo4j.uri, scope=scope) as memory, Server(neo4j.uri, scope) as server:
        for number in range(5):
            memory.assert_fact(f"thing {number}", "is", "here")
            acknowledged.add(f"thing {number}")
        until(lambda: server.get("/readyz").status == 200)
        assert names(server) == acknowledged
        for round in range(2):
            neo4j.kill()
            assert all_unavailable(server, 20) < SOON
            assert server.get("/readyz").status == 503
            assert server.get("/healthz").status == 200
            with pytest.raises(StoreUnavailable):
                memory.assert_fact("thing lost", "is", "here")
            neo4j.restart()
            until(lambda: server.query("thing", "again")["type"] == "frames")
            until(lambda: server.get("/readyz").status == 200)
            assert names(server) == acknowledged
            memory.assert_fact(f"thing of round {round}", "is", "here")
            acknowledged.add(f"thing of round {round}")
            assert names(server) == acknowledged
        server.signal()
        assert server.end() == 0


def test_a_server_that_hangs_and_goes_on(start_neo4j: Callable[..., neo4j_server.Server], scope: str) -> None:
    """Its connections stay open, and nobody answers on them."""
    neo4j = start_neo4j()
    if neo4j.docker:
        pytest.skip("its process is inside a container")
    with Memory.open(neo4j.uri, scope=scope) as memory, Server(neo4j.uri, scope) as server:
        memory.assert_fact("thing", "is", "here")
        assert names(server) == {"thing"}
        os.kill(neo4j.pid, signal.SIGSTOP)
        try:
            assert all_unavailable(server, 20) < SOON
            assert server.get("/readyz").status == 503
        finally:
            os.kill(neo4j.pid, signal.SIGCONT)
        until(lambda: server.query("thing", "again")["type"] == "frames")
        assert names(server) == {"thing"}


def test_nothing_that_was_acknowledged_is_lost(
    start_neo4j: Callable[..., neo4j_server.Server], scope: str
) -> None:
    neo4j = start_neo4j()
    with Server(neo4j.uri, scope) as server:
        until(lambda: server.get("/readyz").status == 200)
        writers = Writers(server)
        with writers.writing(4):
            until(lambda: len(writers.accepted) > 8)
            neo4j.kill()
            until(lambda: len(writers.unsure) > 4)
            neo4j.restart()
            before = len(writers.accepted)
            until(lambda: len(writers.accepted) > before + 8)
        assert writers.missing(server) == set()
        writers.repeat()
        assert writers.missing(server) == set()


def test_a_server_that_starts_after_the_provider(
    start_neo4j: Callable[..., neo4j_server.Server], scope: str
) -> None:
    neo4j = start_neo4j()
    neo4j.stop(keep_data=True)
    with Server(neo4j.uri, scope) as server:
        assert all_unavailable(server, 5) < SOON
        neo4j.restart()
        until(lambda: server.get("/readyz").status == 200)  # it was opened, and migrated, without a question
        assert names(server) == set()
        with Memory.open(neo4j.uri, scope=scope) as memory:
            memory.assert_fact("thing", "is", "here")
        assert names(server) == {"thing"}
