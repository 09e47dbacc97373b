"""Walking relations outward from an entity."""

from __future__ import annotations

from .claiming import holds, same, same_members
from .rows import LATEST, ending, entity, fact, put, second, text, view
from .stores import Stores


async def a_walk_goes_both_ways_to_its_depth(stores: Stores) -> None:
    """Breadth first, each relation and entity once, also around a circle."""
    store, scope = stores.store, stores.scope()
    rows = {
        "ab": fact("A", "to", entity("B"), second(1)),
        "cb": fact("C", "to", entity("B"), second(1)),
        "cd": fact("C", "to", entity("D"), second(1)),
        "da": fact("D", "to", entity("A"), second(1)),
        "aa": fact("A", "to", entity("A"), second(1)),
        "ef": fact("E", "to", entity("F"), second(1)),
        "text": fact("A", "says", text("B"), second(1)),
    }
    await put(store, scope, second(1), *rows.values())
    for depth, names, edges in (
        (1, {"A", "B", "D"}, ["ab", "da", "aa"]),
        (2, {"A", "B", "C", "D"}, ["ab", "da", "aa", "cb", "cd"]),
        (5, {"A", "B", "C", "D"}, ["ab", "da", "aa", "cb", "cd"]),
    ):
        found = (await store.neighbourhood(scope, LATEST, "A", depth, 100)).found
        same_members([each.name for each in found.entities], list(names), f"entities within {depth}")
        same(found.entities[0].name, "A", "where the walk began")
        same_members(
            [each.version for each in found.relations],
            [rows[edge].version for edge in edges],
            f"relations within {depth}",
        )
        same(found.truncated, False, "whether anything was left out")
        holds(all(each.sources for each in found.relations), "relations show their sources")
    nowhere = (await store.neighbourhood(scope, LATEST, "Z", 2, 100)).found
    same(
        (list(nowhere.entities), list(nowhere.relations), nowhere.truncated),
        ([], [], False),
        "a walk from nobody",
    )


async def a_walk_stays_in_view(stores: Stores) -> None:
    """Only relations valid and known are walked."""
    store, scope = stores.store, stores.scope()
    ended = fact("A", "to", entity("B"), second(1), end=second(10))
    beyond = fact("B", "to", entity("C"), second(1))
    await put(store, scope, second(1), ended, beyond)
    moved = fact("B", "to", entity("D"), second(2), replaces=[beyond.version])
    await put(store, scope, second(2), moved, superseded=[ending(beyond)])

    async def reached(as_of: int, known_at: int | None) -> set[str]:
        found = (await store.neighbourhood(scope, view(second(as_of), known_at), "A", 3, 100)).found
        return {each.name for each in found.entities}

    same(await reached(5, None), {"A", "B", "D"}, "reached while the first relation holds")
    same(await reached(5, second(1)), {"A", "B", "C"}, "reached as it was known at first")
    same(await reached(10, None), {"A"}, "reached once the first relation has ended")


async def a_walk_stops_at_its_limit(stores: Stores) -> None:
    """And says that it did."""
    store, scope = stores.store, stores.scope()
    rows = [fact("A", "to", entity(f"B{i}"), second(1)) for i in range(10)]
    await put(store, scope, second(1), *rows)
    found = (await store.neighbourhood(scope, LATEST, "A", 2, 4)).found
    same((len(found.relations), found.truncated), (4, True), "relations under a limit of 4")
    same(len(found.entities), 5, "entities at the ends of those relations")
    found = (await store.neighbourhood(scope, LATEST, "A", 2, 10)).found
    same((len(found.relations), found.truncated), (10, False), "relations under a limit that holds them all")


CHECKS = (
    a_walk_goes_both_ways_to_its_depth,
    a_walk_stays_in_view,
    a_walk_stops_at_its_limit,
)
