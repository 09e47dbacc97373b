"""Reads that no commit is halfway through.

Neo4j makes a commit visible piece by piece: nodes first, range indexes next, full-text indexes last. A read in between
sees the scope's new clock and not yet what was written with it. Two things tell that this did not happen: the clock is
the same before and after the read, and the transaction that set it is known to be applied to its end. It is known
when this store committed it, or when it was seen in an earlier transaction: the driver's bookmarks make each
transaction wait until what the one before could see is applied. Otherwise the read is repeated; and when writes come
faster than it can be repeated, it is done once more under the scope's lock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from ...temporal.instants import PAST, Instant
from .connection import Connection, NotPermitted, rows
from .queries import query

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction as Transaction

Found = TypeVar("Found")

ATTEMPTS = 3
"""How often a read is tried without the lock."""

REMEMBERED = 10_000
"""Of how many scopes the clock is remembered."""


class Seen(NamedTuple, Generic[Found]):
    """What a read found, and the scope's clock before and after."""

    before: Instant
    after: Instant
    found: Found


class Settling:
    """Runs reads, and remembers which clocks are known to be applied to their end."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._applied: OrderedDict[str, Instant] = OrderedDict()

    def committed(self, scope: str, clock: Instant) -> None:
        """A transaction at that clock is applied to its end in every transaction that begins from now on."""
        if clock > self._applied.get(scope, PAST):
            self._applied[scope] = clock
            self._applied.move_to_end(scope)
            if len(self._applied) > REMEMBERED:
                self._applied.popitem(last=False)

    def forget(self, scope: str) -> None:
        """The scope is gone; its clock may begin anew."""
        self._applied.pop(scope, None)

    async def read(self, scope: str, work: Callable[[Transaction], Awaitable[Seen[Found]]]) -> Found:
        """Run a unit of reading until it is sure that it saw whole transactions only."""
        for _ in range(ATTEMPTS):
            applied = self._applied.get(
                scope, PAST
            )  # by now: so in every transaction that begins from here on
            seen = await self._connection.read(work)
            if seen.before == seen.after <= applied:
                return seen.found
            self.committed(scope, seen.after)
        return await self._alone(scope, work)

    async def _alone(self, scope: str, work: Callable[[Transaction], Awaitable[Seen[Found]]]) -> Found:
        async def locked(tx: Transaction) -> Seen[Found]:
            await rows(tx, query("scope-hold"), scope=scope)
            return await work(tx)

        try:
            return (await self._connection.write(locked)).found
        except NotPermitted:  # who may only read takes what it sees
            return (await self._connection.read(work)).found
