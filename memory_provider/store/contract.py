"""The contract every store keeps.

A store holds rows and clocks; it decides nothing. Writing is one call: the store locks the scope, loads what the
caller *needs*, hands it to a pure *plan*, writes the plan's *changes* and commits. The whole is retried as a unit, so
a plan may run several times and must not have effects. What a plan raises passes through, and nothing is written.

Reading is one call and one statement (or one read transaction) each, at a `Moment`. Every read answers with the two
instants it used, so that a view can fix them. Scope and both clocks restrict a search before any limit does.

A third store is right when `memory_provider.store.conformance` passes over it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ..temporal.instants import Instant
from .records import (
    CitedFact,
    ContextRecord,
    Entity,
    Episode,
    EpisodeChunk,
    IdempotencyRecord,
    IndexedRecord,
    Key,
    NewVersion,
    ObjectValue,
    Predicate,
    SessionTail,
    SourceLink,
    StandingFact,
    Supersession,
    Tombstone,
    Version,
)

Answered = TypeVar("Answered", covariant=True)


# --- writing ---------------------------------------------------------------------------------------------------


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


# --- reading ---------------------------------------------------------------------------------------------------


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


def record_tombstone(record: str) -> str:
    """The id that a context record has among tombstones: its own was chosen by a client, and might be a fact's."""
    return f"record:{record}"


def lineage_tombstone(lineage: str) -> str:
    """The id that a lineage has among tombstones, once none of its records is left."""
    return f"lineage:{lineage}"


class Store(Protocol):
    """One database that keeps any number of scopes. Every call may raise `StoreUnavailable`."""

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        ...

    @property
    def local(self) -> bool:
        """Whether its bytes stay on this machine (a file, memory, or a loopback address)."""
        ...

    @property
    def residue(self) -> str | None:
        """What an erase cannot reach and how long it lingers (transaction logs), for the report; None when nothing
        does."""
        ...

    async def open(self) -> None:
        """Connect, and create or check the schema. Raises `StoreTooNew`, `MigrationPending`, `StoreUnavailable`."""
        ...

    async def close(self) -> None: ...

    async def layout(self) -> Layout:
        """Which migrations are applied and which are pending; connects if needed, changes nothing."""
        ...

    async def migrate(self) -> Layout:
        """Apply pending migrations, each once, also when several processes try at the same time."""
        ...

    async def secret(self) -> bytes:
        """The database's own random secret (made once), with which idempotency keys are hashed."""
        ...

    # writing

    async def write(self, scope: str, needs: Needs, plan: Plan) -> None:
        """Lock the scope, load, plan, write, commit. Has returned only when the commit is durable."""
        ...

    async def erase(self, scope: str, selection: Selection, plan: ErasePlan, *, dry_run: bool) -> None:
        """The same for an erase; with `dry_run` the plan runs and nothing is written."""
        ...

    async def erase_scope(self, scope: str) -> ScopeSummary | None:
        """Delete every row of a scope, its clock and idempotency records too. None when there was no such scope."""
        ...

    # reading

    async def facts(
        self, scope: str, moment: Moment, pattern: Pattern, page: Slice
    ) -> Answer[Sequence[StandingFact]]:
        """Facts in view, ordered by (subject, predicate, valid_from, object.type, object.text, id): the cursor."""
        ...

    async def candidates(self, scope: str, moment: Moment, probe: Probe) -> Answer[Candidates]:
        """Everything a recall needs, in one round trip."""
        ...

    async def neighbourhood(
        self, scope: str, moment: Moment, entity: str, depth: int, limit: int
    ) -> Answer[Neighbourhood]:
        """Walk relations in view, both directions, breadth first, at most `limit` relations."""
        ...

    async def standing(self, scope: str, moment: Moment, key: Key) -> Answer[Sequence[Version]]:
        """All versions of a key known at the moment, whenever valid, ordered by (valid_from, object)."""
        ...

    async def history(self, scope: str, pattern: Pattern, page: Slice) -> Sequence[StandingFact]:
        """Every version ever recorded, with every link of its line attached before it ended, ordered by
        (recorded_at, valid_from, id): the cursor."""
        ...

    async def lineage(self, scope: str, fact_id: str) -> Sequence[StandingFact]:
        """The whole history of the key that a fact id belongs to; empty when the scope never issued the id."""
        ...

    async def changes(self, scope: str, since: Instant, until: Instant, page: Slice) -> Sequence[ChangeRow]:
        """Rows with since < at <= until, ordered by (at, kind, id): kind 0 tombstone, 1 episode, 2 version superseded,
        3 version recorded, 4 context record. The cursor is (at, kind, id)."""
        ...

    async def held(
        self,
        scope: str,
        moment: Moment,
        facts: Collection[str],
        episodes: Collection[str],
        entities: Collection[str],
        lineages: Collection[str] = (),
    ) -> Answer[Held]:
        """What the ids say now (or at `known_at`), in one round trip for any number of them. The tombstones of lineages
        are under `lineage_tombstone`."""
        ...

    async def records(
        self, scope: str, moment: Moment, ids: Collection[str], lineages: Collection[str]
    ) -> Answer[Sequence[ContextRecord]]:
        """Context records recorded by `known_at`, by id or of a lineage, each once, ordered by (recorded_at, position).
        Also those whose retention has ended: who shows them must look."""
        ...

    async def episodes(self, scope: str, ids: Collection[str]) -> Sequence[Episode]: ...

    async def predicates(self, scope: str) -> Sequence[Predicate]: ...

    async def tombstones(self, scope: str, ids: Collection[str]) -> Sequence[Tombstone]: ...

    async def scopes(self) -> Sequence[ScopeSummary]: ...

    # carrying and checking

    def dump(self, scope: str, batch: int) -> AsyncIterator[Dump]:
        """Every row of a scope, streamed in batches from one consistent state."""
        ...

    async def restore(self, scope: str, rows: Dump, *, first: bool) -> None:
        """Write rows as they are. With `first` the scope must be empty (`ScopeNotEmpty`). Rows that are there already
        (a batch repeated after a kill) are left alone. The clock becomes the largest seen."""
        ...

    async def inspect(self, scope: str | None) -> Sequence[Finding]:
        """What is wrong that only the store can see: edges, indexes, dangling links, clocks. Only reads."""
        ...
