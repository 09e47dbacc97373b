"""Random histories, and how to write them into a memory and into the slow model."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from memory_provider import Entity, Memory
from memory_provider.temporal.instants import to_datetime

from .slow_model import OPEN, PAST, Op, SlowModel

BASE = 1_700_000_000_000_000
"""The instant that small numbers in a history count from, in microseconds."""
STEP = 3_600_000_000
FIRST_RECORDED = 1_750_000_000_000_000

ONE = {"city", "boss"}
TYPES = {"city": "text", "skill": "text", "boss": "entity", "knows": "entity"}
SUBJECTS = ["ann", "bob"]
OBJECTS = ["ann", "bob", "cy", "dee"]


@dataclass(frozen=True)
class Erase:
    """One erase, by filter, by the n-th episode, or by entity."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    episode: int | None = None
    entity: str | None = None


Step = list[Op] | Erase


def _instant() -> st.SearchStrategy[int]:
    return st.integers(0, 12).map(lambda n: BASE + n * STEP)


@st.composite
def ops(draw: st.DrawFn) -> Op:
    kind = draw(st.sampled_from(["assert", "assert", "assert", "correct", "retract"]))
    predicate = draw(st.sampled_from(sorted(TYPES)))
    value: str | None = draw(st.sampled_from(OBJECTS))
    if kind == "retract" and draw(st.booleans()):
        value = None
    start = draw(st.one_of(st.just(PAST), _instant(), _instant()))
    if kind == "assert" and draw(st.integers(0, 4)) == 0:
        start = None
    end: int | None = draw(st.one_of(st.none(), st.just(OPEN), _instant(), _instant()))
    if start is None:
        end = draw(st.sampled_from([None, OPEN]))
    elif end is not None and end <= start:
        start, end = (end, start) if end < start else (start, start + STEP)
    op = Op(kind, draw(st.sampled_from(SUBJECTS)), predicate, value, start, end)
    if kind == "correct" and predicate not in ONE and draw(st.booleans()):
        op.replaces = draw(st.sampled_from(OBJECTS))
    if kind != "retract" and draw(st.booleans()):
        op.episode = f"e{draw(st.integers(0, 3))}"
    return op


def erases() -> st.SearchStrategy[Erase]:
    some = st.one_of(st.none(), st.sampled_from(SUBJECTS))
    return st.one_of(
        st.builds(
            Erase,
            subject=some,
            predicate=st.sampled_from(sorted(TYPES)),
            object=st.one_of(st.none(), st.sampled_from(OBJECTS)),
        ),
        st.builds(Erase, subject=st.sampled_from(SUBJECTS)),
        st.builds(Erase, episode=st.integers(0, 3)),
        st.builds(Erase, entity=st.sampled_from(["cy", "dee"])),
    )


def histories(longest: int = 10) -> st.SearchStrategy[list[Step]]:
    """Transactions of one to three operations, with an erase now and then."""
    step = st.one_of(*[st.lists(ops(), min_size=1, max_size=3)] * 5, erases())
    return st.lists(step, min_size=1, max_size=longest)


def random_history(seed: int, length: int) -> list[Step]:
    """A long history from a seed, without Hypothesis: for servers."""
    rng = random.Random(seed)
    steps: list[Step] = []
    for _ in range(length):
        if rng.random() < 0.06:
            steps.append(
                rng.choice(
                    [
                        Erase(rng.choice(SUBJECTS), rng.choice(sorted(TYPES)), rng.choice([None, *OBJECTS])),
                        Erase(episode=rng.randrange(4)),
                    ]
                )
            )
        else:
            steps.append([_random_op(rng) for _ in range(rng.choice([1, 1, 2, 3]))])
    return steps


def _random_op(rng: random.Random) -> Op:
    kind = rng.choice(["assert", "assert", "assert", "correct", "retract"])
    predicate = rng.choice(sorted(TYPES))
    value: str | None = rng.choice(OBJECTS)
    if kind == "retract" and rng.random() < 0.5:
        value = None
    a, b = sorted(rng.sample(range(13), 2))
    start: int | None = rng.choice([PAST, BASE + a * STEP, BASE + a * STEP])
    end = rng.choice([None, OPEN, BASE + b * STEP, BASE + b * STEP])
    if kind == "assert" and rng.random() < 0.2:
        start, end = None, rng.choice([None, OPEN])
    op = Op(kind, rng.choice(SUBJECTS), predicate, value, start, end)
    if kind == "correct" and predicate not in ONE and rng.random() < 0.5:
        op.replaces = rng.choice(OBJECTS)
    if kind != "retract" and rng.random() < 0.5:
        op.episode = f"e{rng.randrange(4)}"
    return op


def when(instant: int | None) -> Any:
    """An instant as an argument: None is unbounded on either side."""
    return None if instant in (PAST, OPEN) else to_datetime(instant)  # type: ignore[arg-type]


class Writer:
    """Writes one history into a memory and a slow model, step by step."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.model = SlowModel(one=set(ONE))
        self.recorded = FIRST_RECORDED
        self.episodes: list[str] = []
        self.times: list[int] = []

    async def begin(self) -> None:
        for predicate, kind in TYPES.items():
            await self.memory.define_predicate(
                predicate, cardinality="one" if predicate in ONE else "many", object=kind
            )
        for number in range(4):
            receipt = await self.memory.add_episode(
                f"Episode number {number}, about nothing.",
                occurred_at=to_datetime(BASE + number * STEP),
                recorded_at=self.tick(),
            )
            assert receipt.episode_id
            self.episodes.append(receipt.episode_id)
            self.model.occurred[f"e{number}"] = BASE + number * STEP

    def tick(self) -> Any:
        self.recorded += 1_000_000
        self.times.append(self.recorded)
        return to_datetime(self.recorded)

    async def take(self, step: Step) -> None:
        if isinstance(step, Erase):
            await self._erase(step)
            return
        step = [replace(op) for op in step if op.episode is None or op.episode in self.model.occurred]
        if not step:
            return
        at = self.tick()
        async with self.memory.transaction(recorded_at=at) as tx:
            for op in step:
                self._buffer(tx, op)
        self.model.write(self.recorded, step)

    def _buffer(self, tx: Any, op: Op) -> None:
        window: dict[str, Any] = {}
        if op.start is not None:
            window["valid_from"] = when(op.start)
        if op.end is not None:
            window["valid_to"] = when(op.end)
        entity = TYPES[op.predicate] == "entity"
        value: Any = Entity(op.object) if entity and op.object else op.object
        episode = self.episodes[int(op.episode[1:])] if op.episode else None
        if op.kind == "retract":
            tx.retract_fact(op.subject, op.predicate, value, **window)
        elif op.kind == "correct":
            old: Any = Entity(op.replaces) if entity and op.replaces else op.replaces
            tx.correct_fact(op.subject, op.predicate, value, replaces=old, episode=episode, **window)
        else:
            tx.assert_fact(op.subject, op.predicate, value, episode=episode, **window)

    async def _erase(self, step: Erase) -> None:
        at = self.tick()
        if step.episode is not None:
            name = f"e{step.episode}"
            await self.memory.erase(episode=self.episodes[step.episode], reason="test", recorded_at=at)
            self.model.erase_episode(name)
            self.model.occurred.pop(name, None)
        elif step.entity is not None:
            await self.memory.erase(entity=step.entity, reason="test", recorded_at=at)
            self.model.erase_entity(step.entity, {p for p, kind in TYPES.items() if kind == "entity"})
        else:
            await self.memory.erase(
                subject=step.subject,
                predicate=step.predicate,
                object=step.object,
                reason="test",
                recorded_at=at,
            )
            self.model.erase(step.subject, step.predicate, step.object)
