"""Telling whether two sets of rows are the same without keeping either: how many, and the sum of their hashes."""

from __future__ import annotations

import json
from contextlib import aclosing
from hashlib import sha256
from typing import TYPE_CHECKING, cast

import anyio.to_thread

from ..store.contract import Dump, Store
from .dumping import BATCH
from .members import Unreadable
from .progress import Progress
from .rows import Row, rows_of, write

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_MODULUS = 2**256


class Census:
    """Counts rows, in whatever order they come. Two are equal when they counted the same rows."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, kind: str, row: Row) -> None:
        """Count one row."""
        try:
            text = json.dumps([kind, write(kind, row)], sort_keys=True)
        except Unreadable:
            text = repr(row)  # nothing that an archive can hold, so equal to nothing in one
        self._sum = (self._sum + int.from_bytes(sha256(text.encode()).digest())) % _MODULUS
        self.count += 1

    def add_batch(self, batch: Dump) -> None:
        """Count the rows of a batch."""
        for kind, row in rows_of(batch):
            self.add(kind, row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Census) and (self.count, self._sum) == (other.count, other._sum)

    __hash__ = None  # type: ignore[assignment]


async def census_of(store: Store, scope: str, at_most: int, progress: Progress) -> Census:
    """Counts what a scope holds; stops once it has counted more than `at_most` rows."""
    census = Census()
    async with aclosing(cast("AsyncGenerator[Dump, None]", store.dump(scope, BATCH))) as batches:
        async for batch in batches:
            await anyio.to_thread.run_sync(census.add_batch, batch)
            progress("comparing", census.count, None)
            if census.count > at_most:
                break
    return census
