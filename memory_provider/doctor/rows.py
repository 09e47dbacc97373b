"""Checks that look at one row at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..memory.integrity import episode_faults, link_faults, record_faults, told, version_faults
from ..memory.records.planning import record_terms
from ..memory.text.analysis import document_terms
from ..memory.writing.predicates import ALIAS
from ..store.contract import Dump
from ..store.names import normalise_name
from ..store.records import Episode, NewVersion, Predicate
from ..temporal.instants import OPEN, Instant


def row_faults(batch: Dump, predicates: Mapping[str, Predicate]) -> Iterator[tuple[str, str]]:
    """What is wrong with the rows of a batch, each on its own."""
    for new in batch.versions:
        yield from version_faults(new.version)
        yield from _terms_of_version(new)
        yield from _type_of_version(new, predicates)
    for link in batch.links:
        yield from link_faults(link)
    for episode in batch.episodes:
        yield from episode_faults(episode)
        yield from _terms_of_episode(episode)
    for indexed in batch.records:
        yield from record_faults(indexed.record)
        if indexed.terms != record_terms(indexed.record):
            yield "search terms of another text", indexed.record.id
    yield from _later_than(batch)


def _terms_of_version(new: NewVersion) -> Iterator[tuple[str, str]]:
    version = new.version
    name = f"{version.id} recorded at {told(version.recorded_at)}"
    if new.terms != document_terms(version.statement):
        yield "search terms of another text", name
    alias = normalise_name(version.object.text) if version.predicate == ALIAS else None
    if (new.alias or None) != (alias or None):
        yield "alias that the fact does not say", name


def _type_of_version(new: NewVersion, predicates: Mapping[str, Predicate]) -> Iterator[tuple[str, str]]:
    predicate = predicates.get(new.version.predicate)
    if predicate and predicate.object_type != new.version.object.type:
        yield (
            "object of a type that its predicate does not take",
            f"{new.version.id}: {new.version.object.type}, where {predicate.id} takes {predicate.object_type}",
        )


def _terms_of_episode(episode: Episode) -> Iterator[tuple[str, str]]:
    data = episode.text.encode()
    for place, chunk in enumerate(episode.chunks):
        said = data[chunk.start : chunk.end].decode(errors="replace")
        if chunk.terms != document_terms(said):
            yield "search terms of another text", f"{episode.id}#{chunk.number}"
        if place and chunk.context:
            yield "context of another turn", f"{episode.id}#{chunk.number}: only a first chunk has one"


def _later_than(batch: Dump) -> Iterator[tuple[str, str]]:
    """Rows recorded after the scope's clock."""
    for what, instant in _recorded(batch):
        if batch.clock < instant != OPEN:
            yield "recorded after the clock", f"{what} at {told(instant)}, the clock at {told(batch.clock)}"


def _recorded(batch: Dump) -> Iterator[tuple[str, Instant]]:
    for version, *_ in batch.versions:
        yield f"{version.id} recorded", version.recorded_at
        yield f"{version.id} superseded", version.superseded_at
    for link in batch.links:
        yield f"{link.id} attached", link.attached_at
        yield f"{link.id} detached", link.detached_at
    for episode in batch.episodes:
        yield f"{episode.id} recorded", episode.recorded_at
    for stone in batch.tombstones:
        yield f"{stone.id} erased", stone.erased_at
    for done in batch.idempotency:
        yield "an idempotency record made", done.recorded_at
    for record, _ in batch.records:
        yield f"{record.id} recorded", record.recorded_at
        yield f"{record.id} superseded", record.superseded_at
