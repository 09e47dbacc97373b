"""Nothing crosses from one scope to another."""

from __future__ import annotations

from ..contract import Erasable, Erasure, Needs, Pattern, Selection, Slice
from ..records import IdempotencyRecord, Key
from .claiming import same
from .rows import LATEST, entity, episode, fact, load, probe, put, record, second, text, view
from .stores import Stores


async def a_foreign_scope_shows_nothing(stores: Stores) -> None:
    """Neither by ids, nor by words, nor by names, nor by asking for everything."""
    store, scope, other = stores.store, stores.scope("mine"), stores.scope("theirs")
    new = fact("Ann", "knows", entity("Bea"), second(1), alias="annie")
    said = episode("Ann knows Bea", second(1), speaker="Ann", session="s", position=1)
    record = IdempotencyRecord("key", "arguments", second(1), said.id, None, (new.version.id,), ())
    loaded = await put(store, scope, second(1), new, episodes=[said], idempotency=[record])
    same(dict(loaded.entities), {}, "entities before the first write")
    await put(store, other, second(1), fact("Cid", "likes", text("tea"), second(1)))
    ann = (await load(store, scope, Needs(entities=["Ann"]))).entities["Ann"]
    asked = probe(
        "ann", "knows", "bea", names=["ann", "annie"], entities=["Ann", "Bea"], ids=[new.version.id, said.id]
    )
    for moment in (LATEST, view(None, second(1)), view(second(5), second(0))):
        found = (await store.candidates(other, moment, asked)).found
        same(
            [list(arm) for arm in found[:-1]],
            [[]] * (len(found) - 1),
            "a recall for what another scope holds",
        )
        same(found.more, 0, "matches of another scope that were left out")
        held = (await store.held(other, moment, [new.version.id], [said.id], [ann.id])).found
        same(
            (held.facts, held.chunks, held.entities, held.relations), ({}, {}, {}, {}), "ids of another scope"
        )
        walked = (await store.neighbourhood(other, moment, "Ann", 3, 10)).found
        same((list(walked.entities), list(walked.relations)), ([], []), "a walk from another scope's entity")
        same(
            list((await store.facts(other, moment, Pattern("Ann"), Slice(5))).found),
            [],
            "another scope's facts",
        )
        same(
            list((await store.standing(other, moment, Key("Ann", "knows"))).found), [], "another scope's key"
        )
    same(list(await store.history(other, Pattern("Ann"), Slice(5))), [], "another scope's history")
    same(list(await store.lineage(other, new.version.id)), [], "the lineage of another scope's id")
    same(list(await store.episodes(other, [said.id])), [], "another scope's episode")
    same([each.name for each in await store.predicates(other)], ["likes"], "predicates of this scope alone")
    seen = await store.changes(other, second(0), second(9), Slice(50))
    same([each.version.subject for each in seen if each.version], ["Cid"], "changes of this scope alone")
    loaded = await load(
        store,
        other,
        Needs([Key("Ann", "knows")], ["knows"], ["Ann"], [said.id], ["s"], ["key"], ["knows"]),
    )
    same(
        (list(loaded.versions), list(loaded.links), loaded.entities, loaded.episodes, loaded.sessions),
        ([], [], {}, {}, {}),
        "what a plan in another scope is told",
    )
    same((loaded.predicates, loaded.idempotency), ({}, {}), "names and keys of another scope")


async def the_same_ids_may_live_in_two_scopes(stores: Stores) -> None:
    """As after an import: each scope has its own, and erasing one leaves the other."""
    store, scope, other = stores.store, stores.scope("a"), stores.scope("b")
    new = fact("Ann", "knows", entity("Bea"), second(1))
    said = episode("Ann knows Bea", second(1))
    await put(store, scope, second(1), new, episodes=[said])
    twin = new._replace(version=new.version._replace(statement="Ann is a friend of Bea"))
    await put(store, other, second(1), twin, episodes=[said])

    def plan(found: Erasable) -> Erasure:
        return Erasure(second(2), facts=found.matched, episodes=[each.id for each in found.episodes])

    await store.erase(scope, Selection(subject="Ann"), plan, dry_run=False)
    await store.erase(scope, Selection(episode=said.id), plan, dry_run=False)
    same(list((await store.facts(scope, LATEST, Pattern(), Slice(5))).found), [], "the erased scope")
    found = (await store.facts(other, LATEST, Pattern(), Slice(5))).found
    same([each.version for each in found], [twin.version], "the other scope's facts")
    same(len(found[0].sources), 1, "the other scope's sources")
    same(list(await store.episodes(other, [said.id])), [said], "the other scope's episode")
    hits = (await store.candidates(other, LATEST, probe("ann"))).found
    same((len(hits.facts), len(hits.episodes)), (1, 1), "the other scope's words")


async def names_of_scopes_are_exact(stores: Stores) -> None:
    """No prefix, case, sign or form of writing makes two scopes one."""
    store, base = stores.store, stores.scope("x")
    names = [
        base + ending
        for ending in ("", "/", "/y", "_", "%", "*", " ", "X", "x", "é", "e\u0301", "1", "11", "'", '"')
    ]
    for number, name in enumerate(names):
        await put(store, name, second(1), fact("Ann", "number", text(str(number)), second(1)))
    for number, name in enumerate(names):
        found = (await store.facts(name, LATEST, Pattern(), Slice(50))).found
        same([each.version.object.text for each in found], [str(number)], f"facts of scope {name!r}")
        hits = (await store.candidates(name, LATEST, probe("ann"))).found.facts
        same([each.hit.version.object.text for each in hits], [str(number)], f"words of scope {name!r}")
    listed = {each.name for each in await store.scopes()}
    same(set(names) - listed, set(), "scopes that are not listed")


async def words_are_weighed_by_their_own_scope(stores: Stores) -> None:
    """No score tells how common a word is elsewhere."""
    store, scope, other = stores.store, stores.scope("mine"), stores.scope("theirs")
    said = [episode("copper kettle", second(1)), episode("tea kettle", second(1))]
    new = [
        fact("Ann", "has", text(words), second(1)) for words in ("copper kettle", "tea kettle", "tea copper")
    ]
    records = [record(words, second(1)) for words in ("copper kettle", "tea kettle")]
    await put(store, scope, second(1), *new, episodes=said, records=records)
    asked = probe("copper", "tea", "ann", records=9, frames=("memory",))
    before = (await store.candidates(scope, LATEST, asked)).found
    same((len(before.facts), len(before.episodes), len(before.records)), (3, 2, 2), "hits")
    many = [fact(f"pot {number}", "made of", text("copper"), second(1)) for number in range(40)]
    await put(
        store,
        other,
        second(1),
        *many,
        episodes=[episode("copper copper copper ann " * 50, second(1))],
        records=[record(f"copper {number}", second(1), position=number) for number in range(40)],
    )
    after = (await store.candidates(scope, LATEST, asked)).found
    same(list(after.facts), list(before.facts), "facts found and their scores, whatever another scope holds")
    same(list(after.episodes), list(before.episodes), "chunks found and their scores, the same")
    same(list(after.records), list(before.records), "records found and their scores, the same")


CHECKS = (
    a_foreign_scope_shows_nothing,
    the_same_ids_may_live_in_two_scopes,
    names_of_scopes_are_exact,
    words_are_weighed_by_their_own_scope,
)
