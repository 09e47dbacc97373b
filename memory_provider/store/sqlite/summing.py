"""How much a scope holds."""

from __future__ import annotations

import sqlite3

from ..contract import ScopeSummary
from .inserting import ScopeRow


def summary(connection: sqlite3.Connection, name: str, scope: ScopeRow) -> ScopeSummary:
    """A scope's sizes."""
    facts = connection.execute("SELECT facts FROM scopes WHERE scope = ?", (scope.number,)).fetchone()[0]
    counts = [
        connection.execute(f"SELECT count(*) FROM {table} WHERE scope = ?", (scope.number,)).fetchone()[0]
        for table in ("facts", "episodes", "entities", "context_records")
    ]
    return ScopeSummary(name, scope.clock, facts, *counts)


def summaries(connection: sqlite3.Connection) -> list[ScopeSummary]:
    """Every scope's sizes, by name."""
    rows = connection.execute("SELECT name, scope, clock FROM scopes ORDER BY name").fetchall()
    return [summary(connection, name, ScopeRow(number, clock)) for name, number, clock in rows]
