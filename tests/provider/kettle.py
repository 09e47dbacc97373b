"""A small memory about a kettle: what the authored wire cases ask about, with both clocks, sources and a graph."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from memory_provider import Entity, Memory
from memory_provider.memory.records.context_records import NewContextRecord
from memory_provider.memory.writing.operations import File
from memory_provider.protocol.lifecycle.hashing import canonical_json, hashed
from memory_provider.temporal.instants import to_datetime

GOAL = "recall what was decided about the kettle"

JANUARY, FEBRUARY, NEXT_DAY, MARCH, JULY = (
    "2026-01-01T00:00:00Z",
    "2026-02-01T00:00:00Z",
    "2026-02-02T00:00:00Z",
    "2026-03-01T00:00:00Z",
    "2026-07-01T00:00:00Z",
)


@dataclass(frozen=True)
class Kettle:
    """Ids and digests of what was written."""

    fact: str
    """`The kettle kept on shelf`, since ever."""
    digest: str
    episode: str
    file: Path


async def write_kettle(memory: Memory, directory: Path) -> Kettle:
    """Write it all, with supplied recorded times in 2026."""
    notes = directory / "kettle-notes.txt"
    notes.write_text("The kettle whistles at noon.\nIt was descaled in March.\n")
    digest = sha256(b"It was descaled in March.\n").hexdigest()
    day = 86_400_000_000
    clock = 1_770_000_000_000_000  # 2026-02-02T02:40:00Z

    def later() -> str:
        nonlocal clock
        clock += day
        return to_datetime(clock).isoformat()

    await memory.define_predicate(
        "kept_on", cardinality="many", object="entity", label="is kept on", inverse_label="holds"
    )
    said = await memory.add_episode(
        "Ada: it is decided, the kettle stays on the shelf.",
        occurred_at=FEBRUARY,
        speaker="Ada",
        session="kitchen",
        recorded_at=later(),
    )
    kept = await memory.assert_fact(
        "kettle", "kept_on", Entity("shelf"), valid_from=None, episode=said.episode_id, recorded_at=later()
    )
    await memory.assert_fact(
        "kettle",
        "descaled in",
        "March",
        valid_from=MARCH,
        file=File(notes.as_uri(), f"sha256:{digest}", "L2"),
        by="Ben",
        recorded_at=later(),
    )
    await memory.assert_fact(
        "kettle", "lent to", "Ben", valid_from=FEBRUARY, valid_to=NEXT_DAY, by="Ada", recorded_at=later()
    )
    await memory.assert_fact(
        "kettle", "sold to", "the museum", valid_from="2099-01-01T00:00:00Z", recorded_at=later()
    )
    await memory.assert_fact(
        "kettle", "made of", "copper", valid_from="0001-01-01T00:00:00Z", recorded_at=later()
    )
    await memory.assert_fact("teapot", "kept_on", Entity("shelf"), valid_from=JANUARY, recorded_at=later())
    await memory.assert_fact("Ada", "likes", "the kettle \U0001fad6, très chaud", valid_from=JANUARY)
    long = " ".join(f"Minute {n}: the kettle was decided upon again." for n in range(200))
    await memory.add_episode(long, occurred_at=JANUARY, source="minutes")
    document = hashed(
        {
            "schema_version": "contextgraph/lifecycle/1.0-draft",
            "record_id": "kettle-1",
            "lineage_id": "kettle",
            "record_kind": "memory",
            "record_status": "active",
            "scope": {"workspace_id": "kitchen"},
            "sharing_scope": "workspace",
            "observed_at": FEBRUARY,
            "origin": "observed",
            "provenance": {"origin_provider_id": "tests", "producer_kind": "human", "producer_ref": "Ada"},
            "statement": "It was decided to descale the kettle every March.",
        }
    )
    await memory.append_records(
        [
            NewContextRecord(
                record_id="kettle-1",
                lineage_id="kettle",
                kind="memory",
                status="active",
                observed_at=FEBRUARY,
                sharing_scope="workspace",
                subject_scope={"workspace_id": "kitchen"},
                digest=document["record_hash"],
                body=canonical_json(document).decode(),
                statement=document["statement"],
                by="Ada",
            )
        ],
        client="tests",
    )
    found = await memory.at(as_of=JULY).facts("kettle", "kept_on")
    assert [fact.id for fact in found] == list(kept.fact_ids)
    return Kettle(found[0].id, found[0].digest, said.episode_id or "", notes)
