"""Keys with a thousand superseded versions, beside the same keys without any."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from memory_provider import Memory

from ..loading import progress
from ..measuring import Effort, compare
from ..results import Row, compared
from ..stores import Measured

KEYS = 20
OTHERS = 1000


async def run(measured: Measured, effort: Effort, versions: int) -> AsyncIterator[Row]:
    """What history costs the present, and what the past itself costs."""
    part = f"{versions:,} superseded versions a key, beside none"
    fresh = await measured.open("bench/fresh")
    worn = await measured.open(f"bench/worn-{versions}")
    await _fill(fresh, 0)
    halfway = await _fill(worn, versions)
    subjects = [f"Thing {number}" for number in range(KEYS)]

    def facts(memory: Memory, known_at: datetime | None = None) -> Any:
        async def call(subject: str) -> Any:
            found = await memory.at(known_at=known_at).facts(subject, "state")
            assert len(found) == 1
            return found

        return call

    def recall(memory: Memory) -> Any:
        async def call(question: str) -> Any:
            found = await memory.at().recall(question)
            assert found.frames
            return found

        return call

    found = await compare(facts(worn), facts(fresh), subjects, effort)
    yield compared(part, measured.name, "facts(subject, predicate)", found, "<= 1.3")
    for name, questions in (
        ("a word that one standing fact holds", [f"What about {_word(number)}?" for number in range(KEYS)]),
        ("a word that all facts hold", ["What is steady?"]),
        ("naming the entity", [f"What about {subject}?" for subject in subjects]),
    ):
        found = await compare(recall(worn), recall(fresh), questions, effort)
        yield compared(part, measured.name, f"recall, {name}", found, "<= 1.3")
    if halfway:
        found = await compare(facts(worn, halfway), facts(fresh), subjects, effort)
        yield compared(part, measured.name, "facts(subject, predicate), known halfway", found)


async def _fill(memory: Memory, versions: int) -> datetime | None:
    """The same standing facts, after so many others of `KEYS` keys; the recorded time of the middle one."""
    if not await memory.at().facts(limit=1):
        await memory.define_predicate("state", cardinality="one", object="text", label="is")
        async with memory.transaction() as tx:
            for number in range(KEYS, OTHERS):
                tx.assert_fact(f"Thing {number}", "state", _says(number, 0), valid_from=None)
        for version in range(versions, -1, -1):
            async with memory.transaction() as tx:
                for number in range(KEYS):
                    tx.correct_fact(f"Thing {number}", "state", _says(number, version), valid_from=None)
            progress(f"{memory.scope}: {version} versions to go")
    recorded = [each.recorded_at for each in await memory.history("Thing 0", "state", limit=versions + 1)]
    return recorded[len(recorded) // 2] if versions else None


def _word(number: int) -> str:
    return "word" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}") + "x"


def _says(number: int, version: int) -> str:
    return f"{_word(number)} and steady, state {version}"
