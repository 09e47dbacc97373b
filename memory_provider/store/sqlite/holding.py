"""What ids say: held frames, episodes, predicates and tombstones."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..contract import Answer, Held, Moment, lineage_tombstone
from ..records import Chunk, ContextRecord, Entity, Episode, Predicate, Tombstone, Version
from .inserting import scope_row
from .rows import (
    CHUNK,
    EPISODE,
    PREDICATE,
    RECORD,
    TOMBSTONE,
    VERSION,
    WHOLE_RECORD,
    chunk_of,
    episode_of,
    predicate_of,
    record_of,
    tombstone_of,
    version_of,
)
from .sql import among, column, for_each, known
from .views import View, view_at


def held(
    connection: sqlite3.Connection,
    scope: str,
    moment: Moment,
    facts: Collection[str],
    episodes: Collection[str],
    entities: Collection[str],
    lineages: Collection[str] = (),
) -> Answer[Held]:
    """Everything about ids someone holds."""
    view = view_at(connection, scope, moment)
    named = {
        each: Entity(each, name)
        for each, name in among(
            connection,
            "SELECT id, name FROM entities WHERE scope = :scope AND id IN (:given)",
            entities,
            view.arguments(),
        )
    }
    return view.answer(
        Held(
            facts=_last_versions(connection, view, facts),
            chunks={
                (episode, number): digest
                for episode, number, digest in among(
                    connection,
                    "SELECT e.id, c.number, c.digest FROM episodes e JOIN chunks c ON c.episode = e.row_id"
                    " WHERE e.scope = :scope AND e.id IN (:given) AND e.recorded_at <= :known",
                    episodes,
                    view.arguments(),
                )
            },
            entities=named,
            relations={each.id: relations_of(connection, view, each.name) for each in named.values()},
            predicates={each.name: each for each in _predicates(connection, view.scope)} if entities else {},
            tombstones={
                each.id: each
                for each in _tombstones(
                    connection,
                    view.scope,
                    [*facts, *episodes, *entities, *map(lineage_tombstone, lineages)],
                )
            },
            lineages=last_records(connection, view.arguments(), lineages),
        )
    )


def _last_versions(connection: sqlite3.Connection, view: View, ids: Collection[str]) -> dict[str, Version]:
    """The last version of each line recorded by `known_at`; and of the lines that absorbed them, to the end."""
    found: dict[str, Version] = {}
    asking = set(ids)
    while asking:
        for row in among(
            connection,
            f"SELECT {VERSION} FROM (SELECT id, max(recorded_at) AS recorded_at FROM facts"
            " WHERE scope = :scope AND id IN (:given) AND recorded_at <= :known GROUP BY id) w"
            " CROSS JOIN facts f ON f.scope = :scope AND f.id = w.id AND f.recorded_at = w.recorded_at",
            asking,
            view.arguments(),
        ):
            found[row[0]] = version_of(row)
        asking = {found[each].absorbed_by for each in asking if each in found} - {None, *found}  # type: ignore[assignment]
    return found


def last_records(
    connection: sqlite3.Connection, arguments: Mapping[str, Any], lineages: Iterable[str]
) -> dict[str, ContextRecord]:
    """The last record of each lineage of `:scope` recorded by `:known`."""
    rows = for_each(
        connection,
        f"SELECT {RECORD} FROM context_records r WHERE r.scope = :scope AND r.lineage = :a AND r.recorded_at <= :known"
        " ORDER BY r.recorded_at DESC, r.position DESC LIMIT 1",
        column(lineages),
        arguments,
    )
    return {each.lineage: each for each in map(record_of, rows)}


def records(
    connection: sqlite3.Connection,
    scope: str,
    moment: Moment,
    ids: Collection[str],
    lineages: Collection[str],
) -> Answer[Sequence[ContextRecord]]:
    """Context records by id and of lineages, oldest first."""
    view = view_at(connection, scope, moment)
    found: dict[str, ContextRecord] = {}
    for name, given in (("id", ids), ("lineage", lineages)):
        rows = among(
            connection,
            f"SELECT {WHOLE_RECORD} FROM context_records r WHERE r.scope = :scope AND r.{name} IN (:given)"
            " AND r.recorded_at <= :known",
            given,
            view.arguments(),
        )
        found.update((row[0], record_of(row)) for row in rows)
    return view.answer(sorted(found.values(), key=lambda each: (each.recorded_at, each.position)))


def relations_of(connection: sqlite3.Connection, view: View, name: str) -> list[Version]:
    """An entity's relations known at `known_at`, whenever valid, each once."""
    outward = known(
        f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope AND f.subject = :name"
        " AND f.object_type = 'entity' AND {known}",
        view.past,
    )
    inward = known(
        f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope AND f.object_text = :name"
        " AND f.object_type = 'entity' AND f.subject <> :name AND {known}",
        view.past,
    )
    rows = connection.execute(f"{outward} UNION ALL {inward}", view.arguments(name=name))
    return [version_of(row) for row in rows]


def episodes(connection: sqlite3.Connection, scope: str, ids: Collection[str]) -> list[Episode]:
    """Episodes by id, in the order asked."""
    found = scope_row(connection, scope)
    if found is None:
        return []
    rows = among(
        connection,
        f"SELECT {EPISODE}, e.row_id FROM episodes e WHERE e.scope = :scope AND e.id IN (:given)",
        ids,
        {"scope": found.number},
    )
    by_id = episodes_of(connection, rows)
    return [by_id[each] for each in dict.fromkeys(ids) if each in by_id]


def episodes_of(
    connection: sqlite3.Connection, rows: Iterable[Any], terms: bool = True
) -> dict[str, Episode]:
    """Episodes from rows of `EPISODE` and the row number, by id, with their chunks."""
    chunks: dict[int, list[Chunk]] = {}
    rows = list(rows)
    for row in among(
        connection,
        f"SELECT c.episode, {CHUNK} FROM chunks c WHERE c.episode IN (:given) ORDER BY c.episode, c.number",
        (row[10] for row in rows),
        {},
    ):
        chunk = chunk_of(row[1:])
        chunks.setdefault(row[0], []).append(chunk if terms else chunk._replace(terms="", context=""))
    return {row[0]: episode_of(row, chunks.get(row[10], ())) for row in rows}


def predicates(connection: sqlite3.Connection, scope: str) -> list[Predicate]:
    """All predicates of a scope, by name."""
    found = scope_row(connection, scope)
    return _predicates(connection, found.number) if found else []


def tombstones(connection: sqlite3.Connection, scope: str, ids: Collection[str]) -> list[Tombstone]:
    """The tombstones of ids."""
    found = scope_row(connection, scope)
    return _tombstones(connection, found.number, ids) if found else []


def _predicates(connection: sqlite3.Connection, scope: int) -> list[Predicate]:
    rows = connection.execute(
        f"SELECT {PREDICATE} FROM predicates p WHERE p.scope = ? ORDER BY p.name", (scope,)
    )
    return [predicate_of(row) for row in rows]


def _tombstones(connection: sqlite3.Connection, scope: int, ids: Iterable[str]) -> list[Tombstone]:
    rows: Sequence[Any] = list(
        among(
            connection,
            f"SELECT {TOMBSTONE} FROM tombstones t WHERE t.scope = :scope AND t.id IN (:given)",
            ids,
            {"scope": scope},
        )
    )
    return [tombstone_of(row) for row in rows]
