"""A store that tells OpenTelemetry of each of its calls, and otherwise is the store it wraps.

Where nobody listens, a call costs one look-up more. See `memory_provider.telemetry` and docs/observability.md.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ..telemetry import attributes
from ..telemetry.presence import opentelemetry_is_used
from ..temporal.instants import Instant
from .arms import recorded_times, search_arms
from .contract import (
    Answer,
    Candidates,
    ChangeRow,
    Dump,
    ErasePlan,
    Finding,
    Held,
    Layout,
    Moment,
    Needs,
    Neighbourhood,
    Pattern,
    Plan,
    Probe,
    ScopeSummary,
    Selection,
    Slice,
    Store,
)
from .errors import StoreError
from .records import ContextRecord, Episode, Key, Predicate, StandingFact, Tombstone, Version

if TYPE_CHECKING:
    from ..telemetry.store_calls import StoreCall

Found = TypeVar("Found")


def scope_hash(secret: bytes, scope: str) -> str:
    """How a scope is named where its name must not be seen.

    The same in every process on one database; to tell the name from it takes the database's secret.
    """
    return blake2b(scope.encode(), key=secret[:64], digest_size=8, person=b"telemetry").hexdigest()


class ObservedStore:
    """Keeps the contract of `memory_provider.store.contract.Store` as well as the store it wraps."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._system, self._about = _place(store.address)
        self._secret: bytes | None = None

    def __repr__(self) -> str:
        return f"ObservedStore({self._store!r})"

    @property
    def wrapped(self) -> Store:
        """The store beneath."""
        return self._store

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        return self._store.address

    @property
    def local(self) -> bool:
        """Whether its bytes stay on this machine."""
        return self._store.local

    @property
    def residue(self) -> str | None:
        """What an erase cannot reach and how long it lingers."""
        return self._store.residue

    async def open(self) -> None:
        """Connect, and create or check the schema."""
        await self._call("open", None, self._store.open)

    async def close(self) -> None:
        """Let go of the store."""
        await self._store.close()

    async def layout(self) -> Layout:
        """Which migrations are applied and which are pending."""
        return await self._call("layout", None, self._store.layout)

    async def migrate(self) -> Layout:
        """Apply pending migrations."""
        return await self._call("migrate", None, self._store.migrate)

    async def secret(self) -> bytes:
        """The database's own secret."""
        return await self._call("secret", None, self._store.secret)

    # writing

    async def write(self, scope: str, needs: Needs, plan: Plan) -> None:
        """Lock, load, plan, write, commit."""
        await self._call("write", scope, lambda: self._store.write(scope, needs, plan))

    async def erase(self, scope: str, selection: Selection, plan: ErasePlan, *, dry_run: bool) -> None:
        """The same for an erase."""
        await self._call("erase", scope, lambda: self._store.erase(scope, selection, plan, dry_run=dry_run))

    async def erase_scope(self, scope: str) -> ScopeSummary | None:
        """Delete every row of a scope."""
        return await self._call("erase_scope", scope, lambda: self._store.erase_scope(scope))

    # reading

    async def facts(
        self, scope: str, moment: Moment, pattern: Pattern, page: Slice
    ) -> Answer[Sequence[StandingFact]]:
        """Facts in view."""
        return await self._call(
            "facts", scope, lambda: self._store.facts(scope, moment, pattern, page), _found
        )

    async def candidates(self, scope: str, moment: Moment, probe: Probe) -> Answer[Candidates]:
        """Everything a recall needs."""
        if not opentelemetry_is_used():
            return await self._store.candidates(scope, moment, probe)
        from ..telemetry.store_calls import Arm

        def tell(call: StoreCall, answer: Answer[Candidates]) -> None:
            call.searched(
                Arm(each.name, each.hits, each.limit, times.get(each.name))
                for each in search_arms(probe, answer.found)
            )

        with recorded_times() as times:
            return await self._call(
                "candidates", scope, lambda: self._store.candidates(scope, moment, probe), None, tell
            )

    async def neighbourhood(
        self, scope: str, moment: Moment, entity: str, depth: int, limit: int
    ) -> Answer[Neighbourhood]:
        """Relations around an entity."""
        return await self._call(
            "neighbourhood",
            scope,
            lambda: self._store.neighbourhood(scope, moment, entity, depth, limit),
            lambda answer: len(answer.found.relations),
        )

    async def standing(self, scope: str, moment: Moment, key: Key) -> Answer[Sequence[Version]]:
        """What is known of a key."""
        return await self._call("standing", scope, lambda: self._store.standing(scope, moment, key), _found)

    async def history(self, scope: str, pattern: Pattern, page: Slice) -> Sequence[StandingFact]:
        """Every version."""
        return await self._call("history", scope, lambda: self._store.history(scope, pattern, page), len)

    async def lineage(self, scope: str, fact_id: str) -> Sequence[StandingFact]:
        """Every version of a fact's key."""
        return await self._call("lineage", scope, lambda: self._store.lineage(scope, fact_id), len)

    async def changes(self, scope: str, since: Instant, until: Instant, page: Slice) -> Sequence[ChangeRow]:
        """What happened between two recorded instants."""
        return await self._call("changes", scope, lambda: self._store.changes(scope, since, until, page), len)

    async def held(
        self,
        scope: str,
        moment: Moment,
        facts: Collection[str],
        episodes: Collection[str],
        entities: Collection[str],
        lineages: Collection[str] = (),
    ) -> Answer[Held]:
        """What ids say."""
        return await self._call(
            "held", scope, lambda: self._store.held(scope, moment, facts, episodes, entities, lineages)
        )

    async def records(
        self, scope: str, moment: Moment, ids: Collection[str], lineages: Collection[str]
    ) -> Answer[Sequence[ContextRecord]]:
        """Context records by id and of lineages."""
        return await self._call(
            "records",
            scope,
            lambda: self._store.records(scope, moment, ids, lineages),
            lambda answer: len(answer.found),
        )

    async def episodes(self, scope: str, ids: Collection[str]) -> Sequence[Episode]:
        """Episodes by id."""
        return await self._call("episodes", scope, lambda: self._store.episodes(scope, ids), len)

    async def predicates(self, scope: str) -> Sequence[Predicate]:
        """All predicates."""
        return await self._call("predicates", scope, lambda: self._store.predicates(scope), len)

    async def tombstones(self, scope: str, ids: Collection[str]) -> Sequence[Tombstone]:
        """Tombstones by id."""
        return await self._call("tombstones", scope, lambda: self._store.tombstones(scope, ids), len)

    async def scopes(self) -> Sequence[ScopeSummary]:
        """Every scope."""
        return await self._call("scopes", None, self._store.scopes, len)

    # carrying and checking

    def dump(self, scope: str, batch: int) -> AsyncIterator[Dump]:
        """Every row of a scope, in batches."""
        batches = self._store.dump(scope, batch)
        return self._told(scope, batches) if opentelemetry_is_used() else batches

    async def _told(self, scope: str, batches: AsyncIterator[Dump]) -> AsyncIterator[Dump]:
        from ..telemetry import store_calls

        # Not current: whatever runs between two batches is not part of it.
        call = store_calls.begin(self._system, "dump", self._about)
        error: str | None = None
        try:
            async for rows in batches:
                yield rows
            call.answered(None)
            call.within(await self._hashed(scope))
        except GeneratorExit:  # whoever asked has seen enough
            raise
        except BaseException as problem:
            error = type(problem).__name__
            raise
        finally:
            store_calls.end(call, self._system, "dump", self._about, error)
            if isinstance(batches, AsyncGenerator):
                await batches.aclose()

    async def restore(self, scope: str, rows: Dump, *, first: bool) -> None:
        """Write rows as they are."""
        await self._call("restore", scope, lambda: self._store.restore(scope, rows, first=first))

    async def inspect(self, scope: str | None) -> Sequence[Finding]:
        """What is wrong that only the store can see."""
        return await self._call("inspect", scope, lambda: self._store.inspect(scope), len)

    # telling

    async def _call(
        self,
        operation: str,
        scope: str | None,
        make: Callable[[], Awaitable[Found]],
        count: Callable[[Found], int] | None = None,
        tell: Callable[[StoreCall, Found], None] | None = None,
    ) -> Found:
        if not opentelemetry_is_used():
            return await make()
        from ..telemetry.store_calls import store_call

        with store_call(self._system, operation, self._about) as call:
            found = await make()
            call.answered(count(found) if count else None)
            if tell is not None:
                tell(call, found)
            if scope is not None:
                call.within(await self._hashed(scope))
            return found

    async def _hashed(self, scope: str) -> str | None:
        """Asked for after a call that succeeded, so that a store which is away is waited for once."""
        if self._secret is None:
            try:
                self._secret = await self._store.secret()
            except StoreError:
                return None
        return scope_hash(self._secret, scope)


def _found(answer: Answer[Sequence[Any]]) -> int:
    return len(answer.found)


def _place(address: str) -> tuple[str, dict[str, str | int]]:
    """The system by the conventions' name, and where it is as far as that is not personal: no path of a file."""
    scheme = address.partition(":")[0].partition("+")[0].lower()
    if scheme in ("memory", "sqlite"):
        return "sqlite", {}
    about: dict[str, str | int] = {}
    parts = urlsplit(address)
    if parts.hostname:
        about[attributes.SERVER_ADDRESS] = parts.hostname
    if parts.port:
        about[attributes.SERVER_PORT] = parts.port
    return "neo4j" if scheme in ("bolt", "neo4j") else scheme, about
