"""How many statements a call runs: seen at the driver, and at SQLite's own trace."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from typing import Any
from unittest import mock

from .stores import Measured


async def statements(measured: Measured, call: Callable[[], Awaitable[Any]]) -> int:
    """The statements of one call, transaction control left out."""
    seen: list[str] = []
    with _traced_sqlite(measured, seen) if measured.path else _traced_neo4j(seen):
        await call()
    return sum(not each.startswith(("BEGIN", "COMMIT", "--")) for each in seen)


@contextmanager
def _traced_neo4j(seen: list[str]) -> Any:
    import neo4j

    run = neo4j.AsyncManagedTransaction.run

    async def counted(self: Any, query: Any, *arguments: Any, **keywords: Any) -> Any:
        seen.append(str(query))
        return await run(self, query, *arguments, **keywords)

    with mock.patch.object(neo4j.AsyncManagedTransaction, "run", counted):
        yield


@contextmanager
def _traced_sqlite(measured: Measured, seen: list[str]) -> Any:
    store: Any = measured.memory.store
    idle: list[sqlite3.Connection] = list(store.wrapped._connections._readers)
    for each in idle:
        each.set_trace_callback(seen.append)
    try:
        yield
    finally:
        for each in idle:
            each.set_trace_callback(None)
