"""What there is to erase: everything that a selection touches."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ...temporal.instants import PAST
from ..contract import (
    Erasable,
    Pattern,
    Selection,
    record_tombstone,
)
from ..names import normalise_name
from ..records import ContextRecord, Entity, Episode
from .holding import episodes_of
from .inserting import (
    ScopeRow,
)
from .reading import matching
from .rows import EPISODE, LINK, RECORD, VERSION, link_of, record_of, version_of
from .sql import ENDED, STANDS, column, for_each


def erasable(connection: sqlite3.Connection, scope: ScopeRow | None, selection: Selection) -> Erasable:
    """All that the plan of an erase has to know."""
    if scope is None:
        return Erasable(PAST, frozenset(), (), (), {}, (), None, ())
    in_scope = {"scope": scope.number}
    entity = _entity(connection, in_scope, selection.entity)
    matched = _matched(connection, in_scope, selection)
    spoken = _spoken(connection, in_scope, selection)
    backed = for_each(
        connection,
        "SELECT DISTINCT fact_id FROM links WHERE scope = :scope AND episode_id = :a",
        column(each.id for each in spoken),
        in_scope,
    )
    lines = column([*matched, *(fact_id for (fact_id,) in backed)])
    rows = list(
        for_each(
            connection,
            f"SELECT {VERSION}, f.terms FROM facts f WHERE f.scope = :scope AND f.id = :a ORDER BY f.recorded_at",
            lines,
            in_scope,
        )
    )
    records = _selected_records(connection, in_scope, selection)
    links = for_each(
        connection, f"SELECT {LINK} FROM links l WHERE l.scope = :scope AND l.fact_id = :a", lines, in_scope
    )
    return Erasable(
        clock=scope.clock,
        matched=frozenset(matched),
        versions=[version_of(row) for row in rows],
        links=[link_of(row) for row in links],
        terms={row[0]: row[14] for row in rows},
        episodes=spoken,
        entity=entity,
        naming=_naming(connection, in_scope, selection.entity, {each.id for each in spoken}),
        records=records,
        bereft=_bereft(connection, in_scope, records),
    )


def _entity(connection: sqlite3.Connection, in_scope: dict[str, int], name: str | None) -> Entity | None:
    row = connection.execute(
        "SELECT id, name FROM entities WHERE scope = :scope AND name = :name", {**in_scope, "name": name}
    ).fetchone()
    return Entity(*row) if row else None


def _matched(connection: sqlite3.Connection, in_scope: dict[str, int], selection: Selection) -> list[str]:
    """Ids of lines that match the filter, or that have the entity at either end."""
    if selection.entity is not None:
        wheres = [" AND f.subject = :name", " AND f.object_text = :name AND f.object_type = 'entity'"]
        arguments: dict[str, Any] = {"name": selection.entity}
    elif selection[:3] != (None, None, None):
        where, arguments = matching(Pattern(*selection[:3]))
        wheres = [where]
    else:
        return []
    ids: dict[str, None] = {}
    for where in wheres:
        for state in (STANDS, ENDED):
            rows = connection.execute(
                f"SELECT f.id FROM facts f WHERE f.scope = :scope{where} AND f.{state}",
                {**arguments, **in_scope},
            )
            ids.update((each, None) for (each,) in rows)
    return list(ids)


def _spoken(connection: sqlite3.Connection, in_scope: dict[str, int], selection: Selection) -> list[Episode]:
    if selection.episode is not None:
        where, value = "e.id = :value", selection.episode
    elif selection.entity is not None:
        where, value = "e.speaker = :value", selection.entity
    else:
        return []
    rows = connection.execute(
        f"SELECT {EPISODE}, e.row_id FROM episodes e WHERE e.scope = :scope AND {where} ORDER BY e.recorded_at, e.id",
        {**in_scope, "value": value},
    ).fetchall()
    return list(episodes_of(connection, rows).values())


def _naming(
    connection: sqlite3.Connection, in_scope: dict[str, int], name: str | None, going: Collection[str]
) -> list[str]:
    """Other episodes whose text or speaker still names the entity. A look at every text: an erase is rare."""
    if name is None:
        return []
    rows = connection.execute(
        "SELECT DISTINCT alias FROM facts WHERE scope = :scope AND subject = :name AND alias <> ''",
        {**in_scope, "name": name},
    )
    names = {normalise_name(name), *(alias for (alias,) in rows)} - {""}
    episodes = [
        episode
        for episode, text, speaker in connection.execute(
            "SELECT id, text, coalesce(speaker, '') FROM episodes WHERE scope = :scope ORDER BY recorded_at, id",
            in_scope,
        )
        if episode not in going and _names_any(f"{text} {speaker}", names)
    ]
    records = [
        record_tombstone(record)
        for record, body in connection.execute(
            "SELECT id, body FROM context_records WHERE scope = :scope ORDER BY recorded_at, id", in_scope
        )
        if _names_any(body, names)
    ]
    return episodes + records


def _selected_records(
    connection: sqlite3.Connection, in_scope: dict[str, int], selection: Selection
) -> list[ContextRecord]:
    rows = connection.execute(
        f"SELECT {RECORD} FROM context_records r WHERE r.scope = :scope AND r.id = :record",
        {**in_scope, "record": selection.record},
    )
    return [record_of(row) for row in rows]


def _bereft(
    connection: sqlite3.Connection, in_scope: dict[str, int], records: Sequence[ContextRecord]
) -> set[str]:
    """Lineages of which all records are among these."""
    going = {each.id for each in records}
    staying = {
        lineage
        for lineage, record in for_each(
            connection,
            "SELECT lineage, id FROM context_records WHERE scope = :scope AND lineage = :a",
            column(each.lineage for each in records),
            in_scope,
        )
        if record not in going
    }
    return {each.lineage for each in records} - staying


def _names_any(text: str, names: Iterable[str]) -> bool:
    said = f" {normalise_name(text)} "
    return any(f" {name} " in said for name in names)
