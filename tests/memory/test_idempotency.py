"""The same key again: the first receipt, or a refusal, or `erased`; never a second write."""

import pytest

from memory_provider import Memory
from memory_provider.memory.errors import IdempotencyConflict

pytestmark = pytest.mark.anyio


async def test_a_message_ingested_twice_is_one_episode(memory: Memory) -> None:
    first = await memory.add_episode("hello", idempotency_key="msg-17")
    again = await memory.add_episode("hello", idempotency_key="msg-17")
    assert again.duplicate and not first.duplicate
    assert (again.episode_id, again.recorded_at) == (first.episode_id, first.recorded_at)
    changes = await memory.changes()
    assert [change.kind for change in changes] == ["episode"]


async def test_the_same_key_with_other_arguments_is_refused_whole(memory: Memory) -> None:
    await memory.assert_fact("Alice", "city", "Lyon", idempotency_key="k")
    with pytest.raises(IdempotencyConflict):
        async with memory.transaction() as tx:
            tx.assert_fact("Bob", "city", "Rome")
            tx.assert_fact("Alice", "city", "Paris", idempotency_key="k")
    assert len(await memory.history()) == 1


async def test_arguments_are_compared_as_given_before_any_default(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "city", "Lyon", idempotency_key="k")
    again = await memory.assert_fact("Alice", "city", "Lyon", idempotency_key="k")
    assert again.duplicate and again.fact_ids == first.fact_ids
    with pytest.raises(IdempotencyConflict):
        await memory.assert_fact("Alice", "city", "Lyon", valid_from=first.recorded_at, idempotency_key="k")


async def test_a_duplicate_comes_before_any_clock_rule(memory: Memory) -> None:
    at = "2025-01-01T00:00:00Z"
    await memory.assert_fact("Alice", "city", "Lyon", recorded_at=at, idempotency_key="k")
    await memory.assert_fact("Alice", "city", "Rome", recorded_at="2025-02-01T00:00:00Z")
    assert (await memory.assert_fact("Alice", "city", "Lyon", recorded_at=at, idempotency_key="k")).duplicate


async def test_a_repeated_transaction_cites_its_first_episode(memory: Memory) -> None:
    ids = []
    for _ in range(2):
        async with memory.transaction() as tx:
            episode = tx.add_episode("we moved", idempotency_key="e")
            tx.assert_fact("Alice", "city", "Lyon", episode=episode, idempotency_key="f")
        ids.append((tx.receipt.episode_id, tx.receipt.fact_ids))
    assert tx.receipt.duplicate and ids[0] == ids[1]


async def test_a_key_kept_only_on_the_episode_still_links_the_fact(memory: Memory) -> None:
    for city in ("Lyon", "Rome"):
        async with memory.transaction() as tx:
            episode = tx.add_episode("we moved", idempotency_key="e")
            tx.assert_fact("Alice", "city", city, episode=episode)
    facts = await memory.at().facts("Alice")
    assert len({fact.sources[0].episode_id for fact in facts}) == 1
    assert not tx.receipt.duplicate


async def test_after_an_erase_the_key_answers_erased(memory: Memory) -> None:
    episode = await memory.add_episode("secret", idempotency_key="e")
    await memory.assert_fact("Alice", "city", "Lyon", idempotency_key="f")
    await memory.erase(subject="Alice", reason="asked to")
    await memory.erase(episode=episode.episode_id, reason="asked to")
    fact = await memory.assert_fact("Alice", "city", "Lyon", idempotency_key="f")
    again = await memory.add_episode("secret", idempotency_key="e")
    assert fact.erased and fact.duplicate and fact.fact_ids == ()
    assert again.erased and again.duplicate and again.episode_id is None
    assert await memory.history() == []


async def test_two_operations_may_not_share_a_key(memory: Memory) -> None:
    with pytest.raises(IdempotencyConflict):
        async with memory.transaction() as tx:
            tx.assert_fact("Alice", "city", "Lyon", idempotency_key="k")
            tx.assert_fact("Alice", "city", "Lyon", idempotency_key="k")
    assert await memory.history() == []


async def test_a_key_belongs_to_its_scope(memory: Memory) -> None:
    await memory.assert_fact("Alice", "city", "Lyon", idempotency_key="k")
    other = Memory(memory.store, memory.scope + "/other")
    assert not (await other.assert_fact("Alice", "city", "Paris", idempotency_key="k")).duplicate
