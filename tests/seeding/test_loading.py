"""What a load writes, over every store: two clocks, sources, one history of several files, and nothing twice."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from memory_provider import Entity
from memory_provider.memory.api import Memory
from memory_provider.memory.view import View
from memory_provider.seeding import seed
from memory_provider.seeding.groups import UNSTAMPED

from .files import fact, rows, write_lines

YAML = """\
# a move, a late correction, a retraction
- {type: predicate, name: lives_in, cardinality: one, object: entity, label: lives in, inverse_label: home of}
- {type: predicate, name: born_on, object: date}
- {type: entity, name: Alice, kind: person, aliases: [Ali, "No"], recorded_at: 2024-01-01}
- {type: episode, id: first, text: I live in Paris., speaker: Alice, session: s, recorded_at: 2024-01-01}
- type: fact
  subject: Alice
  predicate: lives_in
  object: Paris
  valid_from: 2019
  episode: first
  recorded_at: 2024-01-01
- type: fact
  subject: Alice
  predicate: born_on
  object: 1990-01-02
  valid_from: null
  by: no
  recorded_at: 2024-01-01
- type: relation
  subject: Alice
  predicate: lives_in
  object: Lyon
  valid_from: 2024-04
  recorded_at: 2024-05-02T10:00:00+02:00
- {type: fact, subject: Alice, predicate: likes, object: {integer: 7}, recorded_at: 2024-05-02T08:00:00Z}
- type: correct
  subject: Alice
  predicate: lives_in
  object: {entity: Lyon}
  valid_from: 2024-03
  recorded_at: 2024-06-01
- {type: retract, subject: Alice, predicate: likes, valid_from: null, recorded_at: 2024-07-01}
- {type: fact, subject: Alice, predicate: reads, object: 12:30}
"""


async def test_both_clocks(store_address: str, scope: str, tmp_path: Path) -> None:
    file = tmp_path / "story.yaml"
    file.write_text(YAML)
    async with Memory.open(store_address, scope=scope) as memory:
        report = await seed(memory, [file])
        assert (report.predicates, report.episodes, report.facts) == (2, 1, 8)
        assert (report.corrections, report.retractions, report.already_there) == (1, 1, 0)
        assert report.transactions == 5

        def at(as_of: str, known_at: str) -> View:
            return memory.at(f"{as_of}T00:00:00Z", f"{known_at}T00:00:00Z")

        for as_of, known_at, city in [
            ("2020-01-01", "2024-02-01", "Paris"),
            ("2024-03-15", "2024-05-15", "Paris"),
            ("2024-03-15", "2024-06-15", "Lyon"),
            ("2024-05-01", "2024-05-15", "Lyon"),
        ]:
            [found] = await at(as_of, known_at).facts("Alice", "lives_in")
            assert found.object == Entity(city), (as_of, known_at)
        [born] = await memory.at().facts("Alice", "born_on")
        assert (born.object, born.valid_from, born.sources[0].by) == (date(1990, 1, 2), None, "no")
        [likes] = await at("2024-06-01", "2024-06-01").facts("Alice", "likes")
        assert likes.valid_from == datetime(2024, 5, 2, 8, tzinfo=UTC)
        assert await memory.at().facts("Alice", "likes") == []
        [reads] = await memory.at().facts("Alice", "reads")
        assert reads.object == "12:30"
        aliases = await memory.at().facts("Alice", "also_known_as")
        assert [(each.object, each.valid_from) for each in aliases] == [("Ali", None), ("No", None)]
        [paris] = await at("2020-01-01", "2024-02-01").facts("Alice", "lives_in")
        told = await memory.explain(paris)
        assert [each.text for each in told.episodes] == ["I live in Paris."]

        once = await rows(memory)
        again = await seed(memory, [file])
        assert (again.written, again.already_there, again.transactions) == (0, 11, 0)
        assert await rows(memory) == once


async def test_wherever_the_file_lies(tmp_path: Path) -> None:
    """Keys come from what is said, not from the path."""
    entries = [{"type": "episode", "id": "e", "text": "hello"}, fact(1, episode="e"), fact(2)]
    here = write_lines(tmp_path / "here.jsonl", entries)
    there = write_lines(tmp_path / "there.ndjson", entries)
    async with Memory.open("memory:") as memory:
        await seed(memory, [here])
        report = await seed(memory, [there])
        assert (report.written, report.already_there) == (0, 3)


async def test_a_file_that_grew(tmp_path: Path) -> None:
    """New lines are written, wherever they were put; the others are there already."""
    entries = [
        entry
        for number in range(UNSTAMPED)
        for entry in (
            {"type": "episode", "id": f"e{number}", "text": f"turn {number}"},
            fact(number, episode=f"e{number}"),
        )
    ]
    async with Memory.open("memory:") as memory:
        await seed(memory, [write_lines(tmp_path / "a.jsonl", entries)])
        grown = [fact(9001), *entries[:100], fact(9002), *entries[100:], fact(9003)]
        report = await seed(memory, [write_lines(tmp_path / "a.jsonl", grown)])
        assert (report.written, report.already_there) == (3, 2 * UNSTAMPED)


async def test_what_a_file_says_twice(tmp_path: Path) -> None:
    """Said, taken back and said again is not said once."""
    again = fact(1, valid_from="2020")
    taken_back = {
        "type": "retract",
        "subject": "subject 1",
        "predicate": "p",
        "object": "object 1",
        "valid_from": None,
    }
    file = write_lines(tmp_path / "a.jsonl", [again, again, taken_back, again])
    async with Memory.open("memory:") as memory:
        report = await seed(memory, [file])
        assert (report.facts, report.retractions) == (3, 1)
        assert len(await memory.at().facts("subject 1")) == 1
        assert (await seed(memory, [file])).already_there == 4


async def test_several_files_are_one_history(tmp_path: Path) -> None:
    first = write_lines(
        tmp_path / "a.jsonl", [fact(1, recorded_at="2024-01"), fact(3, recorded_at="2024-03"), fact(5)]
    )
    second = write_lines(
        tmp_path / "b.jsonl", [fact(2, recorded_at="2024-02"), fact(4, recorded_at="2024-04")]
    )
    async with Memory.open("memory:") as memory:
        report = await seed(memory, [first, second])
        assert report.transactions == 5
        assert [each.object for each in await memory.history()] == [
            f"object {number}" for number in range(1, 6)
        ]
        assert (await seed(memory, [second, first])).already_there == 5


async def test_several_files_at_the_same_instant_are_refused(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", [fact(1, recorded_at="2024-01")])
    second = write_lines(tmp_path / "b.jsonl", [fact(2, recorded_at="2024-01")])
    async with Memory.open("memory:") as memory:
        with pytest.raises(ValueError, match=r"b.jsonl:1: .*a.jsonl records something at the same instant"):
            await seed(memory, [first, second])


async def test_what_was_erased_stays_erased(tmp_path: Path) -> None:
    file = write_lines(
        tmp_path / "a.jsonl",
        [{"type": "episode", "id": "e", "text": "a secret", "speaker": "Ann"}, fact(1, episode="e"), fact(2)],
    )
    async with Memory.open("memory:") as memory:
        await seed(memory, [file])
        [change] = [each for each in await memory.changes() if each.kind == "episode"]
        await memory.erase(episode=change.id, reason="asked")
        report = await seed(memory, [file])
        assert (report.written, report.already_there, report.erased) == (0, 1, 2)
        assert [each.object for each in await memory.at().facts()] == ["object 2"]


async def test_transactions_are_bounded(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", (fact(number) for number in range(2 * UNSTAMPED + 1)))
    async with Memory.open("memory:") as memory:
        assert (await seed(memory, [file])).transactions == 3


async def test_progress(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", (fact(number) for number in range(UNSTAMPED + 1)))
    seen: list[tuple[str, int, int | None]] = []
    async with Memory.open("memory:") as memory:
        await seed(memory, [file], progress=lambda *said: seen.append(said))
    assert seen[0] == ("checking", UNSTAMPED, None)
    assert seen[-1] == ("writing", UNSTAMPED + 1, UNSTAMPED + 1)


async def test_an_empty_file(tmp_path: Path) -> None:
    for name, text in (("a.jsonl", "\n\n"), ("b.yaml", "# nothing\n"), ("c.yaml", "[]")):
        (tmp_path / name).write_text(text)
        async with Memory.open("memory:") as memory:
            assert (await seed(memory, [tmp_path / name])).written == 0


async def test_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"type":"fact","subject":"a","predicate":"p","object":"x"}\r\n')
    async with Memory.open("memory:") as memory:
        assert (await seed(memory, [file])).facts == 1
