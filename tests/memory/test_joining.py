"""An object that joins a set is written without looking at the others, unless the set has become something else."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from memory_provider import Memory
from memory_provider.store.contract import Loaded, Needs, Plan

pytestmark = pytest.mark.anyio

SINCE = "2026-04-01T00:00:00Z"


async def loaded(memory: Memory, *objects: str) -> list[int]:
    """How many versions each plan of a transaction was given, while it asserts what Ann likes."""
    counts: list[int] = []
    write = memory.store.write

    async def counted(scope: str, needs: Needs, plan: Plan) -> None:
        def noted(found: Loaded) -> Any:
            counts.append(len(found.versions))
            return plan(found)

        await write(scope, needs, noted)

    with mock.patch.object(memory.store, "write", counted):
        async with memory.transaction() as tx:
            for each in objects:
                tx.assert_fact("Ann", "likes", each, valid_from=SINCE)
    return counts


async def objects(memory: Memory) -> list[Any]:
    return sorted(each.object for each in await memory.at().facts("Ann", "likes"))


async def test_the_others_are_not_looked_at(memory: Memory) -> None:
    assert await loaded(memory, "tea", "jam") == [0]
    assert await loaded(memory, "milk") == [0]
    assert await loaded(memory, "tea", "rye") == [1]
    assert await objects(memory) == ["jam", "milk", "rye", "tea"]
    (tea,) = await memory.at().facts("Ann", "likes", "tea")
    assert len(tea.sources) == 2


async def test_a_correction_in_the_same_transaction_looks_at_all(memory: Memory) -> None:
    assert await loaded(memory, "tea", "jam") == [0]
    async with memory.transaction() as tx:
        tx.assert_fact("Ann", "likes", "milk", valid_from=SINCE)
        tx.correct_fact("Ann", "likes", "rye", valid_from=SINCE)
    assert await objects(memory) == ["rye"]


async def test_a_predicate_that_has_become_one_in_the_meantime(
    memory: Memory, store_address: str, scope: str
) -> None:
    assert await loaded(memory, "tea") == [0]
    if store_address == "memory:":
        await memory.define_predicate("likes", cardinality="one")
    else:
        async with Memory.open(store_address, scope=scope) as another:
            await another.define_predicate("likes", cardinality="one")
    assert await loaded(memory, "jam") == [0, 1]
    assert await objects(memory) == ["jam"]
