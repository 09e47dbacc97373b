"""A fixed history: what is written, when it is recorded, and ids that come out the same every time.

Never change what is here: ids, contents and digests are frozen in `frames.json`. A new shape of frame gets a history of
its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import date, datetime
from hashlib import sha256
from typing import Any

import pytest

from memory_provider import Entity, Memory
from memory_provider.memory.writing.operations import File
from memory_provider.temporal.instants import DAY, parse, to_datetime

BEGIN = parse("2026-05-01T09:30:00.000001Z")
"""When the first write is recorded; each one after it a day and a microsecond later."""

ENTITIES = ("Alice", "Lyon", "Paris", "Hub", "person 7", "Zoë 🫖", "kettle")
QUESTIONS = (*ENTITIES, "move", "minutes of the meeting", "capacity whistles descaled born answer seen price")

LONG = "\n\n".join(
    f"Minutes of meeting {n}. "
    + " ".join(f"Point {n}.{p}: the kettle – très chaud, 茶が熱い – was discussed." for p in range(12))
    for n in range(1, 9)
)


class Recorded:
    """Recorded times one after the other, and the ids of everything written at each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._count = 0
        self._bytes = self._deterministic()
        monkeypatch.setattr("memory_provider.memory.ids.urandom", lambda size: next(self._bytes)[:size])

    def _deterministic(self) -> Iterator[bytes]:
        # Restarted with every write, so that one write more or less leaves the ids of all others as they are.
        for number in itertools.count():
            yield sha256(f"write {self._count}, id {number}".encode()).digest()

    def next(self) -> datetime:
        """The recorded time of the next write."""
        self._count += 1
        self._bytes = self._deterministic()
        return to_datetime(BEGIN + self._count * (DAY + 1))

    def at(self, count: int) -> datetime:
        """The recorded time of the write of that number."""
        return to_datetime(BEGIN + count * (DAY + 1))


async def write_history(memory: Memory, recorded: Recorded) -> None:
    """Everything. Each line is one write."""
    await _predicates(memory, recorded)
    await _alice(memory, recorded)
    await _values(memory, recorded)
    await _hub(memory, recorded)


async def _predicates(memory: Memory, recorded: Recorded) -> None:
    for name, cardinality, label, inverse in (
        ("lives_in", "one", "lives in", "home of"),
        ("knows", "many", "knows", "known by"),
    ):
        recorded.next()
        await memory.define_predicate(
            name, cardinality=cardinality, object="entity", label=label, inverse_label=inverse
        )


async def _alice(memory: Memory, recorded: Recorded) -> None:
    """A move, told in turns; a late correction; a recurrence; a retraction; an erasure."""
    await memory.assert_fact(
        "Alice", "lives_in", Entity("Paris"), valid_from="2019-09-01T00:00:00Z", recorded_at=recorded.next()
    )
    said = await memory.add_episode(
        "We move to Lyon in April!",
        occurred_at="2026-02-10T18:00:00Z",
        speaker="Alice",
        session="s1",
        recorded_at=recorded.next(),
    )
    await memory.add_episode(
        "Then I know someone there.",
        occurred_at="2026-02-10T18:00:30.25Z",
        speaker="Zoë 🫖",
        session="s1",
        recorded_at=recorded.next(),
    )
    await memory.assert_fact(
        "Alice",
        "lives_in",
        Entity("Lyon"),
        valid_from="2026-04-01T00:00:00Z",
        episode=said.episode_id,
        by="Alice",
        confidence=0.9,
        recorded_at=recorded.next(),
    )
    await memory.correct_fact(
        "Alice",
        "lives_in",
        Entity("Lyon"),
        valid_from="2026-03-15T08:00:00Z",
        by="the landlord",
        recorded_at=recorded.next(),
    )
    await memory.assert_fact(
        "Alice",
        "knows",
        Entity("Zoë 🫖"),
        valid_from=None,
        valid_to="2025-01-01T00:00:00Z",
        recorded_at=recorded.next(),
    )
    await memory.assert_fact(
        "Alice", "knows", Entity("Zoë 🫖"), valid_from="2026-01-01T00:00:00Z", recorded_at=recorded.next()
    )
    await memory.assert_fact(
        "Zoë 🫖", "lives_in", Entity("Lyon"), valid_from=None, recorded_at=recorded.next()
    )
    await memory.retract_fact(
        "Zoë 🫖",
        "lives_in",
        valid_from="2021-01-01T00:00:00Z",
        valid_to="2022-01-01T00:00:00Z",
        recorded_at=recorded.next(),
    )
    secret = await memory.add_episode(
        "Alice whispered the code of the door.",
        occurred_at="2026-02-11T00:00:00Z",
        recorded_at=recorded.next(),
    )
    await memory.erase(episode=secret.episode_id, reason="asked to", recorded_at=recorded.next())


async def _values(memory: Memory, recorded: Recorded) -> None:
    """One object of each type, every sort of window and of source, names that need escaping, a long text."""
    since = "2026-01-01T00:00:00Z"
    await memory.assert_fact("kettle", "capacity in ml", 1750, valid_from=since, recorded_at=recorded.next())
    await memory.assert_fact(
        "kettle", "price", 39.9, valid_from=None, valid_to=None, recorded_at=recorded.next()
    )
    await memory.assert_fact(
        "kettle",
        "whistles",
        True,
        valid_from=since,
        valid_to="2026-12-31T23:59:59.999999Z",
        recorded_at=recorded.next(),
    )
    await memory.assert_fact(
        "kettle", "born", date(2020, 2, 29), valid_from="2020-02-29T00:00:00Z", recorded_at=recorded.next()
    )
    await memory.assert_fact(
        "kettle",
        "last seen",
        parse_moment("2026-04-30T12:00:00.5+02:00"),
        valid_from=since,
        recorded_at=recorded.next(),
    )
    notes = File("file:///notes/kettle%20notes.md", "sha256:" + "0f" * 32, "L3-7")
    await memory.assert_fact(
        "kettle",
        "descaled",
        "in “March”\nand again in May",
        valid_from="2026-03-01T10:20:30.000004Z",
        file=notes,
        by="Ben",
        recorded_at=recorded.next(),
    )
    await memory.assert_fact(
        "kettle",
        "descaled",
        "in “March”\nand again in May",
        valid_from="2026-03-01T10:20:30.000004Z",
        by="Zoë 🫖",
        recorded_at=recorded.next(),
    )
    await memory.assert_fact(
        "kettle", "answer/100%?#", "-\\:*\"' & <b>", valid_from=since, recorded_at=recorded.next()
    )
    await memory.add_episode(
        LONG, occurred_at="2026-04-02T07:00:00Z", source="minutes.txt", recorded_at=recorded.next()
    )
    await memory.add_episode("The kettle was moved; nobody said by whom.", recorded_at=recorded.next())


async def _hub(memory: Memory, recorded: Recorded) -> None:
    """More relations than one frame holds, in both directions; one of them ends."""
    at = recorded.next()
    async with memory.transaction(recorded_at=at) as tx:
        for n in range(115):
            tx.assert_fact("Hub", "knows", Entity(f"person {n}"), valid_from="2024-01-01T00:00:00Z")
        for n in range(12):
            tx.assert_fact(f"person {n}", "knows", Entity("Hub"), valid_from="2024-06-01T00:00:00Z")
        tx.assert_fact("Hub", "lives_in", Entity("Paris"), valid_from="2023-01-01T00:00:00Z")
    await memory.retract_fact(
        "Hub", "knows", Entity("person 7"), valid_from="2026-01-01T00:00:00Z", recorded_at=recorded.next()
    )


def is_one_of_many(frame: dict[str, Any]) -> bool:
    """Whether it is about one of the hub's many relations, of which one is enough to freeze."""
    about = frame["content"].split(" (")[0] if frame["kind"] != "episode" else ""
    return "person" in about and "person 7" not in about and "of Hub" not in about


def parse_moment(text: str) -> datetime:
    return to_datetime(parse(text))


def moments(recorded: Recorded) -> dict[str, tuple[str, datetime]]:
    """The views that are frozen: `as_of` and `known_at`."""
    last = recorded.at(27)
    return {
        "2026-06-15, all known": ("2026-06-15T00:00:00Z", last),
        "2024-03-01, all known": ("2024-03-01T00:00:00Z", last),
        "0001-01-01, all known": ("0001-01-01T00:00:00Z", last),
        "2026-03-20, before the correction": ("2026-03-20T00:00:00Z", recorded.at(6)),
        "2026-02-15, before the erasure": ("2026-02-15T00:00:00Z", recorded.at(13)),
    }
