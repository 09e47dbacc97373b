"""A view: the two instants a read uses, and the scope it may see."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple, TypeVar

from ...temporal.instants import PAST, Instant
from ..contract import Answer, Moment

Found = TypeVar("Found")


class View(NamedTuple):
    """What a read may see. A scope that was never written to has number 0, which no row has."""

    scope: int
    as_of: Instant
    known_at: Instant
    past: bool
    """Whether `known_at` lies before the scope's last transaction, so that what has ended since must be looked at."""
    facts: int
    """How many facts stand in the scope."""
    chunks: int
    """How many chunks of episodes it has."""
    records: int
    """How many context records are served and stand."""
    now: Instant
    """The wall clock, by which retention ends."""

    def arguments(self, **more: Any) -> dict[str, Any]:
        """The instants and the scope as parameters of a statement."""
        return {"scope": self.scope, "as_of": self.as_of, "known": self.known_at, "now": self.now, **more}

    def answer(self, found: Found) -> Answer[Found]:
        """What was found, with the two instants."""
        return Answer(self.as_of, self.known_at, found)


def view_at(connection: sqlite3.Connection, scope: str, moment: Moment) -> View:
    """Settle a moment's open instants inside the read transaction."""
    row = connection.execute(
        "SELECT scope, clock, facts, chunks, records FROM scopes WHERE name = ?", (scope,)
    ).fetchone()
    number, clock, facts, chunks, records = row or (0, PAST, 0, 0, 0)
    known_at = clock if moment.known_at is None else moment.known_at
    as_of = max(moment.now, clock) if moment.as_of is None else moment.as_of
    return View(number, as_of, known_at, known_at < clock, facts, chunks, records, moment.now)
