"""Erasing: complete, at every known_at, with a report, and nothing comes back."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Entity, Memory
from memory_provider.memory.errors import NotFound
from memory_provider.temporal.errors import InvalidInput

pytestmark = pytest.mark.anyio

JAN, FEB, MAR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 3, 6))


async def test_what_it_had_overridden_stays_overridden(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    first = await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN)
    await memory.assert_fact("Alice", "city", "Lyon", valid_from=MAR)
    report = await memory.erase(subject="Alice", predicate="city", object="Lyon", reason="asked to")
    assert len(report.fact_ids) == 1 and not report.dry_run
    assert await memory.at(as_of=JUN).facts("Alice") == []
    (paris,) = await memory.at(as_of=FEB).facts("Alice")
    assert paris.id == first.fact_id and paris.valid_to is not None
    assert all(fact.object != "Lyon" for fact in await memory.history("Alice"))


async def test_a_dry_run_reports_the_same_and_changes_nothing(memory: Memory) -> None:
    await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN)
    dry = await memory.erase(subject="Alice", reason="asked to", dry_run=True)
    assert len(await memory.history("Alice")) == 1
    wet = await memory.erase(subject="Alice", reason="asked to")
    assert dry.fact_ids == wet.fact_ids and dry.dry_run
    assert await memory.history("Alice") == []


async def test_erasing_an_episode_keeps_what_others_say(memory: Memory) -> None:
    first = await memory.add_episode("Alice knows Go", speaker="Alice", occurred_at=JAN)
    second = await memory.add_episode("she does", speaker="Bob", occurred_at=MAR)
    await memory.assert_fact("Alice", "skill", "Go", episode=first.episode_id)
    await memory.assert_fact("Alice", "skill", "Go", episode=second.episode_id)
    await memory.assert_fact("Alice", "skill", "Rust", episode=first.episode_id)
    (before,) = await memory.at().facts("Alice", object="Go")
    report = await memory.erase(episode=first.episode_id, reason="asked to")
    assert report.episode_ids == (first.episode_id,) and report.trimmed_ids == (before.id,)
    (left,) = await memory.at(as_of=JUN).facts("Alice")
    assert (left.object, left.valid_from and left.valid_from.month) == ("Go", 3)
    assert [source.episode_id for source in left.sources] == [second.episode_id]
    assert await memory.at(as_of=FEB).facts("Alice") == []
    # Before the second said so, nobody did.
    earlier = memory.at(as_of=JUN, known_at=second.recorded_at)
    assert await earlier.facts("Alice") == []
    (verdict,) = await memory.verify([before])
    assert (verdict.status, verdict.replacement_digest) == ("stale", left.digest)


async def test_an_entity_goes_with_both_ends_aliases_and_what_it_said(memory: Memory) -> None:
    await memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from=JAN)
    await memory.assert_fact("Alice", "also_known_as", "Ally", valid_from=JAN)
    await memory.assert_fact("Bob", "knows", Entity("Alice"), valid_from=JAN)
    await memory.assert_fact("Bob", "lives_in", Entity("Lyon"), valid_from=JAN)
    spoken = await memory.add_episode("I moved to Lyon", speaker="Alice")
    naming = await memory.add_episode("I met Ally yesterday", speaker="Bob")
    other = await memory.add_episode("Lyon is nice", speaker="Bob")
    report = await memory.erase(entity="Alice", reason="right to be forgotten", by="dpo")
    assert len(report.fact_ids) == 3
    assert report.episode_ids == (spoken.episode_id,)
    assert report.still_named_in == (naming.episode_id,)
    left = await memory.history()
    assert [(fact.subject, fact.predicate) for fact in left] == [("Bob", "lives_in")]
    found = (await memory.at().recall("who moved to Lyon, Alice or Ally?")).frames
    assert not any("Alice" in frame.content or "I moved" in frame.content for frame in found)
    assert other.episode_id in {frame.id for frame in found}
    erased = await memory.explain(report.fact_ids[0])
    assert erased.erased and (erased.erased.reason, erased.erased.by) == ("right to be forgotten", "dpo")
    assert "erased" in {change.kind for change in await memory.changes()}


@pytest.mark.parametrize(
    "filters",
    [{}, {"subject": "a", "episode": "e"}, {"episode": "e", "entity": "a"}, {"subject": "a", "reason": " "}],
)
async def test_an_unclear_erase_is_refused(memory: Memory, filters: dict[str, str]) -> None:
    await memory.assert_fact("a", "city", "Paris")
    with pytest.raises(InvalidInput):
        await memory.erase(**{"reason": "asked to", **filters})
    assert len(await memory.history()) == 1


async def test_erasing_what_is_not_there_is_harmless(memory: Memory) -> None:
    report = await memory.erase(subject="nobody", reason="asked to")
    assert report.empty
    assert (await memory.erase(episode="ep_nobody", reason="asked to")).empty
    assert (await memory.erase(entity="nobody", reason="asked to")).empty


async def test_an_erase_does_not_reach_another_scope(memory: Memory) -> None:
    other = Memory(memory.store, memory.scope + "/other")
    await memory.assert_fact("Alice", "city", "Paris")
    receipt = await other.add_episode("Alice was here", speaker="Alice")
    await other.assert_fact("Alice", "city", "Paris", episode=receipt.episode_id)
    assert (await memory.erase(episode=receipt.episode_id, reason="asked to")).empty
    await memory.erase(entity="Alice", reason="asked to")
    assert len(await other.history()) == 1
    with pytest.raises(NotFound):
        await memory.explain(receipt.episode_id or "")


@pytest.mark.alone
async def test_an_erase_reports_what_it_could_not_reach_itself(tmp_path: Path) -> None:
    """And not what the erase before it could not."""
    file = tmp_path / "memory.db"
    async with Memory.open(f"sqlite:///{file}") as memory:
        await memory.assert_fact("Alice", "likes", "tea")
        reader = sqlite3.connect(file, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM facts").fetchone()
        begun = time.monotonic()
        held = await memory.erase(subject="Alice", reason="asked to")
        assert held.residue is not None and "log" in held.residue
        assert time.monotonic() - begun < 15, "a reader is waited for, but not for as long as a lock"
        reader.close()
        await memory.assert_fact("Bob", "likes", "tea")
        assert (await memory.erase(subject="Bob", reason="asked to")).residue is None


@pytest.mark.parametrize("dry_run", [None, 0, 1, "no", []])
async def test_a_dry_run_is_not_guessed(memory: Memory, dry_run: Any) -> None:
    await memory.assert_fact("Alice", "likes", "tea")
    with pytest.raises(InvalidInput, match="dry_run"):
        await memory.erase(subject="Alice", reason="asked to", dry_run=dry_run)
    assert await memory.history("Alice")


@pytest.mark.parametrize("word", ["\ud800", "x" * 1025])
async def test_a_tombstone_keeps_only_what_any_store_can(memory: Memory, word: str) -> None:
    await memory.assert_fact("Alice", "likes", "tea")
    with pytest.raises(InvalidInput):
        await memory.erase(subject="Alice", reason=word)
    with pytest.raises(InvalidInput):
        await memory.erase(subject="Alice", reason="asked to", by=word)
    assert await memory.history("Alice")
