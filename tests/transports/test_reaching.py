"""A store that is not there is noticed beside the work that waits for it; one that is slow is waited for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from memory_provider.errors import StoreUnavailable
from memory_provider.transports import reaching
from memory_provider.transports.reaching import Reach

from .host import Host
from .http.server import Server

pytestmark = pytest.mark.alone


class Store:
    """Answers when it is there, after a while."""

    def __init__(self, there: bool = True) -> None:
        self.there = there
        self.asked = 0
        self.asked_often = anyio.Event()
        self.store = self

    async def layout(self) -> Any:
        self.asked += 1
        if self.asked == 3:
            self.asked_often.set()
        if not self.there:
            await anyio.sleep_forever()
        return type("Layout", (), {"pending": ()})


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "SILENCE", 0.02)
    monkeypatch.setattr(reaching, "PATIENCE", 0.05)


def reach_of(store: Store, *, remote: bool = True) -> Reach:
    return Reach(lambda: store, remote=remote)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_work_on_a_store_that_is_not_there_is_given_up(anyio_backend: str) -> None:
    store = Store(there=False)
    reach = reach_of(store)
    outcomes: list[str] = []

    async def wait() -> None:
        with pytest.raises(StoreUnavailable):
            await reach.within(anyio.sleep_forever)
        outcomes.append("given up")

    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(wait)
    assert len(outcomes) == 20
    assert store.asked == 1  # for all of them


async def test_work_on_a_store_that_is_slow_is_waited_for() -> None:
    store = Store()

    async def slow() -> str:
        await store.asked_often.wait()
        return "found"

    assert await reach_of(store).within(slow) == "found"


async def test_a_store_that_others_hear_of_is_not_asked() -> None:
    store = Store(there=False)
    reach = reach_of(store)

    async def slow() -> str:
        for _ in range(10):
            await anyio.sleep(0.01)
            reach.heard()
        return "found"

    assert await reach.within(slow) == "found"
    assert store.asked == 0


async def test_a_store_of_this_process_is_waited_for() -> None:
    store = Store(there=False)

    async def slow() -> str:
        await anyio.sleep(0.2)
        return "found"

    assert await reach_of(store, remote=False).within(slow) == "found"
    assert store.asked == 0


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that accepts and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        yield f"bolt://127.0.0.1:{listening.getsockname()[1]}"


def test_stdio_tells_of_a_silent_server(silent: str) -> None:
    with Host(silent, "s") as host:
        for id in ("a", "b"):
            reply = host.query("anything", id=id)
            assert (reply["code"], reply["id"]) == ("unavailable", id)
        host.send({"type": "shutdown"})
        assert host.end()[::2] == (0, [])


def test_http_tells_of_a_silent_server(silent: str) -> None:
    with Server(silent, "s") as server:
        assert server.get("/readyz").status == 503
        for id in ("a", "b"):
            reply = server.query("anything", id)
            assert (reply["code"], reply["id"]) == ("unavailable", id)
        server.signal()
        assert server.end() == 0
