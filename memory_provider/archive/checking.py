"""What every row of an archive must hold, written or read."""

from __future__ import annotations

from collections.abc import Iterator

from ..memory.integrity import episode_faults, link_faults, record_faults, version_faults
from ..memory.values import check_name
from ..store.records import (
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    Predicate,
    SourceLink,
    Tombstone,
)
from ..temporal.errors import InvalidInput
from ..temporal.instants import OPEN, Instant
from .rows import Row


def faults(row: Row, clock: Instant) -> Iterator[str]:
    """What is wrong with a row on its own, or beside the scope's clock; ids only."""
    match row:
        case Entity():
            yield from _names((row.name, "an entity's name"))
        case Predicate():
            yield from _names((row.name, "a predicate's name"))
        case Episode():
            yield from (str(fault) for fault in episode_faults(row))
        case NewVersion(version):
            yield from (str(fault) for fault in version_faults(version))
            yield from _names((version.subject, "a subject"), (version.predicate, "a predicate's name"))
        case SourceLink():
            yield from (str(fault) for fault in link_faults(row))
        case IndexedRecord(record):
            yield from (str(fault) for fault in record_faults(record))
            yield from _names((record.id, "a record's id"), (record.lineage, "a lineage's id"))
    if any(instant != OPEN and instant > clock for instant in _recorded(row)):
        yield "recorded after the clock of the scope"


def _names(*named: tuple[str, str]) -> Iterator[str]:
    for name, what in named:
        try:
            check_name(name, what)
        except InvalidInput as problem:
            yield str(problem)


def _recorded(row: Row) -> tuple[Instant, ...]:
    match row:
        case NewVersion(version):
            return version.recorded_at, version.superseded_at
        case SourceLink():
            return row.attached_at, row.detached_at
        case IndexedRecord(record):
            return record.recorded_at, record.superseded_at
        case Episode() | IdempotencyRecord():
            return (row.recorded_at,)
        case Tombstone():
            return (row.erased_at,)
    return ()
