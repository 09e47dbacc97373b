"""From the lists that statements answer with to records. The order of values is the one the queries write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...temporal.instants import OPEN
from ..records import (
    Chunk,
    Citation,
    CitedFact,
    ContextRecord,
    Entity,
    Episode,
    EpisodeChunk,
    IdempotencyRecord,
    ObjectValue,
    Predicate,
    SourceLink,
    StandingFact,
    Tombstone,
    Version,
)

Row = Sequence[Any]


def version(row: Row) -> Version:
    """[id, subject, predicate, object_type, object_text, valid_from, valid_to, …] of a `Fact`."""
    return Version(row[0], row[1], row[2], ObjectValue(row[3], row[4]), *row[5:])


def links(rows: Iterable[Row]) -> list[SourceLink]:
    """Source links, in the order they were attached."""
    return sorted((SourceLink(*row) for row in rows), key=lambda link: (link.attached_at, link.id))


def standing_fact(fact: Row, sources: Sequence[Row]) -> StandingFact:
    """A version in view with its links, oldest claim first."""
    found = [SourceLink(*row) for row in sources]
    if len(found) > 1:
        found.sort(key=lambda link: (link.recorded_at, link.id))
    return StandingFact(version(fact), tuple(found))


def cited_fact(fact: Row, citations: Iterable[Row]) -> CitedFact:
    """A version in view and its terms, with its citations, which come oldest claim first."""
    return CitedFact(version(fact[:-1]), tuple(map(Citation._make, citations)), fact[-1])


def recorded_fact(fact: Row, sources: Sequence[Row]) -> StandingFact:
    """A version in a history with its links, in the order they were attached."""
    return StandingFact(version(fact), tuple(links(sources)))


def entity(row: Row) -> Entity:
    """[id, name] of an `Entity`."""
    return Entity(row[0], row[1])


def predicate(row: Row) -> Predicate:
    """[id, name, cardinality, object_type, label, inverse_label, declared] of a `Predicate`."""
    return Predicate(*row)


def tombstone(row: Row) -> Tombstone:
    """[id, kind, erased_at, reason, by] of a `Tombstone`."""
    return Tombstone(*row)


def idempotency(row: Row) -> IdempotencyRecord:
    """[key, arguments, recorded_at, episode_id, claim, fact_ids, superseded_ids, erased, record_ids, expires_at] of an
    `Idempotency`; the last two are null in those of older releases."""
    (
        key,
        arguments,
        recorded_at,
        episode_id,
        claim,
        fact_ids,
        superseded_ids,
        erased,
        record_ids,
        expires_at,
    ) = row
    return IdempotencyRecord(
        key,
        arguments,
        recorded_at,
        episode_id,
        claim,
        tuple(fact_ids or ()),
        tuple(superseded_ids or ()),
        erased,
        tuple(record_ids or ()),
        OPEN if expires_at is None else expires_at,
    )


def record(row: Row) -> ContextRecord:
    """[id, lineage, kind, status, statement, body, digest, …] of a `ContextRecord`."""
    subjects = tuple((name, value) for name, _, value in (each.partition("=") for each in row[17]))
    return ContextRecord._make((*row[:17], subjects, *row[18:]))


def episode(row: Row) -> Episode:
    """[id, text, occurred_at, recorded_at, source, speaker, session, position, previous, original, chunks]."""
    id, text, occurred_at, recorded_at, source, speaker, session, position, previous, original, chunks = row
    return Episode(
        id,
        text,
        occurred_at,
        recorded_at,
        source,
        speaker,
        session,
        position,
        previous,
        tuple(Chunk(*chunk) for chunk in chunks),
        original,
    )


def pieces(whole: Episode) -> list[EpisodeChunk]:
    """Each chunk of an episode with its own text."""
    return [EpisodeChunk(whole, chunk, _own_text(whole, chunk)) for chunk in whole.chunks]


def _own_text(whole: Episode, chunk: Chunk) -> str:
    """A chunk of number 0 is all its episode has; else it is a range of the episode's UTF-8 bytes."""
    return whole.text.encode()[chunk.start : chunk.end].decode() if chunk.number else whole.text
