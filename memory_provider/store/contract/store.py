"""The store itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Protocol

from ...temporal.instants import Instant
from ..records import (
    ContextRecord,
    Episode,
    Key,
    Predicate,
    StandingFact,
    Tombstone,
    Version,
)
from .keeping import Dump, Finding, Layout
from .reading import (
    Answer,
    Candidates,
    ChangeRow,
    Held,
    Moment,
    Neighbourhood,
    Pattern,
    Probe,
    ScopeSummary,
    Slice,
)
from .writing import ErasePlan, Needs, Plan, Selection


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
