"""What is wrong in a graph that only the store can see. Only reads; findings name ids, never contents."""

from __future__ import annotations

from collections.abc import Sequence

from ..contract import Finding
from . import migrations
from .connection import Connection, rows
from .queries import query

CHECKS = (
    "inspect-edges",
    "inspect-facts",
    "inspect-sources",
    "inspect-clocks",
    "inspect-overlaps",
)


async def inspect(connection: Connection, scope: str | None) -> Sequence[Finding]:
    """Every finding, in one scope or in all."""
    findings = [
        Finding("migrations", None, f"the migration {each} is pending: run migrate")
        for each in migrations.pending(await migrations.applied(connection))
    ]
    findings += await _schema(connection)
    for name in CHECKS:
        text = query(name)
        found = await connection.read(lambda tx, text=text: rows(tx, text, scope=scope))  # type: ignore[misc]
        findings += [Finding(check, where, what) for check, where, what in found]
    return findings


async def _schema(connection: Connection) -> list[Finding]:
    return []
