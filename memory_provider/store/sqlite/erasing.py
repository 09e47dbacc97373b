"""An erase: find everything a selection touches, plan, and delete it from every table and index.

The caller commits, and then has the file rewritten (`scrubbing`), since deleted bytes would stay in its pages.
"""

from __future__ import annotations

import sqlite3

from ..contract import (
    ErasePlan,
    ScopeSummary,
    Selection,
)
from .deleting import delete, delete_scope
from .erasable import erasable
from .inserting import (
    new_scope,
    scope_row,
)
from .scrubbing import owe_scrub
from .summing import summary


def erase(
    connection: sqlite3.Connection, scope: str, selection: Selection, plan: ErasePlan, dry_run: bool
) -> bool:
    """Run inside a write transaction. Returns whether anything was deleted."""
    found = scope_row(connection, scope)
    erasure = plan(erasable(connection, found, selection))
    if dry_run or not any(erasure[1:]):
        return False
    delete(connection, found or new_scope(connection, scope), erasure)
    owe_scrub(connection)
    return True


def erase_scope(connection: sqlite3.Connection, scope: str) -> ScopeSummary | None:
    """Delete every row of a scope. Run inside a write transaction."""
    found = scope_row(connection, scope)
    if found is None:
        return None
    held = summary(connection, scope, found)
    delete_scope(connection, found.number)
    owe_scrub(connection)
    return held
