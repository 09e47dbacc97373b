"""Rows of the tables as records, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..records import (
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
)

VERSION = (
    "f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to, f.recorded_at,"
    " f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by"
)
"""The columns of `facts AS f` that make a version."""

LINK = (
    "l.id, l.claim, l.fact_id, l.episode_id, l.file_uri, l.file_digest, l.file_range, l.by, l.method, l.confidence,"
    " l.spoke_from, l.spoke_to, l.covers_from, l.covers_to, l.recorded_at, l.attached_at, l.detached_at,"
    " l.original_recorded_at"
)
"""The columns of `links AS l`."""

EPISODE = (
    "e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position, e.previous,"
    " e.original_recorded_at"
)
"""The columns of `episodes AS e`, without its chunks."""

CHUNK = "c.number, c.first_byte, c.end_byte, c.digest, c.terms, c.context"
"""The columns of `chunks AS c`."""

PIECE = f"{EPISODE.replace('e.text', 'CASE c.number WHEN 0 THEN e.text END')}, e.row_id, {CHUNK}"
"""The columns of `episodes AS e` and `chunks AS c` that make a chunk, but for the text of a long episode."""

PREDICATE = "p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared"
"""The columns of `predicates AS p`."""

TOMBSTONE = "t.id, t.kind, t.erased_at, t.reason, t.by"
"""The columns of `tombstones AS t`."""

IDEMPOTENCY = (
    "i.key, i.arguments, i.recorded_at, i.episode_id, i.claim, i.fact_ids, i.superseded_ids, i.erased,"
    " i.record_ids, i.expires_at"
)
"""The columns of `idempotency AS i`."""

RECORD = (
    "r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from, r.valid_to,"
    " r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest, r.sharing, r.subjects,"
    " r.retention, r.client, r.by, r.original_recorded_at"
)
"""The columns of `context_records AS r`, without the body."""

WHOLE_RECORD = RECORD.replace("''", "r.body")
"""The columns of `context_records AS r`."""


def version_of(row: Any) -> Version:
    """A version from a row that begins with `VERSION`."""
    return Version(
        row[0],
        row[1],
        row[2],
        ObjectValue(row[3], row[4]),
        row[5],
        row[6],
        row[7],
        row[8],
        row[9],
        row[10],
        row[11],
        row[12],
        row[13],
    )


def link_of(row: Any) -> SourceLink:
    """A link from a row of `LINK`."""
    return SourceLink._make(row)


def chunk_of(row: Any) -> Chunk:
    """A chunk from a row of `CHUNK`."""
    return Chunk._make(row)


def episode_of(row: Any, chunks: Iterable[Chunk]) -> Episode:
    """An episode from a row that begins with `EPISODE`."""
    return Episode(
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], tuple(chunks), row[9]
    )


def predicate_of(row: Any) -> Predicate:
    """A predicate from a row of `PREDICATE`."""
    return Predicate(row[0], row[1], row[2], row[3], row[4], row[5], bool(row[6]))


def entity_of(row: Any) -> Entity:
    """An entity from a row of id and name."""
    return Entity(row[0], row[1])


def tombstone_of(row: Any) -> Tombstone:
    """A tombstone from a row of `TOMBSTONE`."""
    return Tombstone._make(row)


def idempotency_of(row: Any) -> IdempotencyRecord:
    """An idempotency record from a row of `IDEMPOTENCY`."""
    facts, superseded, records = (tuple(json.loads(each)) for each in (row[5], row[6], row[8]))
    return IdempotencyRecord(
        row[0], row[1], row[2], row[3], row[4], facts, superseded, bool(row[7]), records, row[9]
    )


def record_of(row: Any) -> ContextRecord:
    """A context record from a row that begins with `RECORD` or `WHOLE_RECORD`."""
    subjects = tuple((name, value) for name, value in json.loads(row[17]))
    return ContextRecord._make((*row[:17], subjects, *row[18:22]))


def fact_row(row_id: int, scope: int, new: NewVersion) -> tuple[Any, ...]:
    """A row of `facts`."""
    version = new.version
    return (
        row_id,
        scope,
        version.valid_from,
        version.valid_to,
        version.recorded_at,
        version.superseded_at,
        version.id,
        version.subject,
        version.predicate,
        version.object.type,
        version.object.text,
        version.statement,
        version.digest,
        version.cause,
        version.ended_by,
        version.absorbed_by,
        new.alias,
        new.terms,
    )


def link_row(scope: int, link: SourceLink) -> tuple[Any, ...]:
    """A row of `links`."""
    return (scope, link.fact_id, link.id, link.claim, *link[3:])


def episode_row(row_id: int, scope: int, episode: Episode) -> tuple[Any, ...]:
    """A row of `episodes`."""
    return (
        row_id,
        scope,
        episode.occurred_at,
        episode.recorded_at,
        episode.id,
        episode.text,
        episode.source,
        episode.speaker,
        episode.session,
        episode.position,
        episode.previous,
        episode.original_recorded_at,
    )


def idempotency_row(scope: int, record: IdempotencyRecord) -> tuple[Any, ...]:
    """A row of `idempotency`."""
    return (
        scope,
        *record[:5],
        json.dumps(record.fact_ids),
        json.dumps(record.superseded_ids),
        record.erased,
        json.dumps(record.record_ids),
        record.expires_at,
    )


def record_row(row_id: int, scope: int, new: IndexedRecord) -> tuple[Any, ...]:
    """A row of `context_records`."""
    record = new.record
    return (
        row_id,
        scope,
        *record[:17],
        json.dumps(record.subjects, ensure_ascii=False),
        *record[18:],
        new.terms,
    )
