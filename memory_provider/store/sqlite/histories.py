"""Everything ever believed: history, lineage and changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from heapq import merge
from itertools import islice
from typing import Any

from ...temporal.instants import Instant
from ..contract import ChangeRow, Pattern, Slice
from ..records import Key, SourceLink, StandingFact, Version
from .holding import episodes_of
from .inserting import scope_row
from .reading import matching
from .rows import EPISODE, LINK, RECORD, TOMBSTONE, VERSION, link_of, record_of, tombstone_of, version_of
from .sql import ENDED, STANDS, column, for_each


def history(connection: sqlite3.Connection, scope: str, pattern: Pattern, page: Slice) -> list[StandingFact]:
    """Every version of what matches, by recorded time."""
    found = scope_row(connection, scope)
    if found is None:
        return []
    where, arguments = matching(pattern)
    arguments.update(scope=found.number, limit=page.limit)
    if page.after is not None:
        where += " AND (f.recorded_at, f.valid_from, f.id) > (:after0, :after1, :after2)"
        arguments.update({f"after{i}": value for i, value in enumerate(page.after)})
    everything = f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope{where}"
    if pattern.subject is not None or pattern.object is not None:
        everything = f"{everything} AND f.{STANDS} UNION ALL {everything} AND f.{ENDED}"
    rows = connection.execute(f"{everything} ORDER BY recorded_at, valid_from, id LIMIT :limit", arguments)
    return _with_links(connection, found.number, [version_of(row) for row in rows])


def lineage(connection: sqlite3.Connection, scope: str, fact_id: str) -> list[StandingFact]:
    """The whole history of the key of a fact."""
    found = scope_row(connection, scope)
    key = (
        found
        and connection.execute(
            "SELECT subject, predicate FROM facts WHERE scope = ? AND id = ? LIMIT 1", (found.number, fact_id)
        ).fetchone()
    )
    return history(connection, scope, Pattern(*Key._make(key)), Slice(-1)) if key else []


def _with_links(
    connection: sqlite3.Connection, scope: int, versions: Sequence[Version]
) -> list[StandingFact]:
    links: dict[str, list[SourceLink]] = {}
    for row in for_each(
        connection,
        f"SELECT {LINK} FROM links l WHERE l.scope = :scope AND l.fact_id = :a ORDER BY l.attached_at, l.id",
        column(each.id for each in versions),
        {"scope": scope},
    ):
        links.setdefault(row[2], []).append(link_of(row))
    return [
        StandingFact(
            each, tuple(link for link in links.get(each.id, ()) if link.attached_at < each.superseded_at)
        )
        for each in versions
    ]


_KINDS = (
    f"SELECT t.erased_at, 0, t.id, {TOMBSTONE} FROM tombstones t WHERE t.scope = :scope"
    " AND t.erased_at > :since AND t.erased_at <= :until AND (t.erased_at, 0, t.id) > (:at, :kind, :id)"
    " ORDER BY 1, 3 LIMIT :limit",
    f"SELECT e.recorded_at, 1, e.id, {EPISODE}, e.row_id FROM episodes e WHERE e.scope = :scope"
    " AND e.recorded_at > :since AND e.recorded_at <= :until AND (e.recorded_at, 1, e.id) > (:at, :kind, :id)"
    " ORDER BY 1, 3 LIMIT :limit",
    f"SELECT f.superseded_at, 2, f.id, {VERSION} FROM facts f WHERE f.scope = :scope AND f.{ENDED}"
    " AND f.superseded_at > :since AND f.superseded_at <= :until AND (f.superseded_at, 2, f.id) > (:at, :kind, :id)"
    " ORDER BY 1, 3 LIMIT :limit",
    f"SELECT f.recorded_at, 3, f.id, {VERSION} FROM facts f WHERE f.scope = :scope"
    " AND f.recorded_at > :since AND f.recorded_at <= :until AND (f.recorded_at, 3, f.id) > (:at, :kind, :id)"
    " ORDER BY 1, 3 LIMIT :limit",
    f"SELECT r.recorded_at, 4, r.id, {RECORD} FROM context_records r WHERE r.scope = :scope"
    " AND r.recorded_at > :since AND r.recorded_at <= :until AND (r.recorded_at, 4, r.id) > (:at, :kind, :id)"
    " ORDER BY 1, 3 LIMIT :limit",
)


def changes(
    connection: sqlite3.Connection, scope: str, since: Instant, until: Instant, page: Slice
) -> list[ChangeRow]:
    """What happened, by (at, kind, id)."""
    found = scope_row(connection, scope)
    if found is None:
        return []
    at, kind, identity = page.after or (since, len(_KINDS), "")
    arguments = {
        "scope": found.number,
        "since": max(since, at - 1),
        "until": until,
        "at": at,
        "kind": kind,
        "id": identity,
        "limit": page.limit,
    }
    streams = [connection.execute(statement, arguments).fetchall() for statement in _KINDS]
    rows = list(islice(merge(*streams, key=lambda row: row[:3]), page.limit))
    episodes = episodes_of(connection, [row[3:] for row in rows if row[1] == 1], terms=False)
    return [_change(row, episodes) for row in rows]


def _change(row: Any, episodes: dict[str, Any]) -> ChangeRow:
    at, kind, identity = row[:3]
    if kind == 0:
        return ChangeRow(at, tombstone=tombstone_of(row[3:]))
    if kind == 1:
        return ChangeRow(at, episode=episodes[identity])
    if kind == 4:
        return ChangeRow(at, record=record_of(row[3:]))
    return ChangeRow(at, version=version_of(row[3:]))
