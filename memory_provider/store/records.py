"""The rows every store keeps, as plain values.

All instants are microseconds since the Unix epoch; `PAST` and `OPEN` from `temporal.instants` mark unbounded sides.
Named tuples, because recall builds hundreds of them per question.
"""

from __future__ import annotations

from typing import NamedTuple

from ..temporal.instants import OPEN, Instant
from ..temporal.windows import Window


class ObjectValue(NamedTuple):
    """The object of a fact: its type and its canonical text. Equal when both are."""

    type: str
    """`text`, `integer`, `number`, `boolean`, `date`, `instant` or `entity`."""
    text: str
    """For an entity its name, else the one canonical spelling of the value."""

    @property
    def is_entity(self) -> bool:
        return self.type == "entity"


class Key(NamedTuple):
    """What the rewriting rules work on: all facts of one subject and predicate."""

    subject: str
    predicate: str


class Entity(NamedTuple):
    """A named thing of a scope. The id is random and outlives nothing: erased with the entity."""

    id: str
    name: str


class Predicate(NamedTuple):
    """How a predicate is declared (or was first used) in a scope."""

    id: str
    name: str
    cardinality: str
    """`one` or `many`."""
    object_type: str | None
    """None until the first write fixes it."""
    label: str
    inverse_label: str | None
    declared: bool


class Version(NamedTuple):
    """One version of a fact line: what the store believed of it during a span of recorded time.

    `(id, recorded_at)` is unique in a scope; at any recorded time at most one version of an id stands.
    """

    id: str
    subject: str
    predicate: str
    object: ObjectValue
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant
    statement: str
    """Rendered at write, without the validity: `Alice lives in Lyon`."""
    digest: str
    """`sha256:…` over statement and validity in words: what a frame of this version says."""
    cause: str
    """The operation that made this version: `assert`, `correct`, `retract` or `erase`."""
    ended_by: str | None = None
    """The operation that superseded it, or None while it stands."""
    absorbed_by: str | None = None
    """The id of the line it merged into, when that is how it ended."""

    @property
    def key(self) -> Key:
        return Key(self.subject, self.predicate)

    @property
    def window(self) -> Window:
        return Window(self.valid_from, self.valid_to)

    @property
    def stands(self) -> bool:
        """Whether the latest knowledge still holds this version."""
        return self.superseded_at == OPEN


class VersionRef(NamedTuple):
    """Names one version."""

    id: str
    recorded_at: Instant


class NewVersion(NamedTuple):
    """A version to be written, with what search needs and what it takes the place of."""

    version: Version
    terms: str
    """Search terms of the statement, space-separated, already stemmed: letters and digits only."""
    alias: str | None
    """The normalised name, when the fact says that its subject is also known by it."""
    replaces: tuple[VersionRef, ...] = ()
    """The versions of the same key, superseded in this transaction, whose window this one overlaps or continues."""


class Supersession(NamedTuple):
    """Ends the belief in one standing version."""

    id: str
    recorded_at: Instant
    """Of the version that ends."""
    ended_by: str
    absorbed_by: str | None = None


class SourceLink(NamedTuple):
    """Who says so: one claim's backing of one fact line.

    A claim is one assertion. When lines split or merge, its links are re-attached; `claim` stays the same.
    """

    id: str
    claim: str
    fact_id: str
    episode_id: str | None
    file_uri: str | None
    file_digest: str | None
    file_range: str | None
    by: str | None
    method: str
    """`stated`, `corrected` or `imported`."""
    confidence: float | None
    spoke_from: Instant
    spoke_to: Instant
    """The window the claim spoke for."""
    covers_from: Instant
    covers_to: Instant
    """The part of it that backs this line (cut where the object was overridden or retracted since)."""
    recorded_at: Instant
    """When the claim was recorded."""
    attached_at: Instant
    detached_at: Instant = OPEN
    """While, in recorded time, it backed this line."""
    original_recorded_at: Instant | None = None
    """The recorded time in the memory it was imported from, when the import restamped it."""

    @property
    def covers(self) -> Window:
        return Window(self.covers_from, self.covers_to)


class Chunk(NamedTuple):
    """A stretch of an episode's text, in UTF-8 bytes `[start, end)`; an episode of one chunk has number 0."""

    number: int
    """0 when the episode is one chunk; else 1, 2, … in order."""
    start: int
    end: int
    digest: str
    terms: str
    """Search terms of the text."""
    context: str
    """Search terms of the turn before it in its session (first chunk only), or empty."""


class Episode(NamedTuple):
    """Something that happened or was said, verbatim."""

    id: str
    text: str
    occurred_at: Instant
    recorded_at: Instant
    source: str | None
    speaker: str | None
    session: str | None
    position: int | None
    """Its order in its session, from 1; None without a session."""
    previous: str | None
    """The id of the turn before it in its session, whose terms its context holds."""
    chunks: tuple[Chunk, ...]
    original_recorded_at: Instant | None = None

    def text_of(self, chunk: Chunk) -> str:
        """The stretch of the text that one of its chunks is."""
        return self.text.encode()[chunk.start : chunk.end].decode() if chunk.number else self.text


class SessionTail(NamedTuple):
    """The last turn of a session so far."""

    episode_id: str
    position: int
    terms: str


class Tombstone(NamedTuple):
    """What remains of something erased: no content and no digest."""

    id: str
    kind: str
    """`fact`, `episode`, `entity`, `claim`, `record` or `lineage`."""
    erased_at: Instant
    reason: str
    by: str | None


class IdempotencyRecord(NamedTuple):
    """An operation that was done under a key, as keyed hashes, and what it answered."""

    key: str
    arguments: str
    recorded_at: Instant
    episode_id: str | None
    claim: str | None
    """The claim the operation made, if any: when it is erased, the record answers `erased`."""
    fact_ids: tuple[str, ...]
    superseded_ids: tuple[str, ...]
    erased: bool = False
    record_ids: tuple[str, ...] = ()
    """The context records that a batch wrote, or found there."""
    expires_at: Instant = OPEN
    """When the key may no longer be used."""


class StandingFact(NamedTuple):
    """A version with the source links a view shows for it."""

    version: Version
    sources: tuple[SourceLink, ...]


class Citation(NamedTuple):
    """Who says so: as much of a source link as a frame shows."""

    episode_id: str | None
    file_uri: str | None
    file_digest: str | None
    file_range: str | None
    by: str | None
    method: str


class CitedFact(NamedTuple):
    """A version as search and frames see it, with its sources in the order of their claims, oldest first."""

    version: Version
    citations: tuple[Citation, ...]
    terms: str
    """Search terms of the statement."""


class EpisodeChunk(NamedTuple):
    """One chunk of an episode, as search and frames see it."""

    episode: Episode
    """Of its chunks at least this one."""
    chunk: Chunk
    text: str
    """The chunk's own text."""


class ContextRecord(NamedTuple):
    """An immutable document, kept verbatim; the next one of its lineage takes its place.

    Its id is unique in a scope. At any recorded time at most one record of a lineage stands: one that was overtaken
    within its own transaction has an empty span and was never visible.
    """

    id: str
    lineage: str
    kind: str
    """What the document says it is."""
    status: str
    """`active`, `retracted` or `archived`."""
    statement: str | None
    body: str
    """The document. Empty where a read leaves it out."""
    digest: str
    """The document's own hash."""
    observed_at: Instant
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant
    """When the next record of the lineage was recorded. The only thing that is ever set later, and only once."""
    expires_at: Instant
    """The end of its retention: from then on, by the wall clock, it is shown no more, at any recorded time."""
    position: int
    """Its place among the records of its transaction, from 0."""
    frame: str | None
    """The kind of frame that it is served as; None when it is not served."""
    frame_digest: str | None
    """`sha256:…` over the statement: what the frame's content hashes to."""
    sharing: str
    subjects: tuple[tuple[str, str], ...]
    """Whom and what it is about: names and values, ordered by name."""
    retention: str | None
    """The name of its retention class."""
    client: str
    """Who appended it."""
    by: str | None
    """Who made it, as a person would cite it."""
    original_recorded_at: Instant | None = None
    """The recorded time in the memory it was imported from, when the import restamped it."""

    @property
    def window(self) -> Window:
        return Window(self.valid_from, self.valid_to)

    @property
    def stands(self) -> bool:
        """Whether no later record of the lineage has taken its place."""
        return self.superseded_at == OPEN


class IndexedRecord(NamedTuple):
    """A context record with what search needs."""

    record: ContextRecord
    terms: str
    """Search terms of the statement of one that is served as a frame, else empty."""
