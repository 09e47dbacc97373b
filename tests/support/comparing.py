"""Comparing a memory's answers with the slow model's, at every edge of both clocks."""

from __future__ import annotations

from typing import Any

from memory_provider import Entity, Memory
from memory_provider.temporal.instants import FIRST, OPEN, PAST, from_datetime, to_datetime

from .histories import Writer
from .slow_model import SlowModel


def micros(moment: Any, unbounded: int) -> int:
    return unbounded if moment is None else from_datetime(moment)


def name_of(value: Any) -> str:
    return value.name if isinstance(value, Entity) else str(value)


async def assert_same_answers(writer: Writer, known: list[int] | None = None) -> None:
    """Timelines, facts at points, and the number of sources agree with the model for every key and known_at."""
    memory, model = writer.memory, writer.model
    for known_at in known if known is not None else [*writer.times, writer.recorded + 1]:
        for subject, predicate in model.written_keys():
            await assert_same_key(memory, model, subject, predicate, known_at)


async def assert_same_key(
    memory: Memory, model: SlowModel, subject: str, predicate: str, known_at: int
) -> None:
    expected = model.timeline(subject, predicate, known_at)
    at = to_datetime(known_at)
    line = await memory.timeline(subject, predicate, known_at=at)
    found = [(name_of(s.object), micros(s.valid_from, PAST), micros(s.valid_to, OPEN)) for s in line]
    assert found == [each[:3] for each in expected], (subject, predicate, known_at)
    for instant in sorted({max(edge, FIRST) for edge in model.edges(subject, predicate)}):
        facts = await memory.at(as_of=to_datetime(instant), known_at=at).facts(subject, predicate)
        here = sorted(each for each in expected if each[1] <= instant < each[2])
        assert sorted(name_of(fact.object) for fact in facts) == [each[0] for each in here]
        by_object = {each[0]: each for each in here}
        for fact in facts:
            stretch = by_object[name_of(fact.object)]
            assert (micros(fact.valid_from, PAST), micros(fact.valid_to, OPEN)) == stretch[1:3]
            assert len(fact.sources) == len(stretch[3]), (fact, stretch)
            assert from_datetime(fact.recorded_at) <= known_at
