"""What is wrong in a graph that only the store can see. Only reads; findings name ids, never contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..contract import Finding
from . import migrations
from .connection import Connection, rows
from .queries import query

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

CHECKS = (
    "inspect-edges",
    "inspect-facts",
    "inspect-lines",
    "inspect-sources",
    "inspect-episodes",
    "inspect-clocks",
    "inspect-records",
)
"""Queries that look at one scope."""

AT_MOST = 100
"""Findings of one kind in one scope that are listed one by one."""

_NAMED = re.compile(r"CREATE (?:CONSTRAINT|(?:\w+ )?INDEX) (\w+)")


async def inspect(connection: Connection, scope: str | None) -> Sequence[Finding]:
    """Everything that is wrong; with a scope only what is wrong in it, and in the schema."""
    found = await _schema(connection)
    if scope is None:
        found += [Finding(check, None, what) for check, what in await _ask(connection, "inspect-strays")]
    for name in await _scopes(connection) if scope is None else [scope]:
        for check in CHECKS:
            answer = await _ask(connection, check, scope=name, limit=AT_MOST)
            found += [Finding(kind, name, what) for kind, what in answer]
    return found


async def _schema(connection: Connection) -> list[Finding]:
    """Migrations that are pending, and indexes that are missing or not online."""
    pending = migrations.pending(await migrations.applied(connection))
    found = [Finding("pending migration", None, each) for each in pending]
    states = dict(await _ask(connection, "inspect-schema"))
    for migration in migrations.migrations():
        for statement in migration.statements:
            name = _NAMED.match(statement)
            if name is None or migration.id in pending:
                continue
            state = states.get(name[1])
            if state is None:
                found.append(Finding("missing index", None, name[1]))
            elif state != "ONLINE":
                found.append(Finding("failed index", None, f"{name[1]} is {state.lower()}"))
    return found


async def _scopes(connection: Connection) -> list[str]:
    return [row[0] for row in await _ask(connection, "scopes", scope=None)]


async def _ask(connection: Connection, name: str, **parameters: Any) -> list[Any]:
    text = query(name)

    async def ask(tx: AsyncManagedTransaction) -> list[Any]:
        return await rows(tx, text, **parameters)

    return await connection.read(ask, patience=None)
