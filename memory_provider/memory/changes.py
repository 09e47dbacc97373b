"""What was learned, corrected, retracted and erased between two recorded instants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from ..store.contract import ChangeRow, Store, record_tombstone
from ..store.records import ContextRecord, Version
from ..temporal.instants import Instant, now, to_datetime
from .facts import Page
from .paging import encode, page
from .rendering import fact_content


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a transaction changed."""

    recorded_at: datetime
    kind: str
    """`learned`, `extended`, `closed`, `corrected`, `retracted`, `merged`, `episode`, `record` or `erased`."""
    id: str
    """Of the fact, the episode, the record (`record:` and its id), or what was erased."""
    before: str | None
    """What a fact said before, with its validity."""
    after: str | None
    """What it says since; an episode's text; a record's statement, if it has one; None when it no longer stands, or
    was erased."""
    reason: str | None = None
    """Why it was erased."""
    by: str | None = None
    """Who erased it, spoke the episode, or made the record."""


_KEY = (int, int, str)
"""Of a page of changes: recorded time, kind, id."""


async def changes(
    store: Store, scope: str, since: Instant, until: Instant, limit: int, after: str | None
) -> Page[Change]:
    """Changes with since < recorded_at <= until, oldest first; a transaction is never split over two pages."""
    wanted = page(limit, after, _KEY)
    rows = list(await store.changes(scope, since, until, wanted))
    more = len(rows) > limit
    if more:
        last = rows[limit].at
        whole = [row for row in rows if row.at < last]
        if not whole:
            # One transaction fills the page: take all of it.
            whole = [row for row in rows if row.at == last]
            cursor = _cursor(rows[-1])
            while True:
                following = await store.changes(scope, since, last, page(limit, cursor, _KEY))
                whole.extend(following)
                if len(following) <= limit:
                    break
                cursor = _cursor(following[-1])
        rows = whole
    wall = now()
    found: Page[Change] = Page()
    for at, group in groupby(rows, key=lambda row: row.at):
        found.extend(_transaction(at, list(group), wall))
    if more and rows:
        found.cursor = _cursor(rows[-1])
    return found


def _cursor(row: ChangeRow) -> str:
    if row.tombstone:
        return encode(row.at, 0, row.tombstone.id)
    if row.episode:
        return encode(row.at, 1, row.episode.id)
    if row.record:
        return encode(row.at, 4, row.record.id)
    assert row.version is not None
    return encode(row.at, 2 if row.version.superseded_at == row.at else 3, row.version.id)


def _transaction(at: Instant, rows: list[ChangeRow], wall: Instant) -> list[Change]:
    when = to_datetime(at)
    found: list[Change] = []
    before: dict[str, Version] = {}
    after: dict[str, Version] = {}
    for row in rows:
        if row.tombstone:
            stone = row.tombstone
            found.append(Change(when, "erased", stone.id, None, None, stone.reason, stone.by))
        elif row.episode:
            found.append(
                Change(when, "episode", row.episode.id, None, row.episode.text, None, row.episode.speaker)
            )
        elif row.record:
            found.append(_record(when, row.record, wall))
        elif row.version:
            (before if row.version.superseded_at == at else after)[row.version.id] = row.version
    for fact_id in [*before, *(each for each in after if each not in before)]:
        old, new = before.get(fact_id), after.get(fact_id)
        found.append(Change(when, _kind(old, new), fact_id, _says(old), _says(new)))
    return found


def _record(when: datetime, record: ContextRecord, wall: Instant) -> Change:
    """A record that was appended; without what it says, once its retention has ended."""
    said = record.statement if record.expires_at > wall else None
    return Change(when, "record", record_tombstone(record.id), None, said, None, record.by or record.client)


def _says(version: Version | None) -> str | None:
    return fact_content(version.statement, version.window) if version else None


def _kind(old: Version | None, new: Version | None) -> str:
    if old is None:
        assert new is not None
        return "corrected" if new.cause == "correct" else "learned"
    if old.absorbed_by:
        return "merged"
    if old.ended_by == "retract":
        return "retracted"
    if old.ended_by == "correct":
        return "corrected"
    if new and (new.valid_from < old.valid_from or new.valid_to > old.valid_to):
        return "extended"
    return "closed"
