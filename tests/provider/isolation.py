"""What a stranger may try with the ids and words of a scope that is not its own: every request, every way to name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from memory_provider import Entity, Memory
from memory_provider.memory.evidence.addressing import content_uri
from memory_provider.memory.ids import mint
from memory_provider.memory.records.context_records import NewContextRecord
from memory_provider.protocol.lifecycle.hashing import hashed
from memory_provider.provider import EXPLAIN, KNOWN_AT

AS_OF = "2026-06-01T00:00:00Z"


@dataclass(frozen=True)
class Known:
    """What somebody knows of a scope: ids with digests, names and words."""

    digests: Mapping[str, str]
    """Of frames, by id."""
    names: tuple[str, ...]
    words: tuple[str, ...]
    records: tuple[str, ...] = ()
    """Ids of context records and of their lineages."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """For a guess: what it has in place of what is true."""


async def write_own(memory: Memory) -> None:
    """What the scope that asks has itself: some of the names and words of the other, too."""
    await memory.define_predicate("kept_on", object="entity", label="is kept on", inverse_label="holds")
    await memory.assert_fact("kettle", "kept_on", Entity("shelf"), valid_from="2026-01-01T00:00:00Z")
    await memory.assert_fact("kettle", "made of", "copper", valid_from="2026-01-01T00:00:00Z")
    await memory.assert_fact("kettle", "filled with", "water and copper", valid_from="2026-01-01T00:00:00Z")
    await memory.assert_fact("teapot", "filled with", "water", valid_from="2026-01-01T00:00:00Z")
    for text in ("Ada: the kettle is copper.", "Ben: the water boils, and the water whistles."):
        await memory.add_episode(text, occurred_at="2026-02-01T00:00:00Z", session="kitchen")
    await append(memory, "own", "the copper kettle whistles", "water is in the kettle")


async def write_foreign(memory: Memory) -> Known:
    """What the other scope has, and all there is to know of it."""
    names = ("Zanzibar", "kettle", "Quokkaville", "shelf", "Ada")
    await memory.define_predicate("kept_on", object="entity", label="is hidden in", inverse_label="hides")
    for subject, place in (("kettle", "Zanzibar"), ("Quokkaville", "Zanzibar"), ("Zanzibar", "shelf")):
        await memory.assert_fact(subject, "kept_on", Entity(place), valid_from="2025-01-01T00:00:00Z")
    await memory.assert_fact("Zanzibar", "also_known_as", "Xylographia", valid_from=None)
    for number in range(12):
        await memory.assert_fact(f"pot {number}", "made of", f"copper {number}", valid_from=None)
    for text in ("Ada: the xylophone password is quixotic.", "Eve: copper, copper, copper water " * 200):
        await memory.add_episode(text, occurred_at="2026-02-01T00:00:00Z", speaker="Ada", session="kitchen")
    replaced = await memory.assert_fact("Quokkaville", "made of", "vellum", valid_from=None)
    await memory.correct_fact("Quokkaville", "made of", "parchment", valid_from=None, replaces="vellum")
    records = await append(
        memory, FOREIGN_KEY, "the xerographer hides in Zanzibar", "Ada drinks water from copper"
    )
    view = memory.at(as_of=AS_OF)
    found = [frame for name in names for frame in (await view.recall(name, anchors=[name])).frames]
    found += (await view.recall("xerographer drinks", kinds=["fact", "memory"])).frames
    found += (await view.recall("xylophone copper parchment", max_tokens=100_000, max_frames=100)).frames
    digests = {frame.id: frame.digest for frame in found}
    digests |= dict.fromkeys(replaced.fact_ids, "sha256:" + "0" * 64)
    assert {id.partition("_")[0].partition(":")[0] for id in digests} == {"fact", "ep", "graph", "lineage"}
    words = ("xylophone", "quixotic", "parchment", "Xylographia", "copper", "vellum", "xerographer")
    return Known(digests, names, words, records)


async def append(memory: Memory, key: str, knowledge: str, remembered: str) -> tuple[str, ...]:
    """Append two records under one idempotency key; their ids and those of their lineages."""
    records = []
    for kind, says in (("knowledge", knowledge), ("memory", remembered)):
        id, lineage = mint("rec"), mint("lin")
        body = json.dumps({"record_id": id, "lineage_id": lineage, "record_kind": kind, "statement": says})
        digest = f"sha256:{sha256(body.encode()).hexdigest()}"
        times = {"observed_at": "2026-01-01T00:00:00Z", "valid_from": "2026-01-01T00:00:00Z"}
        new = NewContextRecord(
            *(id, lineage, kind, "active"),
            **times,
            sharing_scope="user",
            digest=digest,
            body=body,
            statement=says,
        )
        records.append(new)
    await memory.append_records(records, client=CLIENT, idempotency_key=key)
    return tuple(id for each in records for id in (each.record_id, each.lineage_id))


CLIENT = "stranger"
"""Who appended, in either scope."""

FOREIGN_KEY = "foreign"
"""The idempotency key of the records in the other scope."""


SECRETS = ("anzibar", "uokka", "xero", "xylo", "Xylo", "quixotic", "parchment", "hidden in", "Eve")
"""Only in the other scope, and in no question that `asks` makes of a guess."""


def guess(known: Known) -> Known:
    """The same in form, and true of no scope."""
    texts: dict[str, str] = {}
    for text in dict.fromkeys((*known.names, *known.words)):
        texts[text] = f"{'w' * (len(text) - 2)}{len(texts):02d}" if text in UNSHARED else text
    for id in (*known.digests, *known.records):
        for part in ID.findall(id):
            texts.setdefault(part, mint(part.partition("_")[0]))

    def put(text: str) -> str:
        return texts.get(text) or ID.sub(lambda part: texts[part[0]], text)

    return Known(
        {put(id): digest for id, digest in known.digests.items()},
        tuple(map(put, known.names)),
        tuple(map(put, known.words)),
        tuple(map(put, known.records)),
        texts,
    )


ID = re.compile(r"(?:fact|ep|ent|prd|rec|lin)_[a-z2-7]{24}")
"""The parts of ids that are random."""

UNSHARED = (
    "Zanzibar",
    "Quokkaville",
    "xylophone",
    "quixotic",
    "parchment",
    "Xylographia",
    "vellum",
    "xerographer",
)
"""Names and words that only the other scope has."""


def asks(known: Known) -> Iterator[dict[str, Any]]:
    """Everything that can be asked with what is known."""
    texts = [*known.names, *known.words, " ".join(known.words), " ".join(known.names)]
    for text in texts:
        yield query(text)
    for word in known.words:
        yield query("kettle water", query_text=word)
    for kind in ("fact", "episode", "graph", "memory"):
        yield query(f"{known.words[0]} kettle copper", kinds=[kind])
    for instant in (AS_OF, "2000-01-01T00:00:00Z", "9000-01-01T00:00:00Z"):
        yield query("copper water", **{KNOWN_AT: instant})
    for anchor in anchors(known):
        yield query("kettle", anchors=[anchor])
        yield query("", anchors=[anchor], kinds=["graph"])
    yield query("kettle", anchors=list(anchors(known)))
    yield verify(known.digests)
    for id, digest in known.digests.items():
        yield verify({id: digest})
        yield verify({id: "sha256:" + "1" * 64})
        yield resolve(id, digest)
        yield resolve(id, "sha256:" + "1" * 64)
        yield resolve(id, digest, known_at=2_000_000_000_000_000)
    yield on_records("get", known.records)
    yield on_records("get", known.records, **{KNOWN_AT: "9000-01-01T00:00:00Z"})
    for dry_run in (True, False):
        yield on_records("erase", known.records, reason="mine", dry_run=dry_run)
    for wanted in ("compact", "reference"):
        yield query(" ".join(known.words), representation_preferences=[wanted])


def anchors(known: Known) -> Iterator[str]:
    """Every way to name an entity or a frame."""
    for name in (*known.names, *known.words):
        yield name
        yield f"memory:entity/{quote(name, safe='')}"
    for id in known.digests:
        yield id
        yield f"memory:frame/{quote(id, safe='')}"
        yield f"memory:episode/{id.partition('#')[0]}"
    for id in known.records:
        yield from (
            id,
            f"lineage:{id}",
            f"record:{id}",
            f"memory:record/{id}",
            f"memory:frame/lineage%3A{id}",
        )


def query(text: str, **members: Any) -> dict[str, Any]:
    """A query with room for everything, and an account of all that was looked at."""
    asked = {"goal": text, "max_frames": 1000, "max_tokens": 1_000_000, "as_of": AS_OF, EXPLAIN: True}
    return {"type": "query", "id": "q", "query": {**asked, **members}}


def verify(digests: Mapping[str, str]) -> dict[str, Any]:
    """A verification."""
    frames = [
        {"provider_id": "p", "frame_id": id, "content_digest": digest} for id, digest in digests.items()
    ]
    return {"type": "verify", "id": "q", "request": {"frames": frames}}


def resolve(id: str, digest: str, known_at: int | None = None) -> dict[str, Any]:
    """A request for what a frame says, by a handle made up of what is known."""
    reference = {"provider_id": "p", "uri": content_uri(id, digest, known_at)}
    return {"type": "memory-provider:resolve", "id": "q", "request": {"content_ref": reference}}


def appended(record_id: str, lineage_id: str) -> dict[str, Any]:
    """A request to append a record under ids and a key that may be taken elsewhere."""
    record = {
        "schema_version": "contextgraph/lifecycle/1.0-draft",
        "record_id": record_id,
        "lineage_id": lineage_id,
        "record_kind": "knowledge",
        "record_status": "active",
        "scope": {"user_id": "stranger"},
        "sharing_scope": "user",
        "observed_at": "2026-01-01T00:00:00Z",
        "origin": "declared",
        "provenance": {"origin_provider_id": "tests", "producer_kind": "human"},
        "knowledge_kind": "fact",
        "statement": "nothing of theirs",
    }
    request = {"records": [hashed(record)], "idempotency_key": FOREIGN_KEY}
    return {"type": "memory-provider:records_append", "id": "q", "request": request}


def on_records(operation: str, ids: Iterable[str], **members: Any) -> dict[str, Any]:
    """A request to read or to erase records."""
    request = {"record_ids": list(ids), **members}
    return {"type": f"memory-provider:records_{operation}", "id": "q", "request": request}
