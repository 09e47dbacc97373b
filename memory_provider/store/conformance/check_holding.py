"""What ids say that somebody holds."""

from __future__ import annotations

from ..contract import Needs
from ..records import Chunk
from .claiming import same, same_members
from .rows import LATEST, ended, ending, entity, episode, fact, fresh, load, put, second, text, view
from .stores import Stores


async def ids_say_their_last_version(stores: Stores) -> None:
    """The one standing at `known_at`, else the last one recorded by then; an unknown id is in no answer."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(1))
    kept = fact("Bea", "lives", entity("Bonn"), second(1), end=second(2))
    await put(store, scope, second(1), old, kept)
    left = fact("Ann", "lives", entity("Oslo"), second(2), end=second(2), id=old.version.id)
    await put(store, scope, second(2), left, superseded=[ending(old)])
    await put(store, scope, second(3), superseded=[ending(left, "retract")], links=[])
    asked = [old.version.id, kept.version.id, fresh("fact")]
    for known_at, says in (
        (None, ended(left, second(3), "retract")),
        (second(2), ended(left, second(3), "retract")),
        (second(1), ended(old, second(2))),
    ):
        answer = await store.held(scope, view(None, known_at), asked, [], [])
        same(
            answer.found.facts,
            {old.version.id: says.version, kept.version.id: kept.version},
            f"what ids say, known at {known_at}",
        )
        same(answer.known_at, second(3) if known_at is None else known_at, "the instant it was asked for")
        same((answer.found.predicates, answer.found.tombstones), ({}, {}), "nothing that was not asked for")
    before = (await store.held(scope, view(None, second(0)), asked, [], [])).found.facts
    same(before, {}, "what ids said before they were issued")


async def absorbed_ids_lead_on(stores: Stores) -> None:
    """To the line that absorbed them, and to the line that absorbed that one."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "lives", entity("Oslo"), second(1), start=second(n), end=second(n + 1)) for n in (1, 3, 5)
    ]
    await put(store, scope, second(1), *rows)
    a, b, c = (each.version.id for each in rows)
    wide = fact("Ann", "lives", entity("Oslo"), second(2), start=second(3), end=second(6), id=b)
    await put(store, scope, second(2), wide, superseded=[ending(rows[1]), ending(rows[2], "assert", b)])
    whole = fact("Ann", "lives", entity("Oslo"), second(3), start=second(1), end=second(6), id=a)
    await put(store, scope, second(3), whole, superseded=[ending(rows[0]), ending(wide, "assert", a)])
    found = (await store.held(scope, LATEST, [c], [], [])).found.facts
    same(set(found), {a, b, c}, "an absorbed id and what absorbed it")
    same(found[a], whole.version, "the line that holds it all")


async def chunks_say_their_digests(stores: Stores) -> None:
    """By episode and number, once the episode was recorded."""
    store, scope = stores.store, stores.scope()
    short = episode("short", second(1))
    long = episode(
        "one two",
        second(2),
        chunks=(Chunk(1, 0, 4, "sha256:1", "one", ""), Chunk(2, 4, 7, "sha256:2", "two", "")),
    )
    await put(store, scope, second(1), episodes=[short])
    await put(store, scope, second(2), episodes=[long])
    asked = [short.id, long.id, fresh("ep")]
    one = {(short.id, 0): short.chunks[0].digest}
    both = {**one, (long.id, 1): "sha256:1", (long.id, 2): "sha256:2"}
    same((await store.held(scope, LATEST, [], asked, [])).found.chunks, both, "digests of chunks")
    same(
        (await store.held(scope, view(None, second(1)), [], asked, [])).found.chunks,
        one,
        "digests known before",
    )


async def entities_say_their_relations(stores: Stores) -> None:
    """In both directions, known at `known_at`, whenever valid, with all predicates of the scope."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "knows", entity("Bea"), second(1), end=second(2)),
        fact("Cid", "employs", entity("Ann"), second(1), start=second(90)),
        fact("Ann", "knows", entity("Ann"), second(1)),
        fact("Ann", "age", text("7"), second(1)),
        fact("Ann", "likes", text("Ann"), second(1)),
    ]
    await put(store, scope, second(1), *rows)
    late = fact("Bea", "knows", entity("Ann"), second(2))
    await put(store, scope, second(2), late)
    names = (await load(store, scope, Needs(entities=["Ann", "Bea"]))).entities
    ann, bea = names["Ann"], names["Bea"]
    held = (await store.held(scope, LATEST, [], [], [ann.id, bea.id, fresh("ent")])).found
    same(held.entities, {ann.id: ann, bea.id: bea}, "entities by id")
    same_members(
        held.relations[ann.id], [*(each.version for each in rows[:3]), late.version], "relations of Ann"
    )
    same_members(held.relations[bea.id], [rows[0].version, late.version], "relations of Bea")
    same(set(held.predicates), {"knows", "employs", "age", "likes"}, "the scope's predicates")
    before = (await store.held(scope, view(None, second(1)), [], [], [bea.id])).found
    same_members(before.relations[bea.id], [rows[0].version], "relations known before")


async def a_thousand_ids_are_one_question(stores: Stores) -> None:
    """Any number of ids is answered at once."""
    store, scope = stores.store, stores.scope()
    rows = [fact(f"thing {i}", "counts", text(str(i)), second(1)) for i in range(1000)]
    await put(store, scope, second(1), *rows)
    found = (await store.held(scope, LATEST, [each.version.id for each in rows], [], [])).found.facts
    same(found, {each.version.id: each.version for each in rows}, "what a thousand ids say")


CHECKS = (
    ids_say_their_last_version,
    absorbed_ids_lead_on,
    chunks_say_their_digests,
    entities_say_their_relations,
    a_thousand_ids_are_one_question,
)
