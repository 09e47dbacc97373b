"""The store on Neo4j, as the contract names it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING

from ...temporal.instants import Instant
from .. import contract
from ..addresses import Neo4jAddress
from ..records import ContextRecord, Episode, Key, Predicate, StandingFact, Tombstone, Version
from . import carrying, erasing, inspecting, migrations, walking, writing
from .connection import Connection, rows
from .queries import query
from .reading import Reader
from .searching import Searching
from .settling import Settling

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction


RESIDUE = (
    "erased content is gone from the graph and its indexes at once; Neo4j's transaction logs keep it until they are "
    "pruned (db.tx_log.rotation.retention_policy, by default after 2 days or 2 GiB, and only at a checkpoint), backups "
    "as long as you keep them; freed records and index segments are overwritten as they are reused or merged"
)


class Neo4jStore:
    """Any number of scopes in one Neo4j database."""

    def __init__(self, address: Neo4jAddress) -> None:
        self.address = address.redacted
        self.local = address.local
        self.residue: str | None = RESIDUE
        self._connection = Connection(address)
        self._settling = Settling(self._connection)
        self._reader = Reader(self._connection, self._settling)
        self._searching = Searching(self._settling)

    def __repr__(self) -> str:
        return f"Neo4jStore({self.address!r})"

    async def open(self) -> None:
        """Connect, and bring the schema up to this release. Raises `StoreTooNew`, `StoreUnavailable`."""
        await self._connection.open()
        try:
            await migrations.migrate(self._connection)
        except BaseException:
            await self._connection.close()
            raise

    async def close(self) -> None:
        """Give every connection back."""
        await self._connection.close()

    async def layout(self) -> contract.Layout:
        """Which migrations are applied and which are pending."""
        await self._connection.open()
        have = await migrations.applied(self._connection)
        return contract.Layout(await self._connection.server(), have, migrations.pending(have))

    async def migrate(self) -> contract.Layout:
        """Apply pending migrations."""
        await self._connection.open()
        await migrations.migrate(self._connection)
        return await self.layout()

    async def secret(self) -> bytes:
        """The database's own secret."""
        fresh = os.urandom(32)

        async def work(tx: AsyncManagedTransaction) -> bytes:
            ((secret,),) = await rows(tx, query("secret"), secret=fresh)
            return bytes(secret)

        return await self._connection.write(work)

    # writing

    async def write(self, scope: str, needs: contract.Needs, plan: contract.Plan) -> None:
        """Lock, load, plan, write, commit."""
        try:
            clock = await self._connection.write(lambda tx: writing.write(tx, scope, needs, plan))
        except writing.NothingToWrite:
            return
        self._settling.committed(scope, clock)

    async def erase(
        self, scope: str, selection: contract.Selection, plan: contract.ErasePlan, *, dry_run: bool
    ) -> None:
        """The same for an erase."""
        clock = await erasing.erase(self._connection, scope, selection, plan, dry_run=dry_run)
        self._settling.committed(scope, clock)

    async def erase_scope(self, scope: str) -> contract.ScopeSummary | None:
        """Delete every row of a scope."""
        gone = await erasing.erase_scope(self._connection, scope)
        self._settling.forget(scope)
        return gone

    # reading

    async def facts(
        self, scope: str, moment: contract.Moment, pattern: contract.Pattern, page: contract.Slice
    ) -> contract.Answer[Sequence[StandingFact]]:
        """Facts in view."""
        return await self._reader.facts(scope, moment, pattern, page)

    async def candidates(
        self, scope: str, moment: contract.Moment, probe: contract.Probe
    ) -> contract.Answer[contract.Candidates]:
        """Everything a recall needs."""
        return await self._searching.candidates(scope, moment, probe)

    async def neighbourhood(
        self, scope: str, moment: contract.Moment, entity: str, depth: int, limit: int
    ) -> contract.Answer[contract.Neighbourhood]:
        """Walk relations in view."""
        return await walking.neighbourhood(self._settling, scope, moment, entity, depth, limit)

    async def standing(
        self, scope: str, moment: contract.Moment, key: Key
    ) -> contract.Answer[Sequence[Version]]:
        """All versions of a key known at the moment."""
        return await self._reader.standing(scope, moment, key)

    async def history(
        self, scope: str, pattern: contract.Pattern, page: contract.Slice
    ) -> Sequence[StandingFact]:
        """Every version ever recorded."""
        return await self._reader.history(scope, pattern, page)

    async def lineage(self, scope: str, fact_id: str) -> Sequence[StandingFact]:
        """The history of the key a fact id belongs to."""
        return await self._reader.lineage(scope, fact_id)

    async def changes(
        self, scope: str, since: Instant, until: Instant, page: contract.Slice
    ) -> Sequence[contract.ChangeRow]:
        """What happened between two recorded instants."""
        return await self._reader.changes(scope, since, until, page)

    async def held(
        self,
        scope: str,
        moment: contract.Moment,
        facts: Collection[str],
        episodes: Collection[str],
        entities: Collection[str],
        lineages: Collection[str] = (),
    ) -> contract.Answer[contract.Held]:
        """What ids say that someone holds."""
        return await self._reader.held(scope, moment, facts, episodes, entities, lineages)

    async def records(
        self, scope: str, moment: contract.Moment, ids: Collection[str], lineages: Collection[str]
    ) -> contract.Answer[Sequence[ContextRecord]]:
        """Context records by id and of lineages."""
        return await self._reader.records(scope, moment, ids, lineages)

    async def episodes(self, scope: str, ids: Collection[str]) -> Sequence[Episode]:
        """Episodes by id."""
        return await self._reader.episodes(scope, ids)

    async def predicates(self, scope: str) -> Sequence[Predicate]:
        """All predicates of a scope."""
        return await self._reader.predicates(scope)

    async def tombstones(self, scope: str, ids: Collection[str]) -> Sequence[Tombstone]:
        """What remains of erased ids."""
        return await self._reader.tombstones(scope, ids)

    async def scopes(self) -> Sequence[contract.ScopeSummary]:
        """Every scope and how much it holds."""
        return await self._reader.scopes()

    # carrying and checking

    def dump(self, scope: str, batch: int) -> AsyncIterator[contract.Dump]:
        """Every row of a scope, in batches."""
        return carrying.dump(self._connection, self._settling, scope, batch)

    async def restore(self, scope: str, rows: contract.Dump, *, first: bool) -> None:
        """Write rows as they are."""
        await carrying.restore(self._connection, scope, rows, first=first)

    async def inspect(self, scope: str | None) -> Sequence[contract.Finding]:
        """What is wrong that only the store can see."""
        return await inspecting.inspect(self._connection, scope)
