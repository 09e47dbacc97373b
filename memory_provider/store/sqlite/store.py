"""The store in one SQLite file, or in memory for as long as it is open."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio.to_thread

from ...temporal.instants import Instant
from ..addresses import MemoryAddress, SqliteAddress
from ..contract import (
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
)
from ..records import ContextRecord, Episode, Key, Predicate, StandingFact, Tombstone, Version
from . import carrying, erasing, histories, holding, inspecting, reading, schema, summing, walking, writing
from .candidates import candidates
from .connection import Connections, make_room
from .failures import FAILURES, translated
from .scrubbing import scrub, scrub_if_owed

BUSY_TIMEOUT = 30.0
"""How many seconds a call waits for another process's lock."""


class SqliteStore:
    """Keeps the contract of `memory_provider.store.contract.Store`."""

    def __init__(self, address: SqliteAddress | MemoryAddress, *, busy_timeout: float = BUSY_TIMEOUT) -> None:
        self.address: str = address.redacted
        self.local: bool = True
        self.residue: str | None = None
        self._file = address if isinstance(address, SqliteAddress) else None
        self._busy_timeout = busy_timeout
        self._opened: Connections | None = None

    @property
    def _connections(self) -> Connections:
        if self._opened is None:
            path = Path(self._file.path).absolute() if self._file else None
            self._opened = Connections(path, self.address, self._busy_timeout)
        return self._opened

    async def open(self) -> None:
        """Make the file when there is none, bring its tables to this release's, and finish an interrupted erase."""

        def prepare(connection: sqlite3.Connection) -> list[str]:
            schema.migrate(connection, self.address)
            return scrub_if_owed(connection) if self._file else []

        await self._make_room()
        self.residue = "; ".join(await self._connections.maintain(prepare)) or None

    async def close(self) -> None:
        """Close the connections; a store in memory is gone then."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    async def layout(self) -> Layout:
        """Which steps of the schema the file has had; makes no file."""
        server = f"SQLite {sqlite3.sqlite_version}"
        names = [name for name, _ in schema.STEPS]
        if self._file and not self._file.path.exists():
            return Layout(server, (), names)
        done = await self._connections.read(lambda connection: schema.applied(connection, self.address))
        return Layout(server, done, names[len(done) :])

    async def migrate(self) -> Layout:
        """Apply the steps the file lacks."""
        await self._make_room()
        await self._connections.maintain(lambda connection: schema.migrate(connection, self.address))
        return await self.layout()

    async def _make_room(self) -> None:
        if self._file:
            with suppress(OSError):  # connecting says what is wrong, in one place
                await anyio.to_thread.run_sync(make_room, self._file.path, self._file.private)

    async def secret(self) -> bytes:
        """The file's own secret."""
        return await self._connections.read(
            lambda connection: bytes(connection.execute("SELECT secret FROM store").fetchone()[0])
        )

    # writing

    async def write(self, scope: str, needs: Needs, plan: Plan) -> None:
        """One write transaction."""
        await self._connections.write(lambda connection: writing.write(connection, scope, needs, plan))

    async def erase(self, scope: str, selection: Selection, plan: ErasePlan, *, dry_run: bool) -> None:
        """One write transaction, and the file rewritten after it; `residue` says what that could not reach."""
        deleted = await self._connections.write(
            lambda connection: erasing.erase(connection, scope, selection, plan, dry_run)
        )
        if deleted:
            await self._scrub()

    async def erase_scope(self, scope: str) -> ScopeSummary | None:
        """One write transaction, and the file rewritten after it."""
        held = await self._connections.write(lambda connection: erasing.erase_scope(connection, scope))
        if held is not None:
            await self._scrub()
        return held

    async def _scrub(self) -> None:
        left = await self._connections.maintain(scrub) if self._file else ()
        self.residue = "; ".join(left) or None

    # reading

    async def facts(
        self, scope: str, moment: Moment, pattern: Pattern, page: Slice
    ) -> Answer[Sequence[StandingFact]]:
        """Facts in view."""
        return await self._connections.read(
            lambda connection: reading.facts(connection, scope, moment, pattern, page)
        )

    async def candidates(self, scope: str, moment: Moment, probe: Probe) -> Answer[Candidates]:
        """Everything a recall needs."""
        return await self._connections.read(lambda connection: candidates(connection, scope, moment, probe))

    async def neighbourhood(
        self, scope: str, moment: Moment, entity: str, depth: int, limit: int
    ) -> Answer[Neighbourhood]:
        """Relations around an entity."""
        return await self._connections.read(
            lambda connection: walking.neighbourhood(connection, scope, moment, entity, depth, limit)
        )

    async def standing(self, scope: str, moment: Moment, key: Key) -> Answer[Sequence[Version]]:
        """What is known of a key."""
        return await self._connections.read(
            lambda connection: reading.standing(connection, scope, moment, key)
        )

    async def history(self, scope: str, pattern: Pattern, page: Slice) -> Sequence[StandingFact]:
        """Every version."""
        return await self._connections.read(
            lambda connection: histories.history(connection, scope, pattern, page)
        )

    async def lineage(self, scope: str, fact_id: str) -> Sequence[StandingFact]:
        """Every version of a fact's key."""
        return await self._connections.read(lambda connection: histories.lineage(connection, scope, fact_id))

    async def changes(self, scope: str, since: Instant, until: Instant, page: Slice) -> Sequence[ChangeRow]:
        """What happened between two recorded instants."""
        return await self._connections.read(
            lambda connection: histories.changes(connection, scope, since, until, page)
        )

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
        return await self._connections.read(
            lambda connection: holding.held(connection, scope, moment, facts, episodes, entities, lineages)
        )

    async def records(
        self, scope: str, moment: Moment, ids: Collection[str], lineages: Collection[str]
    ) -> Answer[Sequence[ContextRecord]]:
        """Context records by id and of lineages."""
        return await self._connections.read(
            lambda connection: holding.records(connection, scope, moment, ids, lineages)
        )

    async def episodes(self, scope: str, ids: Collection[str]) -> Sequence[Episode]:
        """Episodes by id."""
        return await self._connections.read(lambda connection: holding.episodes(connection, scope, ids))

    async def predicates(self, scope: str) -> Sequence[Predicate]:
        """All predicates."""
        return await self._connections.read(lambda connection: holding.predicates(connection, scope))

    async def tombstones(self, scope: str, ids: Collection[str]) -> Sequence[Tombstone]:
        """Tombstones by id."""
        return await self._connections.read(lambda connection: holding.tombstones(connection, scope, ids))

    async def scopes(self) -> Sequence[ScopeSummary]:
        """Every scope, by name."""
        return await self._connections.read(summing.summaries)

    # carrying and checking

    async def dump(self, scope: str, batch: int) -> AsyncIterator[Dump]:
        """Rows of one state, on a connection of their own."""
        connection = await self._connections.read(self._snapshot)
        try:
            rows = carrying.dumped(connection, scope, batch)
            while (found := await anyio.to_thread.run_sync(self._next, rows)) is not None:
                yield found
        finally:
            connection.close()

    def _snapshot(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        if self._file:
            return self._connections.fresh()
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        copy.deserialize(connection.serialize())
        return copy

    def _next(self, rows: Iterator[Dump]) -> Dump | None:
        try:
            return next(rows, None)
        except FAILURES as problem:
            raise translated(problem, self.address) from problem

    async def restore(self, scope: str, rows: Dump, *, first: bool) -> None:
        """One write transaction."""
        await self._connections.write(lambda connection: carrying.restore(connection, scope, rows, first))

    async def inspect(self, scope: str | None) -> Sequence[Finding]:
        """What is wrong."""
        return await self._connections.read(partial(inspecting.inspect, scope=scope))
