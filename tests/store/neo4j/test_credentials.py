"""Credentials: where they are found, and that they are never shown."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from memory_provider.store.addresses import Neo4jAddress, parse_address
from memory_provider.store.errors import StoreError
from memory_provider.store.neo4j.credentials import credentials
from memory_provider.store.opening import store_at

SECRET = "s3kret-pass-word"


def address(url: str) -> Neo4jAddress:
    found = parse_address(url)
    assert isinstance(found, Neo4jAddress)
    return found


def test_the_url_wins_over_the_environment_and_that_over_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "password"
    kept.write_text("from a file\n")
    everywhere = {
        "NEO4J_USERNAME": "environment",
        "NEO4J_PASSWORD": "from the environment",
        "NEO4J_PASSWORD_FILE": str(kept),
    }
    assert credentials(address("bolt://me:mine@h"), everywhere) == ("me", "mine")
    assert credentials(address("bolt://h"), everywhere) == ("environment", "from the environment")
    ours = {"MEMORY_NEO4J_USERNAME": "us", "MEMORY_NEO4J_PASSWORD": "ours", **everywhere}
    assert credentials(address("bolt://h"), ours) == ("us", "ours")
    assert credentials(address("bolt://h"), {"NEO4J_PASSWORD_FILE": str(kept)}) == ("neo4j", "from a file")
    assert credentials(address("bolt://h"), {}) is None


def test_a_missing_password_file_is_named() -> None:
    with pytest.raises(StoreError, match="/nowhere/password"):
        credentials(address("bolt://h"), {"NEO4J_PASSWORD_FILE": "/nowhere/password"})


async def test_nothing_shows_the_password_of_a_server_that_is_not_there(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    store = store_at(f"bolt://neo4j:{SECRET}@127.0.0.1:1")
    with pytest.raises(StoreError) as failure:
        await store.open()
    shown = [str(failure.value), repr(failure.value), repr(store), store.address, caplog.text]
    assert not any(SECRET in each for each in shown)
    assert "\n" not in str(failure.value)


@pytest.mark.neo4j
@pytest.mark.slow
async def test_wrong_credentials_are_refused_and_right_ones_work(
    start_neo4j, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    server = start_neo4j(password=SECRET)
    for name in ("NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_PASSWORD_FILE"):
        monkeypatch.delenv(name, raising=False)
    bolt = server.uri.removeprefix("bolt://")
    for url in (server.uri, f"bolt://neo4j:wrong-{SECRET[:4]}@{bolt}"):
        with pytest.raises(StoreError, match="NEO4J_PASSWORD") as failure:
            await store_at(url).open()
        assert "wrong-" not in str(failure.value)
    kept = tmp_path / "password"
    kept.write_text(SECRET + "\n")
    monkeypatch.setenv("NEO4J_PASSWORD_FILE", str(kept))
    for url in (server.uri, f"bolt://neo4j:{SECRET}@{bolt}", f"neo4j://neo4j:{SECRET}@{bolt}?database=neo4j"):
        store = store_at(url)
        await store.open()
        assert (await store.layout()).pending == ()
        assert SECRET not in repr(store) + store.address
        await store.close()
    assert SECRET not in caplog.text


@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_trio_is_refused_with_the_way_out(anyio_backend: str) -> None:
    with pytest.raises(StoreError, match=r"asyncio only.*SQLite"):
        await store_at("bolt://127.0.0.1:1").open()
