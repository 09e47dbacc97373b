"""The same long histories through SQLite, Neo4j and the slow model: the same answers from all three."""

from pathlib import Path
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.temporal.instants import to_datetime
from tests.conftest import RunningNeo4j
from tests.support.comparing import assert_same_answers, micros, name_of
from tests.support.histories import OBJECTS, SUBJECTS, Writer, random_history

LENGTH = 120
SEEDS = range(3)


def said_by(fact: Any) -> list[tuple[Any, ...]]:
    """In the order of recorded time; claims of one transaction, which random ids put in order, in any."""
    found = [
        (
            source.method,
            source.by,
            source.episode_id is not None,
            source.recorded_at,
            source.valid_from,
            source.valid_to,
        )
        for source in fact.sources
    ]
    return sorted(found, key=lambda said: (said[3], repr(said)))


def row_of(fact: Any) -> tuple[Any, ...]:
    """Everything a version says but its random id."""
    return (
        micros(fact.recorded_at, 0),
        fact.subject,
        fact.predicate,
        name_of(fact.object),
        fact.valid_from,
        fact.valid_to,
        fact.superseded_at,
        fact.statement,
        fact.digest,
        fact.cause,
        fact.ended_by,
        said_by(fact),
    )


def in_order(facts: Any) -> list[tuple[Any, ...]]:
    return sorted((row_of(fact) for fact in facts), key=repr)


async def seen(memory: Memory, as_of: Any, known_at: Any, question: str) -> list[tuple[str, str, str]]:
    """What full-text search may show, in any order."""
    view = memory.at(as_of=as_of, known_at=known_at)
    found = await view.recall(question, max_tokens=10**9, max_frames=1000)
    assert not found.truncated
    return sorted((frame.kind, frame.content, frame.digest) for frame in found.frames)


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.anyio
@pytest.mark.parametrize("seed", SEEDS)
async def test_three_ways_one_answer(
    neo4j_server: RunningNeo4j, tmp_path: Path, scope: str, seed: int
) -> None:
    history = random_history(seed, LENGTH)
    async with (
        Memory.open(f"sqlite:///{tmp_path}/memory.db", scope=scope) as small,
        Memory.open(neo4j_server.uri, scope=scope) as large,
    ):
        writers = [Writer(small), Writer(large)]
        for writer in writers:
            await writer.begin()
            for step in history:
                await writer.take(step)
        known = [*writers[0].times[:: LENGTH // 3], writers[0].times[-1]]
        for writer in writers:
            await assert_same_answers(writer, known)
        assert in_order(await small.history()) == in_order(await large.history())
        told = [
            sorted(
                (change.recorded_at, change.kind, str(change.before), str(change.after)) for change in changes
            )
            for changes in [await memory.changes() for memory in (small, large)]
        ]
        assert told[0] == told[1]
        edges = writers[0].model.edges("ann", "city")[1:]
        for known_at in known:
            for instant in edges[:: max(1, len(edges) // 2)]:
                at = to_datetime(instant), to_datetime(known_at)
                for memory_facts in [
                    [await memory.at(*at).facts(subject) for memory in (small, large)] for subject in SUBJECTS
                ]:
                    assert in_order(memory_facts[0]) == in_order(memory_facts[1])
                for question in (OBJECTS[0], "bob knows", "episode about nothing city skill"):
                    assert await seen(small, *at, question) == await seen(large, *at, question)


TOO_MUCH = [
    {"subject": "é" * 513},
    {"predicate": "p" * 257},
    {"object": "x" * 65_537},
    {"object": 2**63},
    {"object": float("nan")},
    {"subject": "\ud800"},
]


@pytest.mark.anyio
@pytest.mark.parametrize("arguments", TOO_MUCH, ids=lambda each: next(iter(each)))
async def test_what_one_store_refuses_every_store_refuses(memory: Memory, arguments: dict[str, Any]) -> None:
    from memory_provider.temporal.errors import InvalidInput

    with pytest.raises(InvalidInput):
        await memory.assert_fact(**{"subject": "a", "predicate": "p", "object": "o", **arguments})


@pytest.mark.anyio
async def test_what_one_store_keeps_every_store_keeps(memory: Memory) -> None:
    name, predicate, text = "é" * 512, "p" * 256, "x" * 65_536
    await memory.assert_fact(name, predicate, text)
    await memory.assert_fact(name, "n", 2**63 - 1)
    await memory.assert_fact("quote ' \" \\ ` $ {} \0 \U0001f600", "says", "\0\r\n\t")
    assert {fact.object for fact in await memory.at().facts()} == {text, 2**63 - 1, "\0\r\n\t"}
