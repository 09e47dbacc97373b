"""A server that goes away: told soon, and used again when it is back."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest

from memory_provider.store.conformance.rows import LATEST, fact, put, second, text
from memory_provider.store.contract import Pattern, Slice
from memory_provider.store.errors import StoreUnavailable
from memory_provider.store.opening import store_at
from scripts.neo4j_server import VERSIONS

pytestmark = pytest.mark.alone


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_a_server_that_says_nothing(scheme: str) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        started = time.monotonic()
        with pytest.raises(StoreUnavailable):
            await store_at(f"{scheme}://127.0.0.1:{silent.getsockname()[1]}").open()
        assert time.monotonic() - started < 10


@pytest.mark.neo4j
@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
async def test_a_killed_server_and_its_return(start_neo4j, version: str, scope: str) -> None:
    server = start_neo4j(version)
    store = store_at(server.uri)
    await store.open()
    for number in range(1, 4):
        await put(store, scope, second(number), fact(f"thing {number}", "is", text("here"), second(number)))
    await asyncio.gather(*(store.facts(scope, LATEST, Pattern(), Slice(9)) for _ in range(10)))

    server.kill()
    for call in (
        lambda: store.facts(scope, LATEST, Pattern(), Slice(9)),
        lambda: put(store, scope, second(9), fact("thing", "is", text("lost"), second(9))),
        lambda: store.scopes(),
    ):
        started = time.monotonic()
        with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1"):
            await call()
        assert time.monotonic() - started < 10  # bounded; about two seconds on an idle machine

    server.restart()
    found = (await store.facts(scope, LATEST, Pattern(), Slice(9))).found
    assert [each.version.subject for each in found] == ["thing 1", "thing 2", "thing 3"]
    await put(store, scope, second(9), fact("thing 9", "is", text("here"), second(9)))
    assert list(await store.inspect(None)) == []
    await store.close()
