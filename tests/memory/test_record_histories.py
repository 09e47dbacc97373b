"""Random histories of context records, compared over each store with a slow and obvious model."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from memory_provider import Memory
from memory_provider.memory.records.context_records import NewContextRecord

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = {"a": "memory", "b": "knowledge", "c": "memory", "d": "observation"}
WORDS = ("kettle", "shelf", "tea")


def day(number: int) -> datetime:
    return BEGIN + timedelta(days=number)


@dataclass
class Kept:
    """A record as the model keeps it: a row of a list that only grows."""

    new: NewContextRecord
    recorded: int
    erased: int | None = None


class Model:
    """What a memory of records must answer, by looking at all of them."""

    def __init__(self) -> None:
        self.rows: list[Kept] = []

    def standing(self, lineage: str, known: int) -> Kept | None:
        """The last record of a lineage recorded by then; nothing where that was erased."""
        of_it = [row for row in self.rows if row.new.lineage_id == lineage and row.recorded <= known]
        return of_it[-1] if of_it and of_it[-1].erased is None else None

    def served(self, as_of: datetime, known: int) -> dict[str, tuple[str, str]]:
        """Kind and content of every frame in view, by id."""
        found = {}
        for lineage in KINDS:
            row = self.standing(lineage, known)
            if row is None or row.new.status != "active" or row.new.kind not in ("memory", "knowledge"):
                continue
            start, end = row.new.valid_from, row.new.valid_to
            assert not isinstance(start, str) and not isinstance(end, str)
            if (start is None or start <= as_of) and (end is None or as_of < end):
                kind = "fact" if row.new.kind == "knowledge" else "memory"
                found[f"lineage:{lineage}"] = kind, row.new.statement or ""
        return found

    def verdict(self, lineage: str, digest: str, known: int) -> str:
        everything = [each for each in self.rows if each.new.lineage_id == lineage]
        if everything and all(each.erased is not None for each in everything):
            return "gone"
        if KINDS[lineage] == "observation":
            return "unknown"
        row = self.standing(lineage, known)
        if row is not None and row.new.status == "active":
            return "valid" if _digest(row.new.statement or "") == digest else "stale"
        left = any(each.erased is None and each.recorded <= known for each in everything)
        return "gone" if left else "unknown"


def _digest(text: str) -> str:
    return "sha256:" + sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("seed", range(3))
async def test_as_the_model_says(memory: Memory, seed: int) -> None:
    chance = random.Random(seed)
    model = Model()
    for now in range(1, 40):
        alive = [row for row in model.rows if row.erased is None]
        if alive and chance.random() < 0.15:
            row = chance.choice(alive)
            await memory.erase(record=row.new.record_id, reason="asked to", recorded_at=day(now))
            row.erased = now
            continue
        batch = []
        for _ in range(chance.choice([1, 1, 2, 3])):
            lineage = chance.choice(sorted(KINDS))
            number = len(model.rows)
            says = f"{chance.choice(WORDS)} {chance.choice(WORDS)} number {number}"
            start, end = sorted(chance.sample(range(60), 2))
            new = NewContextRecord(
                record_id=f"rec {number}",
                lineage_id=lineage,
                kind=KINDS[lineage],
                status=chance.choice(["active", "active", "active", "retracted"]),
                observed_at=day(0),
                sharing_scope="user",
                digest=_digest(f"{number}"),
                body=f"{{{number}}}",
                statement=says,
                valid_from=chance.choice([None, day(start)]),
                valid_to=chance.choice([None, day(end)]),
            )
            batch.append(new)
            model.rows.append(Kept(new, now))
        receipts = await memory.append_records(batch, client="c", recorded_at=day(now))
        assert {each.status for each in receipts} == {"accepted"}
    for known in range(0, 40, 3):
        for as_of in (day(chance.randrange(60)), day(chance.randrange(60))):
            view = memory.at(as_of=as_of, known_at=day(known))
            found = (await view.recall(" ".join(WORDS), max_tokens=10**6, max_frames=100)).frames
            assert {each.id: (each.kind, each.content) for each in found} == model.served(as_of, known)
        for lineage in KINDS:
            rows = [row for row in model.rows if row.new.lineage_id == lineage and row.recorded <= known]
            kept = await memory.lineage(lineage, known_at=day(known))
            assert [each.record_id for each in kept] == [
                row.new.record_id for row in rows if row.erased is None
            ]
            digests = [_digest(row.new.statement or "") for row in rows[-2:]] or [_digest("?")]
            held = [(f"lineage:{lineage}", digest) for digest in digests]
            verdicts = await memory.verify(held, known_at=day(known))
            expected = [model.verdict(lineage, digest, known) for digest in digests]
            assert [each.status for each in verdicts] == expected, (lineage, known)
