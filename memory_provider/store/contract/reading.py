"""What a store is asked, at which moment, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from ...temporal.instants import Instant
from ..records import (
    CitedFact,
    ContextRecord,
    Entity,
    Episode,
    EpisodeChunk,
    IndexedRecord,
    ObjectValue,
    Predicate,
    StandingFact,
    Tombstone,
    Version,
)

Answered = TypeVar("Answered", covariant=True)


class Moment(NamedTuple):
    """The two instants of a view.

    `known_at` None means everything committed when the read runs: the scope's clock. `as_of` None means the later of
    `now` and the scope's clock, so that a writer reads its own writes.
    """

    as_of: Instant | None
    known_at: Instant | None
    now: Instant


class Answer(NamedTuple, Generic[Answered]):
    """What a read found, and the instants it used."""

    as_of: Instant
    known_at: Instant
    found: Answered


class Pattern(NamedTuple):
    """Which facts; None matches all. An object of type `text` matches the text and the entity of that name."""

    subject: str | None = None
    predicate: str | None = None
    object: ObjectValue | None = None


class Slice(NamedTuple):
    """A page: at most `limit` rows after a cursor (the sort key of the last row seen, or None)."""

    limit: int
    after: tuple[Any, ...] | None = None


class Probe(NamedTuple):
    """What a recall looks for. Terms and names come analysed; a store treats them as opaque words."""

    terms: Sequence[str]
    """Stemmed search terms, letters and digits only, most informative first unknown; a match has any of them."""
    names: Sequence[str]
    """Normalised word sequences of the question that might be an entity's name or alias."""
    entities: Sequence[str]
    """Exact entity names to treat as matched (anchors)."""
    ids: Sequence[str]
    """Fact and episode ids to fetch if they are in view (anchors)."""
    facts: int
    """How many facts to return at the most from full-text search; 0 leaves the arm out."""
    episodes: int
    """How many episode chunks at the most from full-text search; 0 leaves the arm out."""
    relations: int
    """How many relations at the most around the matched entities; 0 leaves the arm out."""
    records: int = 0
    """How many context records at the most from full-text search; 0 leaves the arm out."""
    frames: Sequence[str] = ()
    """The kinds of frame that a context record may be served as."""
    lineages: Sequence[str] = ()
    """Lineages whose records to fetch if they are in view and of such a kind (anchors)."""


SPOKEN = 5
"""How many of the episodes that a matched entity spoke a recall fetches, when it asks for episodes."""


class Scored(NamedTuple, Generic[Answered]):
    """A hit of full-text search; a larger score is better, and comparable only within one answer."""

    hit: Answered
    score: float


class Candidates(NamedTuple):
    """What a recall found, arm by arm, all within the scope and both clocks."""

    facts: Sequence[Scored[CitedFact]]
    episodes: Sequence[Scored[EpisodeChunk]]
    entities: Sequence[Entity]
    """Entities matched by name, alias or anchor."""
    relations: Sequence[CitedFact]
    """Relations known at `known_at`, whenever valid, with a matched entity at either end; newest first."""
    anchored_facts: Sequence[CitedFact]
    """Facts in view named by id, and at most `Probe.facts` with an anchored entity (`Probe.entities`) at either end;
    newest first."""
    anchored_episodes: Sequence[EpisodeChunk]
    """All chunks of episodes in view named by id."""
    spoken_episodes: Sequence[EpisodeChunk]
    """All chunks of the `SPOKEN` newest episodes in view that each matched entity spoke."""
    predicates: Sequence[Predicate]
    """The predicates of `relations`."""
    records: Sequence[Scored[IndexedRecord]]
    """Context records in view, without their bodies: known and standing at `known_at`, inside their window at `as_of`,
    retained at `Moment.now`, and served as one of the kinds of frame asked for."""
    anchored_records: Sequence[IndexedRecord]
    """Those of the lineages asked for."""
    more: int
    """A lower bound of further matches that the limits left out."""


class Neighbourhood(NamedTuple):
    """Entities and relations reached from a start, valid in the view."""

    entities: Sequence[Entity]
    relations: Sequence[StandingFact]
    truncated: bool


class Held(NamedTuple):
    """What the store knows of ids someone holds. Ids it never issued in this scope appear nowhere."""

    facts: dict[str, Version]
    """For each fact id asked for, and for the lines it was absorbed by (`absorbed_by`, followed to the end): the
    version standing at `known_at`, else its last version recorded by then."""
    chunks: dict[tuple[str, int], str]
    """Digest of each chunk of each episode asked for, by episode id and chunk number."""
    entities: dict[str, Entity]
    relations: dict[str, Sequence[Version]]
    """By entity id: its relations known at `known_at`, whenever valid."""
    predicates: dict[str, Predicate]
    """All of the scope's, by name, when entities were asked for."""
    tombstones: dict[str, Tombstone]
    lineages: Mapping[str, ContextRecord] = MappingProxyType({})
    """For each lineage asked for: its last record recorded by `known_at`, without its body."""


class ChangeRow(NamedTuple):
    """One row of what happened: exactly one of the four is set."""

    at: Instant
    version: Version | None = None
    """A version recorded or superseded at `at`."""
    episode: Episode | None = None
    """Without chunks' terms; recorded at `at`."""
    tombstone: Tombstone | None = None
    record: ContextRecord | None = None
    """Without its body; recorded at `at`."""


class ScopeSummary(NamedTuple):
    """A scope and how much it holds."""

    name: str
    clock: Instant
    facts: int
    """Standing versions."""
    versions: int
    episodes: int
    entities: int
    records: int = 0
    """Context records, standing or not."""
