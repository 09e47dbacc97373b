"""A store as something to be looked after: its schema, what is wrong in it, and a scope carried elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...temporal.instants import Instant
from ..records import (
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    NewVersion,
    Predicate,
    SourceLink,
    Tombstone,
)


class Finding(NamedTuple):
    """Something that is wrong in a store."""

    check: str
    scope: str | None
    what: str
    """What is wrong, where: ids, never contents."""


class Layout(NamedTuple):
    """The state of a database's schema."""

    server: str
    """Name and version of the engine."""
    applied: Sequence[str]
    pending: Sequence[str]


class Dump(NamedTuple):
    """A batch of rows of one scope, as export writes and import reads them. Order: parents before children."""

    clock: Instant
    entities: Sequence[Entity] = ()
    predicates: Sequence[Predicate] = ()
    episodes: Sequence[Episode] = ()
    versions: Sequence[NewVersion] = ()
    links: Sequence[SourceLink] = ()
    tombstones: Sequence[Tombstone] = ()
    idempotency: Sequence[IdempotencyRecord] = ()
    records: Sequence[IndexedRecord] = ()
