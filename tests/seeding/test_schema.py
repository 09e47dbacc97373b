"""The JSON Schema says what the loader says, and the seeds that ship keep to both."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from memory_provider.memory.api import Memory
from memory_provider.resources import directory
from memory_provider.seeding import SeedRefused, seed
from memory_provider.seeding.fields import FIELDS, wrong_members
from memory_provider.seeding.yaml_list import _loader

from .test_refused import LINES

SCHEMA = json.loads((files("memory_provider.seeding") / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
RECORDS = "records.jsonl"
"""Beside the seeds: documents of the lifecycle profile, which `records append` takes."""

SEEDS = sorted(
    path
    for path in directory("seeds").iterdir()
    if path.suffix in (".yaml", ".jsonl") and path.name != RECORDS
)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_there_are_seeds() -> None:
    assert {path.name for path in SEEDS} >= {"conformance.jsonl", "noor.yaml", "northgate.jsonl"}


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_the_seeds_keep_to_the_schema(path: Path) -> None:
    for entry in _entries(path):
        VALIDATOR.validate(entry)


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
async def test_the_seeds_load_twice(path: Path) -> None:
    async with Memory.open("memory:") as memory:
        report = await seed(memory, [path])
        assert report.facts
        assert report.episodes
        again = await seed(memory, [path])
        assert (again.written, again.already_there) == (0, report.written)


async def test_the_seeds_load_together() -> None:
    async with Memory.open("memory:") as memory:
        assert (await seed(memory, SEEDS)).written > 200


def test_the_schema_has_the_same_members_as_the_loader() -> None:
    for kind, members in FIELDS.items():
        described = SCHEMA["$defs"][kind]
        assert set(described["properties"]) == {"type", *members}, kind
        required = {name for name, each in members.items() if each.required}
        assert set(described["required"]) == {"type", *required}, kind
        assert described["additionalProperties"] is False


FORMS = [each for lines, _, _ in LINES for each in lines if isinstance(each, dict)]


@pytest.mark.parametrize("entry", FORMS, ids=[json.dumps(each)[:80] for each in FORMS])
def test_the_schema_refuses_nothing_that_loads(entry: dict[str, Any]) -> None:
    """What the loader finds wrong in an entry's form, the schema does too; and the other way round."""
    if "recorded_at" in entry and entry["recorded_at"] is None:
        assert not VALIDATOR.is_valid(entry)
    wrong_form = bool(list(wrong_members(entry)))
    if wrong_form:
        assert not VALIDATOR.is_valid(entry)


GOOD_FORMS: list[dict[str, Any]] = [
    {
        "type": "predicate",
        "name": "p",
        "cardinality": "one",
        "object": "entity",
        "label": "l",
        "inverse_label": "i",
    },
    {
        "type": "entity",
        "name": "a",
        "kind": "person",
        "aliases": ["b"],
        "by": "c",
        "valid_from": None,
        "recorded_at": 2024,
    },
    {
        "type": "episode",
        "id": "e",
        "text": "t",
        "occurred_at": "2024-01-01T00:00:00Z",
        "speaker": "s",
        "session": "s",
    },
    {
        "type": "fact",
        "subject": "a",
        "predicate": "p",
        "object": {"instant": "2024"},
        "valid_from": 2020,
        "valid_to": None,
    },
    {"type": "fact", "subject": "a", "predicate": "p2", "object": {"number": 4}, "confidence": 1, "by": "x"},
    {
        "type": "fact",
        "subject": "a",
        "predicate": "p3",
        "object": "",
        "valid_from": "2024-01-01T00:00:00.123456+02:00",
    },
    {
        "type": "relation",
        "subject": "a",
        "predicate": "p4",
        "object": "b",
        "file": {"uri": "u", "digest": "sha256:" + "0" * 64, "range": "L1-2"},
    },
    {
        "type": "correct",
        "subject": "a",
        "predicate": "p5",
        "object": True,
        "replaces": False,
        "valid_from": None,
    },
    {
        "type": "retract",
        "subject": "a",
        "predicate": "p6",
        "object": {"date": "2024-01-01"},
        "valid_from": "2024",
    },
    {"type": "retract", "subject": "a", "predicate": "p6", "valid_from": "2024", "valid_to": "2025-01"},
]


@pytest.mark.parametrize("entry", GOOD_FORMS, ids=[json.dumps(each)[:80] for each in GOOD_FORMS])
async def test_what_the_schema_allows_loads(entry: dict[str, Any], tmp_path: Path) -> None:
    VALIDATOR.validate(entry)
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(entry))
    async with Memory.open("memory:") as memory:
        try:
            await seed(memory, [file])
        except SeedRefused as refused:
            raise AssertionError(refused) from refused


def _entries(path: Path) -> list[Any]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    loaded = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
    assert isinstance(loaded, list)
    return loaded
