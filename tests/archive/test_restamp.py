"""Restamped, an archive's facts and episodes are written anew, by the rules of the scope they come to."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Entity, Memory
from memory_provider.archive import batching, export_scope, import_archive, restamping
from memory_provider.errors import PredicateConflict
from tests.archive.answering import rows
from tests.archive.rich_histories import write_rich

THEN = datetime(2025, 6, 1, tzinfo=UTC)


async def standing(memory: Memory) -> Counter[Any]:
    """What stands, whenever valid, with who says so, whatever the ids."""
    keys = {(fact.subject, fact.predicate) for fact in await memory.history(limit=10_000)}
    found: Counter[Any] = Counter()
    for subject, predicate in keys:
        for stretch in await memory.timeline(subject, predicate):
            found[(subject, predicate, *stretch)] += 1
    return found


async def said(memory: Memory) -> Counter[Any]:
    """The episodes, whatever their ids, in the order of their sessions."""
    found = sorted(
        (await rows(memory))["episodes"], key=lambda each: (each.session or "", each.position or 0)
    )
    turns: Counter[Any] = Counter()
    for place, each in enumerate(found):
        at = place if each.session else 0
        turns[(each.text, each.occurred_at, each.source, each.speaker, each.session, at)] += 1
    return turns


async def test_what_stood_stands(store_address: str, scope: str, tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        rich = await write_rich(memory, 12, 40)
        await export_scope(memory, archive)
        expected = await standing(memory)
        spoken = await said(memory)
        before = await rows(memory)
    async with Memory.open(store_address, scope=scope) as memory:
        started = datetime.now(UTC)
        report = await import_archive(memory, archive, restamp=True)
        assert report.restamped
        assert report.closed == ()
        assert await standing(memory) == expected
        assert await said(memory) == spoken
        after = await rows(memory)
        first = {each.original_recorded_at for each in after["links"]}
        assert first <= {each.recorded_at for each in before["links"]}
        assert {each.method for each in after["links"]} == {"imported"}
        assert not {each.id for each in after["episodes"]} & set(rich.episodes)
        for fact in await memory.history(limit=10_000):
            assert fact.recorded_at >= started
            assert all(source.original_recorded_at < started for source in fact.sources)
        again = await import_archive(memory, archive, restamp=True)
        assert (again.written, again.closed) == ({}, ())
        assert again.already_there == sum(
            report.written.get(each, 0) for each in ("episode", "claim", "record")
        )
        assert await rows(memory) == after


@pytest.mark.parametrize("name", ["archive.jsonl", "archive.jsonl.gz"])
async def test_more_facts_than_are_held_at_a_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several passes over the file take turns."""
    async with Memory.open("memory:", scope="exported") as memory:
        await write_rich(memory, 13, 40)
        await export_scope(memory, tmp_path / name)
        expected = await standing(memory)
    monkeypatch.setattr(restamping, "GROUP", 4)
    monkeypatch.setattr(batching, "BATCH", 3)
    async with Memory.open("memory:", scope="target") as memory:
        await import_archive(memory, tmp_path / name, restamp=True)
        assert await standing(memory) == expected


async def test_the_source_keeps_when_it_was_first_recorded(tmp_path: Path) -> None:
    """Through two imports as through one."""
    async with Memory.open("memory:", scope="first") as memory:
        episode = await memory.add_episode(
            "I moved to Lyon.", speaker="Ann", session="s", recorded_at=THEN, occurred_at=THEN
        )
        await memory.assert_fact(
            "Ann",
            "lives_in",
            Entity("Lyon"),
            valid_from=THEN,
            episode=episode.episode_id,
            by="user",
            confidence=0.75,
            recorded_at="2025-06-02T00:00:00Z",
        )
        await export_scope(memory, tmp_path / "first.jsonl")
    async with Memory.open("memory:", scope="second") as memory:
        await import_archive(memory, tmp_path / "first.jsonl", restamp=True)
        await export_scope(memory, tmp_path / "second.jsonl")
    async with Memory.open("memory:", scope="third") as memory:
        await import_archive(memory, tmp_path / "second.jsonl", restamp=True)
        (fact,) = await memory.at().facts()
        (source,) = fact.sources
        assert source.original_recorded_at == datetime(2025, 6, 2, tzinfo=UTC)
        assert (source.by, source.confidence, source.method) == ("user", 0.75, "imported")
        explained = await memory.explain(fact)
        (cited,) = explained.episodes
        assert (cited.text, cited.original_recorded_at) == ("I moved to Lyon.", THEN)
        assert cited.recorded_at > THEN


async def test_a_source_that_was_cut_speaks_once(tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        await memory.assert_fact("Ann", "has", "a cat", valid_from="2026-01-01T00:00:00Z", by="user")
        await memory.retract_fact("Ann", "has", "a cat", valid_from="2026-05-01T00:00:00Z")
        await export_scope(memory, archive)
    async with Memory.open("memory:", scope="target") as memory:
        report = await import_archive(memory, archive, restamp=True)
        assert report.written == {"claim": 1}
        (fact,) = await memory.at(as_of="2026-02-01T00:00:00Z").facts()
        assert [source.by for source in fact.sources] == ["user"]
        assert fact.valid_to == datetime(2026, 5, 1, tzinfo=UTC)


async def test_a_source_that_no_longer_speaks_for_the_middle(tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    april, june = "2026-04-01T00:00:00Z", "2026-06-01T00:00:00Z"
    async with Memory.open("memory:", scope="exported") as memory:
        await memory.assert_fact("Ann", "has", "a cat", valid_from=None, by="user")
        await memory.retract_fact("Ann", "has", "a cat", valid_from=april, valid_to=june)
        await memory.assert_fact("Ann", "has", "a cat", valid_from=april, valid_to=june, by="neighbour")
        await export_scope(memory, archive)
    async with Memory.open("memory:", scope="target") as memory:
        report = await import_archive(memory, archive, restamp=True)
        assert report.written == {"claim": 3}
        (fact,) = await memory.at().facts()
        spoke = [(each.by, each.valid_from, each.valid_to) for each in fact.sources]
        middle = datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
        assert sorted(spoke, key=str) == sorted(
            [("user", None, middle[0]), ("neighbour", *middle), ("user", middle[1], None)], key=str
        )


async def test_among_other_history(store_address: str, scope: str, tmp_path: Path) -> None:
    """What is imported is the latest news: it overrides a `one` predicate where it speaks, and joins a `many`."""
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        await memory.define_predicate("lives_in", cardinality="one", object="entity", label="resides in")
        await memory.assert_fact("Ann", "lives_in", Entity("Lyon"), valid_from="2026-02-01T00:00:00Z")
        await memory.assert_fact("Ann", "likes", "tea", valid_from=None)
        await memory.add_episode("Hello from there.", session="s")
        await export_scope(memory, archive)
    async with Memory.open(store_address, scope=scope) as memory:
        await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
        paris = await memory.assert_fact(
            "Ann", "lives_in", Entity("Paris"), valid_from="2026-01-01T00:00:00Z"
        )
        await memory.assert_fact("Ann", "likes", "milk", valid_from=None)
        await memory.assert_fact("Ann", "likes", "tea", valid_from=None)
        await memory.add_episode("Hello from here.", session="s")
        report = await import_archive(memory, archive, restamp=True)
        assert report.closed == paris.fact_ids
        line = await memory.timeline("Ann", "lives_in")
        february = datetime(2026, 2, 1, tzinfo=UTC)
        assert line == [
            (Entity("Paris"), datetime(2026, 1, 1, tzinfo=UTC), february),
            (Entity("Lyon"), february, None),
        ]
        assert {fact.statement for fact in await memory.at().facts()} >= {
            "Ann lives in Lyon",
            "Ann likes milk",
            "Ann likes tea",
        }
        (tea,) = await memory.at().facts(predicate="likes", object="tea")
        assert [source.method for source in tea.sources] == ["stated", "imported"]
        turns = sorted((await rows(memory))["episodes"], key=lambda each: each.position)
        assert [each.text for each in turns] == ["Hello from here.", "Hello from there."]
        assert turns[1].chunks[0].context


async def test_a_later_archive_brings_only_what_is_new(tmp_path: Path) -> None:
    async with (
        Memory.open("memory:", scope="exported") as source,
        Memory.open("memory:", scope="target") as target,
    ):
        await source.assert_fact("Ann", "likes", "tea", valid_from=None)
        await export_scope(source, tmp_path / "a.jsonl")
        await import_archive(target, tmp_path / "a.jsonl", restamp=True)
        await source.assert_fact("Ann", "likes", "milk", valid_from=None)
        await export_scope(source, tmp_path / "b.jsonl")
        report = await import_archive(target, tmp_path / "b.jsonl", restamp=True)
        assert (report.written, report.already_there) == ({"claim": 1}, 1)


async def test_predicates_that_contradict(tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        await memory.define_predicate("colour", cardinality="many", object="text")
        await memory.define_predicate("size", cardinality="one", object="integer")
        await memory.assert_fact("Ann", "colour", "red", valid_from=None)
        await export_scope(memory, archive)
    async with Memory.open("memory:", scope="target") as memory:
        await memory.define_predicate("colour", cardinality="one", object="text")
        await memory.define_predicate("size", cardinality="one", object="number")
        before = await rows(memory)
        with pytest.raises(
            PredicateConflict, match=r"'colour' holds one .* 'size' takes number here and integer"
        ):
            await import_archive(memory, archive, restamp=True)
        assert await rows(memory) == before


async def test_what_was_erased_since_stays_erased(store_address: str, scope: str, tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        receipt = await memory.add_episode("Ann told me a secret.")
        await memory.assert_fact("Ann", "has", "a secret", valid_from=None, episode=receipt.episode_id)
        await memory.assert_fact("Ann", "has", "a cat", valid_from=None)
        await export_scope(memory, archive)
    async with Memory.open(store_address, scope=scope) as memory:
        await import_archive(memory, archive, restamp=True)
        (episode,) = (await rows(memory))["episodes"]
        await memory.erase(episode=episode.id, reason="asked to")
        await memory.erase(subject="Ann", object="a cat", reason="asked to")
        again = await import_archive(memory, archive, restamp=True)
        assert again.written == {}
        assert await memory.at().facts() == []


async def test_a_claim_of_an_episode_that_was_erased_before_the_claim_was_written(tmp_path: Path) -> None:
    """An import that stopped between the two does not bring back what was erased meanwhile, nor fail on it."""
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        receipt = await memory.add_episode("Ann told me a secret.")
        await memory.assert_fact("Ann", "has", "a secret", valid_from=None, episode=receipt.episode_id)
        await memory.assert_fact("Ann", "has", "a cat", valid_from=None)
        await export_scope(memory, archive)

    class Stop(Exception):
        pass

    def stop(doing: str, done: int, total: int | None) -> None:
        if doing == "writing":
            raise Stop

    async with Memory.open("memory:", scope="target") as memory:
        with pytest.raises(Stop):
            await import_archive(memory, archive, restamp=True, progress=stop)
        (episode,) = (await rows(memory))["episodes"]
        await memory.erase(episode=episode.id, reason="asked to")
        report = await import_archive(memory, archive, restamp=True)
        assert report.written == {"claim": 1}
        assert [fact.object for fact in await memory.at().facts()] == ["a cat"]


async def test_superseded_and_closed_facts_stay_behind(tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        await memory.assert_fact("Ann", "has", "a cat", valid_from=None)
        await memory.retract_fact("Ann", "has", "a cat", valid_from=None)
        await memory.assert_fact("Bob", "has", "a dog", valid_from=None, valid_to="2026-01-01T00:00:00Z")
        await export_scope(memory, archive)
    async with Memory.open("memory:", scope="target") as memory:
        await import_archive(memory, archive, restamp=True)
        assert [fact.subject for fact in await memory.history()] == ["Bob"]
