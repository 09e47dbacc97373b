"""What is wrong with seed files is named by file and line, and nothing of them is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_provider.errors import InvalidInput
from memory_provider.memory.api import Memory
from memory_provider.seeding import SeedRefused, seed

from .files import fact, write_lines

GOOD = {"type": "fact", "subject": "a", "predicate": "p", "object": "x"}
DECLARED = {"type": "predicate", "name": "p", "cardinality": "one", "object": "integer"}


def with_(**more: Any) -> dict[str, Any]:
    return GOOD | more


LINES = [
    # the lines of a file, the line of the problem, words of the message
    (["nonsense"], 1, "not JSON"),
    ([GOOD, "", '{"type": "fact"'], 3, "not JSON"),
    ([GOOD, "[1]"], 2, "an entry is an object"),
    (['{"type": "fact", "type": "fact"}'], 1, "stands twice"),
    (['{"type": "fact", "subject": "a", "predicate": "p", "object": NaN}'], 1, "NaN"),
    (['{"type": "fact", "subject": "a", "predicate": "p", "object": ' + "9" * 5000 + "}"], 1, "JSON"),
    (["[" * 100_000], 1, "JSON"),
    ([{}], 1, "type is missing"),
    ([with_(type="poem")], 1, "one of predicate, entity"),
    ([with_(type=["fact"])], 1, "one of predicate, entity"),
    ([with_(valid_form="2024")], 1, "did you mean valid_from?"),
    ([with_(colour="red")], 1, "no member 'colour'"),
    ([{"type": "fact", "subject": "a", "predicate": "p"}], 1, "needs object"),
    ([with_(subject="")], 1, "subject of fact"),
    ([with_(subject=" \n")], 1, "subject of fact"),
    ([with_(subject="x" * 1025)], 1, "1024"),
    ([with_(subject="\ud800")], 1, "surrogate"),
    ([with_(object=None)], 1, "object of fact"),
    ([with_(object=[1])], 1, "object of fact"),
    ([with_(object={})], 1, "one member"),
    ([with_(object={"poem": "x"})], 1, "one member"),
    ([with_(object={"text": "x", "entity": "x"})], 1, "one member"),
    ([with_(object={"integer": 1.5})], 1, "no integer"),
    ([with_(object={"integer": True})], 1, "no integer"),
    ([with_(object={"date": "2024-02-30"})], 1, "date that exists"),
    ([with_(object={"date": "2024-1-1"})], 1, "no date"),
    ([with_(object={"instant": "2024-01-01T00:00:00"})], 1, "offset"),
    ([with_(object=2**63)], 1, "64 bits"),
    ([with_(valid_from="tomorrow")], 1, "not an instant"),
    ([with_(valid_from="2024-01-01T00:00:00")], 1, "offset"),
    ([with_(valid_from=True)], 1, "valid_from of fact"),
    ([with_(valid_from="2024", valid_to="2024")], 1, "empty"),
    ([with_(valid_from="2024", valid_to="2023")], 1, "inverted"),
    ([with_(valid_to="2020")], 1, "valid_from is left out"),
    ([with_(valid_to="2020", recorded_at="2021")], 1, "valid_from is left out"),
    ([with_(confidence=2)], 1, "0 to 1"),
    ([with_(confidence=True)], 1, "0 to 1"),
    ([with_(file={"uri": "file:///x"})], 1, "uri, digest"),
    ([with_(file={"uri": "file:///x", "digest": "sha256:nope"})], 1, "digest"),
    ([with_(episode="e1")], 1, "no episode 'e1'"),
    (
        [with_(episode="e1"), {"type": "episode", "id": "e1", "text": "later"}],
        1,
        "no episode 'e1' stands before",
    ),
    (
        [{"type": "episode", "id": "e1", "text": "one"}, {"type": "episode", "id": "e1", "text": "two"}],
        2,
        "has the id 'e1'",
    ),
    ([{"type": "episode", "text": " "}], 1, "text of episode"),
    ([{"type": "entity", "name": "a"}], 1, "kind or aliases"),
    ([{"type": "entity", "name": "a", "aliases": []}], 1, "list of texts"),
    ([{"type": "entity", "name": "a", "aliases": "b"}], 1, "list of texts"),
    (
        [{"type": "relation", "subject": "a", "predicate": "p", "object": {"entity": "b"}}],
        1,
        "object of relation",
    ),
    ([{"type": "retract", "subject": "a", "predicate": "p"}], 1, "needs valid_from"),
    ([{"type": "correct", "subject": "a", "predicate": "p", "object": "x"}], 1, "needs valid_from"),
    ([DECLARED, with_(object="x")], 2, "type integer, not text"),
    ([DECLARED, with_(object=1.5)], 2, "type integer, not number"),
    ([GOOD, with_(object=1)], 2, "type text, not integer"),
    ([GOOD, DECLARED], 2, "used at"),
    ([DECLARED, DECLARED | {"cardinality": "many"}], 2, "declared otherwise"),
    ([DECLARED | {"name": "kind"}], 1, "reserved"),
    ([DECLARED | {"cardinality": "two"}], 1, "one of one, many"),
    ([DECLARED | {"object": "poem"}], 1, "one of text"),
    (
        [DECLARED, with_(type="correct", object=1, replaces=2, valid_from=None)],
        2,
        "correct it without replaces",
    ),
    ([with_(recorded_at="2024-02"), with_(recorded_at="2024-01")], 2, "earlier than"),
    ([GOOD, with_(recorded_at="2024")], 2, "put what has a recorded_at first"),
    ([with_(recorded_at="9000")], 1, "future"),
    ([with_(recorded_at=None)], 1, "recorded_at of fact"),
]


@pytest.mark.parametrize(("lines", "line", "why"), LINES, ids=[f"{why}-{line}" for _, line, why in LINES])
async def test_a_line(tmp_path: Path, lines: list[Any], line: int, why: str) -> None:
    file = tmp_path / "bad.jsonl"
    text = "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines)
    file.write_text(text, encoding="utf-8")
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused) as refused:
            await seed(memory, [file])
        [problem] = refused.value.problems
        assert (problem.file, problem.line) == (str(file), line), problem
        assert why in problem.message
        assert await memory.history() == []
        assert await memory.store.predicates(memory.scope) == []


async def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(json.dumps(GOOD).encode() + b'\n{"type": "f\xffct"}\n')
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused, match=r":2: not UTF-8 at byte 12"):
            await seed(memory, [file])


YAML = """\
- type: fact
  subject: a
  predicate: p
  object: x
  valid_from: 2024-13
- type: fact
  subject: a
  predicate: p
  object: x
  valid_form: 2024
- [1, 2]
- type: fact
  subject: a
  predicate: p
  subject: b
- type: episode
  text: {a: {b: {c: d}}}
- type: relation
  subject: a
  predicate: q
  object: !!binary aGVsbG8=
"""


async def test_yaml_by_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(YAML)
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused) as refused:
            await seed(memory, [file])
        assert [(each.line, each.message.split(";")[0]) for each in refused.value.problems] == [
            (5, "'2024-13' is not a date that exists"),
            (10, "fact has no member 'valid_form'"),
            (11, "an entry is an object such as {type: fact, …}"),
            (15, "the member 'subject' stands twice in one object"),
            (17, "nested deeper than any entry is"),
            (21, "'aGVsbG8=' is of a kind that no entry holds (tag:yaml.org,2002:binary)"),
        ]
        assert await memory.history() == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- type: fact\n  object: [", 2),
        ("type: fact\n", 1),
        ("- &a [*a]\n", 1),
        ("- a: b: c\n", 1),
        ("\t- x\n", 1),
        ("- type: fact\n---\n- type: fact\n", 2),
    ],
)
async def test_yaml_that_is_no_list(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused) as refused:
            await seed(memory, [file])
        assert abs(refused.value.problems[0].line - line) <= 1, refused.value.problems


async def test_the_last_line_of_a_long_file(tmp_path: Path) -> None:
    """All is read before anything is written, however much came before."""
    file = write_lines(tmp_path / "long.jsonl", [*(fact(number) for number in range(3000)), {"type": "poem"}])
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused, match="3001"):
            await seed(memory, [file])
        assert await memory.history() == []


async def test_a_second_file_that_is_wrong(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "first.jsonl", [GOOD])
    second = write_lines(tmp_path / "second.jsonl", [with_(object=4)])
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused, match=r"second\.jsonl:1"):
            await seed(memory, [first, second])
        assert await memory.history() == []


async def test_no_more_than_twenty_problems_are_listed(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "bad.jsonl", [{"type": "poem"}] * 1000)
    async with Memory.open("memory:") as memory:
        with pytest.raises(SeedRefused) as refused:
            await seed(memory, [file])
        assert [each.line for each in refused.value.problems] == list(range(1, 21))


async def test_a_type_that_the_scope_knows_otherwise(tmp_path: Path) -> None:
    async with Memory.open("memory:") as memory:
        await memory.assert_fact("a", "p", 4)
        before = await memory.history()
        for entries in ([GOOD], [DECLARED | {"object": "text"}]):
            with pytest.raises(SeedRefused, match="integer"):
                await seed(memory, [write_lines(tmp_path / "bad.jsonl", entries)])
        assert await memory.history() == before


async def test_history_from_before_the_scopes_last_write(tmp_path: Path) -> None:
    file = write_lines(
        tmp_path / "old.jsonl", [fact(1, recorded_at="2024-01-01"), fact(2, recorded_at="2024-01-02")]
    )
    async with Memory.open("memory:") as memory:
        await memory.assert_fact("a", "b", "c")
        before = await memory.history()
        with pytest.raises(SeedRefused, match=r"old.jsonl:1: .*only moves forward"):
            await seed(memory, [file])
        assert await memory.history() == before


@pytest.mark.parametrize("name", ["missing.jsonl", "file.json", "file", "directory.yaml"])
async def test_what_is_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "directory.yaml").mkdir()
    (tmp_path / "file.json").write_text("[]")
    async with Memory.open("memory:") as memory:
        with pytest.raises(InvalidInput, match=name):
            await seed(memory, [tmp_path / name])
