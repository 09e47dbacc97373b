"""Memories of several scopes over one connection."""

from __future__ import annotations

import pytest

from memory_provider import Memory
from memory_provider.errors import InvalidName
from memory_provider.sync import Memory as SyncMemory

pytestmark = pytest.mark.anyio


async def test_nothing_crosses(memory: Memory) -> None:
    other = memory.scoped(f"{memory.scope}/other")
    await memory.assert_fact("Alice", "likes", "tea")
    await other.assert_fact("Bob", "likes", "coffee")
    assert [fact.subject for fact in await memory.at().facts()] == ["Alice"]
    assert [fact.subject for fact in await other.at().facts()] == ["Bob"]
    assert other.store is memory.store


async def test_the_connection_is_its_owners_to_close(memory: Memory) -> None:
    await memory.assert_fact("Alice", "likes", "tea")
    async with memory.scoped(memory.scope) as again:
        assert len(await again.at().facts()) == 1
    assert len(await memory.at().facts()) == 1  # of a store in memory nothing would be left


async def test_a_name_is_looked_at(memory: Memory) -> None:
    with pytest.raises(InvalidName):
        memory.scoped("")


def test_without_await(scope: str) -> None:
    with SyncMemory.open("memory:", scope=scope) as memory:
        with memory.scoped(f"{scope}/other") as other:
            other.assert_fact("Bob", "likes", "coffee")
        assert memory.at().facts() == []
        assert [fact.subject for fact in memory.scoped(other.scope).at().facts()] == ["Bob"]
