"""What a store is asked to write or to erase: what a plan needs, what it is given, and what it makes of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ...temporal.instants import Instant
from ..records import (
    ContextRecord,
    Entity,
    Episode,
    IdempotencyRecord,
    IndexedRecord,
    Key,
    NewVersion,
    ObjectValue,
    Predicate,
    SessionTail,
    SourceLink,
    Supersession,
    Tombstone,
    Version,
)


class Needs(NamedTuple):
    """What a plan wants to know before it decides. Everything is looked up in the scope only."""

    keys: Collection[Key] = ()
    predicates: Collection[str] = ()
    entities: Collection[str] = ()
    episodes: Collection[str] = ()
    sessions: Collection[str] = ()
    idempotency: Collection[str] = ()
    """Key hashes."""
    standing_of_predicates: Collection[str] = ()
    """Predicates all of whose standing versions are wanted (to check a change from `many` to `one`)."""
    objects: Collection[tuple[Key, ObjectValue]] = ()
    """Keys of which only the standing versions of one object are wanted, however many others there are."""
    records: Collection[str] = ()
    """Ids of context records."""
    lineages: Collection[str] = ()
    """Lineages of context records."""


class Loaded(NamedTuple):
    """What stood under the lock."""

    clock: Instant
    """The recorded time of the scope's last transaction; `PAST` when there is none."""
    versions: Sequence[Version]
    """The standing versions (superseded_at open) of the keys, predicates and objects asked for, each once."""
    links: Sequence[SourceLink]
    """The attached links (detached_at open) of those versions' lines."""
    predicates: dict[str, Predicate]
    entities: dict[str, Entity]
    episodes: dict[str, Instant]
    """For each id asked for that exists: when the episode occurred."""
    sessions: dict[str, SessionTail]
    idempotency: dict[str, IdempotencyRecord]
    records: Mapping[str, ContextRecord] = MappingProxyType({})
    """Those asked for that are there, without their bodies, by id."""
    lineages: Mapping[str, ContextRecord] = MappingProxyType({})
    """The last record of each lineage asked for, standing or not, without its body."""
    erased: frozenset[str] = frozenset()
    """Which of the ids asked for are those of erased records."""


class Changes(NamedTuple):
    """What a transaction writes. All lists may be empty; rows are written as given."""

    recorded_at: Instant | None
    """The scope's clock moves here; None leaves it (declaring a predicate, a pure duplicate)."""
    entities: Sequence[Entity] = ()
    """New ones only."""
    predicates: Sequence[Predicate] = ()
    """New or changed; matched by name."""
    superseded: Sequence[Supersession] = ()
    versions: Sequence[NewVersion] = ()
    detached: Sequence[str] = ()
    """Ids of links whose `detached_at` becomes `recorded_at`."""
    links: Sequence[SourceLink] = ()
    episodes: Sequence[Episode] = ()
    idempotency: Sequence[IdempotencyRecord] = ()
    superseded_records: Sequence[str] = ()
    """Ids of standing context records whose `superseded_at` becomes `recorded_at`."""
    records: Sequence[IndexedRecord] = ()


Plan = Callable[[Loaded], Changes]


class Selection(NamedTuple):
    """What to erase. Exactly one of: fact filter (any of the first three), `episode`, `entity`, `record`.

    An object of type `text` matches the text and the entity of that name.
    """

    subject: str | None = None
    predicate: str | None = None
    object: ObjectValue | None = None
    episode: str | None = None
    entity: str | None = None
    record: str | None = None


class Erasable(NamedTuple):
    """Everything a selection touches, at every recorded time."""

    clock: Instant
    matched: frozenset[str]
    """Ids of lines whose facts match the filter, or that have the entity at either end: they go whole."""
    versions: Sequence[Version]
    """Every version, standing or not, of the matched lines and of the lines the matched episodes back."""
    links: Sequence[SourceLink]
    """Every link, attached or not, of those lines."""
    terms: dict[str, str]
    """Search terms of each line (its statement is the same in all versions of one recorded statement)."""
    episodes: Sequence[Episode]
    """The episodes that go: the one selected, or those the entity spoke."""
    entity: Entity | None
    naming: Sequence[str]
    """Ids of other episodes whose text still names the entity or one of its aliases, and those of context records
    whose body does, as `record_tombstone` spells them."""
    records: Sequence[ContextRecord] = ()
    """The context record that goes, without its body."""
    bereft: Collection[str] = ()
    """Lineages that have no other record."""


class Erasure(NamedTuple):
    """What an erase writes. Afterwards nothing of the erased content is left in any table, property or index.

    An entity that no version and no speaker names any longer goes too, with a tombstone like the first of these, and an
    undeclared predicate that no version has: their names are content.
    """

    recorded_at: Instant
    facts: Collection[str] = ()
    """Ids of lines all of whose versions, links and edges are deleted."""
    rewritten: Sequence[NewVersion] = ()
    """For lines in `facts` that something remains of: the versions that take their place, standing or not."""
    links: Sequence[SourceLink] = ()
    """The links of the rewritten versions."""
    episodes: Collection[str] = ()
    """Deleted with their chunks; the context of the turn after each is emptied."""
    entities: Collection[str] = ()
    """Names of entities deleted."""
    claims: Collection[str] = ()
    """Claims that are gone: idempotency records made by them, or by the episodes, are marked erased."""
    tombstones: Sequence[Tombstone] = ()
    records: Collection[str] = ()
    """Ids of context records deleted. Idempotency records that name one are marked erased and lose their arguments."""


ErasePlan = Callable[[Erasable], Erasure]


def record_tombstone(record: str) -> str:
    """The id that a context record has among tombstones: its own was chosen by a client, and might be a fact's."""
    return f"record:{record}"


def lineage_tombstone(lineage: str) -> str:
    """The id that a lineage has among tombstones, once none of its records is left."""
    return f"lineage:{lineage}"
