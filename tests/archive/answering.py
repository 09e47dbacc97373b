"""Everything a memory answers, at many pairs of instants, in a form that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import cycle
from typing import Any

from memory_provider import Memory
from memory_provider.errors import NotFound
from memory_provider.store.contract import Dump
from memory_provider.store.records import NewVersion

QUESTIONS = ["who moved to Lyon?", "café", "東京に", "the owl", "Ann", "what is Bob O'Neil's motto?"]


async def answers(memory: Memory, known: Sequence[datetime], ids: Sequence[str] = ()) -> dict[str, Any]:
    """What a memory answers, by question."""
    found: dict[str, Any] = {"history": list(await memory.history(limit=10_000))}
    found["changes"] = list(await memory.changes(limit=10_000))
    keys = _some({(fact.subject, fact.predicate) for fact in found["history"]}, 15)
    instants = {edge for fact in found["history"] for edge in (fact.valid_from, fact.valid_to) if edge}
    as_ofs = _some(instants, 4)
    held = [(fact.id, fact.digest) for fact in found["history"]]
    held += [(each, "sha256:" + "0" * 64) for each in ids]
    questions = cycle(QUESTIONS)
    for known_at in known:
        for subject, predicate in keys:
            name = f"timeline of {subject} {predicate} known at {known_at}"
            found[name] = await memory.timeline(subject, predicate, known_at=known_at)
        for as_of in as_ofs:
            view = memory.at(as_of=as_of, known_at=known_at)
            name = f"as of {as_of}, known at {known_at}"
            found[f"facts {name}"] = [(fact, fact.sources) for fact in await view.facts(limit=10_000)]
            question = next(questions)
            recall = await view.recall(question, max_tokens=1_000_000, max_frames=1000)
            found[f"recall {question} {name}"] = {
                (frame.id, frame.digest, frame.content, frame.provenance) for frame in recall.frames
            }
            held += [(frame.id, frame.digest) for frame in recall.frames if frame.kind != "fact"]
        found[f"verify known at {known_at}"] = await memory.verify(
            sorted(set(held), key=str), known_at=known_at
        )
    for lineage in ("café", "lin 1", "ep_2", "lin 3"):
        for known_at in known:
            found[f"lineage {lineage} known at {known_at}"] = await memory.lineage(lineage, known_at=known_at)
        with suppress(NotFound):
            found[f"explain {lineage}"] = await memory.explain(f"lineage:{lineage}")
    for each in _some({fact.id for fact in found["history"]}, 20):
        found[f"explain {each}"] = await memory.explain(each)
    return found


def _some(things: set[Any], count: int) -> list[Any]:
    return sorted(things)[:: max(1, len(things) // count)]


async def rows(memory: Memory) -> dict[str, list[Any]]:
    """Every row of the scope but idempotency records, search terms included, sorted."""
    found: dict[str, list[Any]] = {name: [] for name in Dump._fields if name not in ("clock", "idempotency")}
    async for batch in memory.store.dump(memory.scope, 100):
        for name in found:
            found[name].extend(_sorted_replaces(row) for row in getattr(batch, name))
    return {name: sorted(each, key=repr) for name, each in found.items()}


def _sorted_replaces(row: Any) -> Any:
    if isinstance(row, NewVersion):
        return row._replace(replaces=tuple(sorted(row.replaces)), alias=row.alias or None)
    return row


def spread(times: Sequence[datetime], count: int) -> list[datetime]:
    """A few of the recorded times, the last one too, and an instant before each."""
    some = sorted({*times[:: max(1, len(times) // count)], times[-1]})
    return sorted({each for time in some for each in (time, time - timedelta(microseconds=1))})
