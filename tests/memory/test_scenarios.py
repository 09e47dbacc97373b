"""The worked scenarios of both clocks, through every store."""

import json
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.temporal.errors import MemoryProviderError
from memory_provider.temporal.instants import parse

SCENARIOS = json.loads((Path(__file__).parent.parent / "data/temporal/scenarios.json").read_text())[
    "scenarios"
]


async def take(memory: Memory, step: dict[str, Any]) -> None:
    window = {"valid_from": step["valid_from"], "valid_to": step["valid_to"]}
    key = step["subject"], step["predicate"]
    at = step["recorded_at"]
    match step["op"]:
        case "assert":
            await memory.assert_fact(*key, step["object"], **window, recorded_at=at)
        case "correct":
            await memory.correct_fact(*key, step["object"], **window, recorded_at=at)
        case "retract":
            await memory.retract_fact(*key, step["object"], **window, recorded_at=at)
        case "erase":
            await memory.erase(
                subject=key[0], predicate=key[1], object=step["object"], reason="scenario", recorded_at=at
            )


async def ask(memory: Memory, query: dict[str, Any]) -> list[Any]:
    view = memory.at(as_of=query["as_of"], known_at=query["known_at"])
    return sorted(fact.object for fact in await view.facts(query["subject"], query["predicate"]))


@pytest.mark.anyio
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
async def test_scenario(scenario: dict[str, Any], store_address: str, scope: str) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        for name, cardinality in scenario["predicates"].items():
            await memory.define_predicate(name, cardinality=cardinality)
        early: dict[int, list[Any]] = {}
        queries = scenario["queries"]
        for place, step in enumerate(scenario["steps"]):
            if "effect" not in step:
                await take(memory, step)
            elif step["raises"] is True:
                with pytest.raises(MemoryProviderError):
                    await take(memory, step)
            else:
                try:
                    await take(memory, step)
                except MemoryProviderError:
                    assert step["raises"] == "either"
            following = [each for each in scenario["steps"][place + 1 :] if "effect" not in each]
            if not following:
                continue
            # What is known at an instant before the next transaction may not change with it.
            for number, query in enumerate(queries):
                known = query["known_at"]
                if known and number not in early and parse(known) < parse(following[0]["recorded_at"]):
                    early[number] = await ask(memory, query)
        erases = any(step["op"] == "erase" for step in scenario["steps"])
        for number, query in enumerate(queries):
            answer = await ask(memory, query)
            assert answer == query["expect"], query
            if number in early and not erases:
                assert early[number] == answer
        for line in scenario["timelines"]:
            found = await memory.timeline(line["subject"], line["predicate"], known_at=line["known_at"])
            expected = [
                (each, start and parse(start), end and parse(end)) for each, start, end in line["expect"]
            ]
            assert [
                (
                    s.object,
                    s.valid_from and parse(s.valid_from.isoformat()),
                    s.valid_to and parse(s.valid_to.isoformat()),
                )
                for s in found
            ] == expected
