"""Walking relations outward from an entity."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from ..contract import Answer, Moment, Neighbourhood
from ..records import Entity, Version
from .reading import IN_VIEW, with_sources
from .rows import VERSION, version_of
from .sql import column, for_each, known
from .views import View, view_at


def neighbourhood(
    connection: sqlite3.Connection, scope: str, moment: Moment, entity: str, depth: int, limit: int
) -> Answer[Neighbourhood]:
    """Relations in view, breadth first; within one step by subject, predicate and object."""
    view = view_at(connection, scope, moment)
    start = entities_named(connection, view, [entity])
    if not start:
        return view.answer(Neighbourhood((), (), False))
    reached = {entity: None}
    relations: dict[str, Version] = {}
    frontier, truncated = [entity], False
    for _ in range(depth):
        step = _step(connection, view, frontier, limit - len(relations) + 1, relations)
        truncated = len(relations) + len(step) > limit
        step = step[: limit - len(relations)]
        relations.update((each.id, each) for each in step)
        frontier = [name for each in step for name in (each.subject, each.object.text) if name not in reached]
        frontier = list(dict.fromkeys(frontier))
        reached.update(dict.fromkeys(frontier))
        if truncated or not frontier:
            break
    return view.answer(
        Neighbourhood(
            entities_named(connection, view, reached),
            with_sources(connection, view, list(relations.values())),
            truncated,
        )
    )


def _step(
    connection: sqlite3.Connection, view: View, names: list[str], limit: int, seen: dict[str, Version]
) -> list[Version]:
    found: dict[str, Version] = {}
    for end in ("subject", "object_text"):
        statement = known(
            f"SELECT {VERSION} FROM facts f WHERE f.scope = :scope AND f.{end} = :a"
            f" AND f.object_type = 'entity' AND {IN_VIEW} AND {{known}}",
            view.past,
        )
        # All of a name's relations compete for the limit, and those seen in an earlier step do not count.
        rows = for_each(
            connection,
            f"{statement} ORDER BY subject, predicate, object_text, valid_from, id LIMIT :limit",
            column(names),
            view.arguments(limit=limit + len(seen)),
        )
        found.update((row[0], version_of(row)) for row in rows if row[0] not in seen)
    return sorted(
        found.values(), key=lambda each: (each.subject, each.predicate, each.object.text, each.valid_from)
    )


def entities_named(connection: sqlite3.Connection, view: View, names: Iterable[str]) -> list[Entity]:
    """The entities of exactly these names, in this order."""
    rows = for_each(
        connection,
        "SELECT id, name FROM entities WHERE scope = :scope AND name = :a",
        column(names),
        view.arguments(),
    )
    return [Entity(*row) for row in rows]
