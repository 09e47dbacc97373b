"""Random histories that use everything a memory can hold, written through its own interface."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any

from memory_provider import Entity, Memory
from memory_provider.errors import Ambiguous, InvalidWindow, NotFound
from memory_provider.memory.records.context_records import NewContextRecord, Retention
from memory_provider.memory.writing.operations import File

PREDICATES: dict[str, tuple[str, str | None]] = {
    "city": ("one", "entity"),
    "boss": ("one", "entity"),
    "knows": ("many", "entity"),
    "age": ("one", "integer"),
    "height": ("one", "number"),
    "born": ("one", "date"),
    "woke": ("many", "instant"),
    "vegetarian": ("one", "boolean"),
    "motto": ("many", "text"),
}
NAMES = ["Ann", "Bob O'Neil", "Zoë ☕", "日本 supplies", 'the "Owl"', "a\\b:c\u2028d"]
WORDS = [
    "moved",
    "café",
    "running",
    "Lyon",
    "owl",
    "東京に",
    "tea\u0085",
    "-10%",
    'quote"d',
    "\\n",
    "\t",
    "🎈",
]
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
YEAR_ONE = datetime(1, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)


@dataclass
class Rich:
    """Writes into one memory, and remembers when."""

    memory: Memory
    chance: random.Random
    now: datetime = datetime(2025, 6, 1, 12, 0, 0, 123_456, tzinfo=UTC)
    times: list[datetime] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)
    keys: int = 0
    records: int = 0

    async def begin(self) -> None:
        """Declare most predicates; `likes` stays undeclared."""
        for name, (cardinality, kind) in PREDICATES.items():
            await self.memory.define_predicate(
                name, cardinality=cardinality, object=kind, label=f"{name} is", inverse_label=f"of {name}"
            )

    async def run(self, steps: int) -> None:
        """Declare, and take random steps."""
        await self.begin()
        for _ in range(steps):
            await self.step()

    async def step(self) -> None:
        """One transaction, a declaration or an erase."""
        dice = self.chance.random()
        if dice < 0.07:
            await self._erase()
        elif dice < 0.2:
            await self._append()
        elif dice < 0.25:
            name = self.chance.choice(sorted(PREDICATES))
            cardinality, kind = PREDICATES[name]
            label = self.chance.choice([f"{name} is", f"has as {name}"])
            await self.memory.define_predicate(name, cardinality=cardinality, object=kind, label=label)
        else:
            await self._transaction()

    def _tick(self) -> datetime:
        self.now += timedelta(microseconds=self.chance.choice([1, 999, 1_000_000, 86_400_000_000]))
        self.times.append(self.now)
        return self.now

    async def _transaction(self) -> None:
        # A correction that would override more than it names, and the like, are refused: then nothing happened.
        with suppress(Ambiguous, InvalidWindow, NotFound):
            async with self.memory.transaction(recorded_at=self._tick()) as tx:
                added = []
                for _ in range(self.chance.choice([1, 1, 2, 4])):
                    if self.chance.random() < 0.35:
                        added.append(self._add_episode(tx))
                    else:
                        self._change(tx)
            self.episodes.extend(added)

    async def _append(self) -> None:
        records = []
        for _ in range(self.chance.choice([1, 2, 3])):
            self.records += 1
            lineage = self.chance.choice(["café", "lin 1", "ep_2", "lin 3"])
            kind = {"café": "knowledge", "lin 1": "memory", "ep_2": "memory"}.get(lineage, "observation")
            says = " ".join(self.chance.choice(WORDS + NAMES) for _ in range(5))
            start, end = sorted([self._when(), self._when()])
            body = json.dumps({"statement": says, "n": self.records}, ensure_ascii=False)
            records.append(
                NewContextRecord(
                    record_id=f"rec {self.records}",
                    lineage_id=lineage,
                    kind=kind,
                    status=self.chance.choice(["active", "active", "active", "retracted", "archived"]),
                    observed_at=self._when(),
                    sharing_scope=self.chance.choice(["user", "workspace"]),
                    digest="sha256:" + sha256(body.encode()).hexdigest(),
                    body=body,
                    statement=says,
                    valid_from=self.chance.choice([None, start]),
                    valid_to=self.chance.choice([None, end + timedelta(microseconds=1)]),
                    subject_scope=self.chance.choice([{}, {"user_id": "ann=é", "task_id": "1"}]),
                    retention=self.chance.choice(
                        [None, Retention("long"), Retention("ages", timedelta(days=365_000))]
                    ),
                    by=self.chance.choice([None, *NAMES]),
                )
            )
        key = self._key()
        await self.memory.append_records(
            records,
            client=self.chance.choice(["one", "two"]),
            idempotency_key=key,
            key_lifetime=timedelta(days=365_000) if key else None,
            recorded_at=self._tick(),
        )

    def _add_episode(self, tx: Any) -> str:
        length = self.chance.choice([3, 8, 20, 700])
        text = " ".join(self.chance.choice(WORDS + NAMES) for _ in range(length)) + "."
        episode: str = tx.add_episode(
            text,
            occurred_at=self.chance.choice([None, self._when()]),
            source=self.chance.choice([None, "chat"]),
            speaker=self.chance.choice([None, *NAMES]),
            session=self.chance.choice([None, "s1", "s2"]),
            idempotency_key=self._key(),
        )
        return episode

    def _key(self) -> str | None:
        if self.chance.random() < 0.7:
            return None
        self.keys += 1
        return f"key {self.keys}"

    def _change(self, tx: Any) -> None:
        predicate = self.chance.choice([*PREDICATES, "likes", "kind", "also_known_as"])
        kind = self.chance.choice(["assert", "assert", "assert", "correct", "retract"])
        subject = self.chance.choice(NAMES)
        start, end = sorted([self._when(), self._when()])
        window: dict[str, Any] = {
            "valid_from": self.chance.choice([None, start, start]),
            "valid_to": self.chance.choice([None, end, LAST_INSTANT]),
        }
        if kind == "retract":
            value = self.chance.choice([None, self._object(predicate)])
            tx.retract_fact(subject, predicate, value, **window)
            return
        if kind == "assert" and self.chance.random() < 0.3:
            del window["valid_to"]
        source: dict[str, Any] = {
            "by": self.chance.choice([None, "user", "importer"]),
            "confidence": self.chance.choice([None, 0.25, 1.0, 1 / 3]),
            "idempotency_key": self._key(),
        }
        if self.episodes and self.chance.random() < 0.5:
            source["episode"] = self.chance.choice(self.episodes)
        elif self.chance.random() < 0.3:
            source["file"] = File(
                "file:///notes.md", "sha256:" + "ab" * 32, self.chance.choice([None, "L3-7"])
            )
        value = self._object(predicate)
        if kind == "correct":
            replaces = self.chance.choice([None, None, self._object(predicate)])
            tx.correct_fact(subject, predicate, value, replaces=replaces, **window, **source)
        else:
            tx.assert_fact(subject, predicate, value, **window, **source)

    def _object(self, predicate: str) -> Any:
        match PREDICATES.get(predicate, ("many", "text"))[1]:
            case "entity":
                return Entity(self.chance.choice(NAMES))
            case "integer":
                return self.chance.choice([0, -1, 2**63 - 1, -(2**63)])
            case "number":
                return self.chance.choice([0.1, 1e300, -0.0, 5e-324])
            case "date":
                return self.chance.choice([date(1, 1, 1), date(1990, 2, 3), date(9999, 12, 31)])
            case "instant":
                return self.chance.choice([YEAR_ONE, EPOCH, LAST_INSTANT])
            case "boolean":
                return self.chance.random() < 0.5
        return self.chance.choice([*WORDS, "a longer motto, with café and running"])

    def _when(self) -> datetime:
        days = EPOCH + timedelta(days=self.chance.randrange(12))
        return self.chance.choice(
            [days, days, days + timedelta(microseconds=1), YEAR_ONE + timedelta(days=1)]
        )

    async def _erase(self) -> None:
        at = self._tick()
        dice = self.chance.random()
        if dice < 0.4 and self.episodes:
            episode = self.episodes.pop(self.chance.randrange(len(self.episodes)))
            await self.memory.erase(episode=episode, reason="asked to", by="admin", recorded_at=at)
        elif dice < 0.45 and self.records:
            gone = f"rec {self.chance.randrange(self.records) + 1}"
            await self.memory.erase(record=gone, reason="asked to", by="admin", recorded_at=at)
        elif dice < 0.55:
            name = self.chance.choice(NAMES)
            await self.memory.erase(entity=name, reason="asked to", recorded_at=at)
            self.episodes = []  # those it spoke are gone; which ones does not matter here
        else:
            await self.memory.erase(
                subject=self.chance.choice(NAMES),
                predicate=self.chance.choice(sorted(PREDICATES)),
                reason="wrong",
                recorded_at=at,
            )


async def write_rich(memory: Memory, seed: int, steps: int = 60) -> Rich:
    """A history from a seed."""
    rich = Rich(memory, random.Random(seed))
    await rich.run(steps)
    return rich
