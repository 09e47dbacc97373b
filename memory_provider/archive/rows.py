"""Rows of a scope as they stand in an archive.

Search terms and contexts are left out: an import computes them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..memory.records.context_records import FRAME_KINDS, STATUSES
from ..memory.values import OBJECT_TYPES
from ..store.contract import Dump
from ..store.records import (
    Chunk,
    ContextRecord,
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    ObjectValue,
    Predicate,
    SourceLink,
    Tombstone,
    Version,
    VersionRef,
)
from . import members as m
from .members import Member, Unreadable, read_row, write_row

Row = Entity | Predicate | Episode | NewVersion | SourceLink | IndexedRecord | Tombstone | IdempotencyRecord


class Numbered(NamedTuple):
    """A row of an archive, and the line it stands on (from 1)."""

    line: int
    kind: str
    row: Row


_OPERATIONS = ("assert", "correct", "retract", "erase")

_OBJECT = (m.one_of("type", *OBJECT_TYPES), m.text("text"))

_CHUNK = (m.whole("number"), m.whole("start"), m.whole("end"), m.digest("digest"))


def _chunk(number: int, start: int, end: int, digest: str) -> Chunk:
    return Chunk(number, start, end, digest, terms="", context="")


_REPLACED = (m.text("id"), m.instant("recorded_at"))

MEMBERS: dict[str, tuple[Member, ...]] = {
    "entity": (m.text("id"), m.text("name")),
    "predicate": (
        m.text("id"),
        m.text("name"),
        m.one_of("cardinality", "one", "many"),
        m.one_of("object_type", *OBJECT_TYPES, None),
        m.text("label"),
        m.optional_text("inverse_label"),
        m.flag("declared"),
    ),
    "episode": (
        m.text("id"),
        m.text("text"),
        m.instant("occurred_at"),
        m.instant("recorded_at"),
        m.optional_text("source"),
        m.optional_text("speaker"),
        m.optional_text("session"),
        m.optional_whole("position"),
        m.optional_text("previous"),
        m.rows("chunks", _chunk, _CHUNK),
        m.optional_instant("original_recorded_at"),
    ),
    "version": (
        m.text("id"),
        m.text("subject"),
        m.text("predicate"),
        m.nested("object", ObjectValue, _OBJECT),
        m.start("valid_from"),
        m.end("valid_to"),
        m.instant("recorded_at"),
        m.end("superseded_at"),
        m.text("statement"),
        m.digest("digest"),
        m.one_of("cause", *_OPERATIONS),
        m.one_of("ended_by", *_OPERATIONS, None),
        m.optional_text("absorbed_by"),
        m.rows("replaces", VersionRef, _REPLACED),
    ),
    "source": (
        m.text("id"),
        m.text("claim"),
        m.text("fact_id"),
        m.optional_text("episode_id"),
        m.optional_text("file_uri"),
        m.optional_text("file_digest"),
        m.optional_text("file_range"),
        m.optional_text("by"),
        m.one_of("method", "stated", "corrected", "imported"),
        m.share("confidence"),
        m.start("spoke_from"),
        m.end("spoke_to"),
        m.start("covers_from"),
        m.end("covers_to"),
        m.instant("recorded_at"),
        m.instant("attached_at"),
        m.end("detached_at"),
        m.optional_instant("original_recorded_at"),
    ),
    "record": (
        m.text("id"),
        m.text("lineage"),
        m.text("kind"),
        m.one_of("status", *STATUSES),
        m.optional_text("statement"),
        m.text("body"),
        m.digest("digest"),
        m.instant("observed_at"),
        m.start("valid_from"),
        m.end("valid_to"),
        m.instant("recorded_at"),
        m.end("superseded_at"),
        m.end("expires_at"),
        m.whole("position"),
        m.one_of("frame", *FRAME_KINDS.values(), None),
        m.optional_digest("frame_digest"),
        m.text("sharing"),
        m.named_texts("subjects"),
        m.optional_text("retention"),
        m.text("client"),
        m.optional_text("by"),
        m.optional_instant("original_recorded_at"),
    ),
    "tombstone": (
        m.text("id"),
        m.one_of("kind", "fact", "episode", "entity", "claim", "record", "lineage"),
        m.instant("erased_at"),
        m.text("reason"),
        m.optional_text("by"),
    ),
    "idempotency": (
        m.text("key"),
        m.text("arguments"),
        m.instant("recorded_at"),
        m.optional_text("episode_id"),
        m.optional_text("claim"),
        m.texts("fact_ids"),
        m.texts("superseded_ids"),
        m.flag("erased"),
        m.texts("record_ids"),
        m.end("expires_at"),
    ),
}
"""The kinds of row in the order they stand in an archive, and the members of each."""

_FIRST = {kind: members for kind, members in MEMBERS.items() if kind != "record"}
_FIRST["idempotency"] = MEMBERS["idempotency"][:-2]

FORMATS = {1: _FIRST, 2: MEMBERS}
"""The same of each version of the format; the newest is the one that is written."""


def rows_of(batch: Dump) -> Iterator[tuple[str, Row]]:
    """The rows of a batch with their kinds, parents before children."""
    sections: tuple[Sequence[Row], ...] = (
        batch.entities,
        batch.predicates,
        batch.episodes,
        batch.versions,
        batch.links,
        batch.records,
        batch.tombstones,
        batch.idempotency,
    )
    for kind, rows in zip(MEMBERS, sections, strict=True):
        for row in rows:
            yield kind, row


def write(kind: str, row: Row) -> dict[str, Any]:
    """A row as JSON. Raises `Unreadable` for an instant that no calendar has."""
    values: Any = row
    if isinstance(row, NewVersion):
        values = (*row.version, sorted(row.replaces))
    elif isinstance(row, IndexedRecord):
        values = row.record
    return write_row(MEMBERS[kind], values)


def read(kind: str, given: Any, version: int) -> Row:
    """A row from JSON as a version of the format has it. Raises `Unreadable` saying what is wrong with it."""
    values = read_row(FORMATS[version][kind], given)
    match kind:
        case "entity":
            return Entity(*values)
        case "predicate":
            return Predicate(*values)
        case "episode":
            return Episode(*values)
        case "version":
            return NewVersion(Version(*values[:-1]), "", None, values[-1])
        case "source":
            return SourceLink(*values)
        case "record":
            return IndexedRecord(ContextRecord(*values), "")
        case "tombstone":
            return Tombstone(*values)
        case "idempotency":
            return IdempotencyRecord(*values)
    raise Unreadable(f"is of a kind that this format does not have: {kind!r:.80}")
