"""A store that nobody tampered with has no finding, and is not changed by looking."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_provider import Memory
from memory_provider.doctor import examine
from memory_provider.errors import Ambiguous, InvalidWindow, NotFound
from memory_provider.store.opening import store_at
from tests.archive.answering import rows
from tests.archive.rich_histories import write_rich
from tests.support.histories import Writer, random_history


@pytest.mark.parametrize("seed", [20, 21])
async def test_a_rich_history(store_address: str, scope: str, seed: int) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await write_rich(memory, seed, 50)
        assert await examine(memory.store, scope, sample=10, seed=seed) == []


@pytest.mark.parametrize("seed", range(8))
async def test_long_histories_of_few_keys(seed: int) -> None:
    """Many versions of one key, corrections, and erases of some of its claims."""
    async with Memory.open("memory:", scope="few") as memory:
        writer = Writer(memory)
        await writer.begin()
        for step in random_history(seed, 60):
            try:
                await writer.take(step)
            except (Ambiguous, InvalidWindow, NotFound):
                continue
        assert await examine(memory.store, sample=5, seed=seed) == []


async def test_what_is_left_of_a_fact_said_under_two_labels(store_address: str, scope: str) -> None:
    """An erase leaves versions that are found by the words they say."""
    async with Memory.open(store_address, scope=scope) as memory:
        await memory.define_predicate("city", object="text", label="lives in")
        episode = (await memory.add_episode("I moved.")).episode_id
        await memory.assert_fact("Ann", "city", "Lyon", valid_from="2026-01-01T00:00:00Z", by="user")
        await memory.define_predicate("city", object="text", label="resides in")
        await memory.assert_fact(
            "Ann",
            "city",
            "Lyon",
            valid_from="2025-12-01T00:00:00Z",
            valid_to="2026-02-01T00:00:00Z",
            episode=episode,
        )
        await memory.erase(episode=episode, reason="asked to")
        assert await examine(memory.store, scope) == []


async def test_an_empty_store_and_a_scope_that_is_not_there(store_address: str, scope: str) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        with pytest.raises(NotFound, match=scope):
            await examine(memory.store, scope)
        await memory.define_predicate("colour")
        assert await examine(memory.store, scope) == []


async def test_pending_migrations(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    store = store_at(f"sqlite:///{path}")
    findings = await examine(store)
    await store.close()
    assert {each.check for each in findings} == {"pending migration"}
    assert os.listdir(tmp_path) == []


async def test_all_scopes_and_one(tmp_path: Path) -> None:
    async with Memory.open(f"sqlite:///{tmp_path / 'm.db'}", scope="one") as memory:
        await write_rich(memory, 22, 15)
        await write_rich(Memory(memory.store, "two"), 23, 15)
        assert await examine(memory.store, sample=5) == []
        assert await examine(memory.store, "two", sample=0) == []


async def test_it_only_reads(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with Memory.open(f"sqlite:///{path}", scope="read") as memory:
        await write_rich(memory, 24, 20)
        expected = await rows(memory)
        await memory.store.erase_scope("nothing")
    before = path.read_bytes()
    store = store_at(f"sqlite:///{path}")
    assert await examine(store, sample=10) == []
    await store.close()
    assert path.read_bytes() == before
    async with Memory.open(f"sqlite:///{path}", scope="read") as memory:
        assert await rows(memory) == expected
