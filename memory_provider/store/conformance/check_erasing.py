"""Erasing: everything a selection touches goes, at every recorded time, and what stays is what was planned."""

from __future__ import annotations

from ...temporal.instants import PAST
from ..contract import Erasable, ErasePlan, Erasure, Needs, Pattern, Selection, Slice, Store
from ..records import IdempotencyRecord, Key, Tombstone
from .claiming import holds, same, same_members
from .rows import (
    LATEST,
    NOW,
    declared,
    ended,
    ending,
    entity,
    episode,
    fact,
    fresh,
    in_context,
    link,
    load,
    probe,
    put,
    second,
    text,
    view,
)
from .stores import Stores


def whole(at: int, *extra: Tombstone) -> ErasePlan:
    """A plan that erases all it is shown, and leaves a stone for each line and episode."""

    def plan(found: Erasable) -> Erasure:
        lines = sorted({each.id for each in found.versions})
        episodes = [each.id for each in found.episodes]
        stones = [Tombstone(each, "fact", at, "asked to", "Ann") for each in lines]
        stones += [Tombstone(each, "episode", at, "asked to", "Ann") for each in episodes]
        if found.entity:
            stones.append(Tombstone(found.entity.id, "entity", at, "asked to", "Ann"))
        return Erasure(
            at,
            facts=lines,
            episodes=episodes,
            entities=[found.entity.name] if found.entity else [],
            claims={each.claim for each in found.links},
            tombstones=[*stones, *extra],
        )

    return plan


async def shown(store: Store, scope: str, selection: Selection) -> Erasable:
    """What a plan is told, by a dry run."""
    seen: list[Erasable] = []

    def plan(found: Erasable) -> Erasure:
        seen.append(found)
        return whole(second(99))(found)

    await store.erase(scope, selection, plan, dry_run=True)
    return seen[-1]


async def a_filter_shows_whole_lines(stores: Stores) -> None:
    """Every version and link of what matches, standing or not; nothing else; an unknown scope shows nothing."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "phone", text("555"), second(1))
    other = fact("Ann", "lives", entity("555"), second(1))
    await put(store, scope, second(1), old, other, fact("Bea", "phone", text("777"), second(1)))
    left = fact(
        "Ann", "phone", text("555"), second(2), end=second(2), id=old.version.id, replaces=[old.version]
    )
    new = fact("Ann", "phone", text("556"), second(2), start=second(2), replaces=[old.version])
    await put(store, scope, second(2), left, new, superseded=[ending(old)])
    was = ended(old, second(2))
    for selection, lines in (
        (Selection(subject="Ann", predicate="phone", object=text("555")), [was, left]),
        (Selection(subject="Ann", predicate="phone"), [was, left, new]),
        (Selection(object=text("555")), [was, left, other]),
        (Selection(object=entity("555")), [other]),
        (Selection(predicate="phone", object=text("556")), [new]),
        (Selection(subject="Zoe"), []),
    ):
        found = await shown(store, scope, selection)
        same_members(found.versions, [each.version for each in lines], f"versions that {selection} shows")
        ids = {each.version.id for each in lines}
        same(found.matched, frozenset(ids), "lines that match")
        same({each.fact_id for each in found.links}, ids, "lines of the links")
        same(found.terms.keys(), ids, "lines of the terms")
        holds(all(found.terms[each.version.id] == each.terms for each in lines), "the lines' terms")
        same((list(found.episodes), found.entity, list(found.naming)), ([], None, []), "nothing else")
        same(found.clock, second(2), "the clock")
    found = await shown(store, stores.scope("new"), Selection(subject="Ann"))
    same((found.clock, list(found.versions)), (PAST, []), "what a new scope shows")


async def an_episode_shows_what_it_backs(stores: Stores) -> None:
    """The lines with a link to it, attached or not, with all their links."""
    store, scope = stores.store, stores.scope()
    said, other = episode("I live in Oslo", second(1)), episode("Ann lives in Oslo", second(1))
    backed = fact("Ann", "lives", entity("Oslo"), second(1))
    once = fact("Ann", "likes", text("tea"), second(1))
    free = fact("Ann", "age", text("7"), second(1))
    links = [
        link(backed, episode_id=said.id),
        link(backed, episode_id=other.id),
        link(once, episode_id=said.id),
        link(once, episode_id=other.id),
        link(free),
    ]
    await put(store, scope, second(1), backed, once, free, episodes=[said, other], links=links)
    more = fact("Ann", "likes", text("jam"), second(2))
    await put(store, scope, second(2), more, detached=[links[2].id])
    found = await shown(store, scope, Selection(episode=said.id))
    same(list(found.episodes), [said], "the episode")
    same(found.matched, frozenset(), "lines that go whole")
    same_members(found.versions, [backed.version, once.version], "lines that it backs or backed")
    detached = links[2]._replace(detached_at=second(2))
    same_members(found.links, [links[0], links[1], detached, links[3]], "all links of those lines")
    found = await shown(store, scope, Selection(episode=fresh("ep")))
    same((list(found.episodes), list(found.versions)), ([], []), "an episode that is not there")


async def an_entity_shows_both_ends_and_what_it_said(stores: Stores) -> None:
    """And which other episodes still name it, by name or alias."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann Lee", "lives", entity("Oslo"), second(1)),
        fact("Bea", "knows", entity("Ann Lee"), second(1)),
        fact("Ann Lee", "also_known_as", text("Annie"), second(1), alias="annie"),
        fact("Bea", "likes", text("Ann Lee"), second(1)),
        fact("Bea", "lives", entity("Bonn"), second(1)),
    ]
    spoken = episode("I moved", second(1), speaker="Ann Lee")
    naming = [episode("I saw ANN-LEE today", second(1), speaker="Bea"), episode("Annie's cat", second(1))]
    others = [episode("Anniversary", second(1)), episode("Ann Leeds", second(1), speaker="Bea")]
    backed = link(rows[4], episode_id=spoken.id)
    links = [*(link(each) for each in rows[:4]), backed]
    await put(store, scope, second(1), *rows, links=links, episodes=[spoken, *naming, *others])
    found = await shown(store, scope, Selection(entity="Ann Lee"))
    holds(found.entity is not None and found.entity.name == "Ann Lee", "the entity itself")
    same(found.matched, frozenset(each.version.id for each in rows[:3]), "lines with it at either end")
    same_members(
        found.versions,
        [each.version for each in (*rows[:3], rows[4])],
        "those lines, and what its episodes back",
    )
    same([each.id for each in found.episodes], [spoken.id], "episodes it spoke")
    same_members(found.naming, [each.id for each in naming], "episodes that still name it")


async def a_dry_run_changes_nothing(stores: Stores) -> None:
    """The plan is asked, and all stays as it was; what a plan raises passes through."""
    store, scope = stores.store, stores.scope()
    new = fact("Ann", "phone", text("555"), second(1))
    await put(store, scope, second(1), new)
    await store.erase(scope, Selection(subject="Ann"), whole(second(2)), dry_run=True)

    def refuse(found: Erasable) -> Erasure:
        raise ZeroDivisionError

    try:
        await store.erase(scope, Selection(subject="Ann"), refuse, dry_run=False)
    except ZeroDivisionError:
        pass
    else:
        holds(False, "what a plan raises must reach the caller")
    found = (await store.facts(scope, LATEST, Pattern(), Slice(5))).found
    same([each.version for each in found], [new.version], "facts after a dry run and a refused erase")
    same((await load(store, scope, Needs())).clock, second(1), "the clock after them")


async def what_was_erased_is_nowhere(stores: Stores) -> None:
    """At no `known_at`, in no read, under no word; only its tombstone is left."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "phone", text("555"), second(1))
    keep = fact("Ann", "lives", entity("Oslo"), second(1))
    await put(store, scope, second(1), old, keep, predicates=[declared("lives")])
    new = fact("Ann", "phone", text("556"), second(2), replaces=[old.version])
    await put(store, scope, second(2), new, superseded=[ending(old)])
    await store.erase(scope, Selection(predicate="phone"), whole(second(3)), dry_run=False)
    ids = [old.version.id, new.version.id]
    for moment in (LATEST, view(NOW, second(1)), view(NOW, second(2))):
        found = (await store.facts(scope, moment, Pattern(), Slice(9))).found
        same([each.version for each in found], [keep.version], "facts that are left")
        same(list((await store.standing(scope, moment, Key("Ann", "phone"))).found), [], "the erased key")
        hits = (await store.candidates(scope, moment, probe("phone", "555", "556", ids=ids))).found
        same((list(hits.facts), list(hits.anchored_facts)), ([], []), "erased words and ids")
        held = (await store.held(scope, moment, ids, [], [])).found
        same((held.facts, held.tombstones.keys()), ({}, set(ids)), "erased ids that somebody holds")
    same(
        [each.version for each in await store.history(scope, Pattern(), Slice(9))], [keep.version], "history"
    )
    same(list(await store.lineage(scope, ids[0])), [], "the lineage of an erased id")
    stones = await store.tombstones(scope, [*ids, keep.version.id])
    same_members(
        stones, [Tombstone(each, "fact", second(3), "asked to", "Ann") for each in ids], "tombstones"
    )
    same((await load(store, scope, Needs())).clock, second(3), "the clock")
    same([each.name for each in await store.predicates(scope)], ["lives"], "predicates that are still used")
    same(list(await store.inspect(scope)), [], "what is wrong after an erase")


async def what_remains_takes_the_place(stores: Stores) -> None:
    """Rewritten versions and links stand where the line stood, ended or not."""
    store, scope = stores.store, stores.scope()
    said = episode("Ann lives in Oslo", second(1))
    line = fact("Ann", "lives", entity("Oslo"), second(1), start=second(0))
    gone, kept = link(line, episode_id=said.id), link(line, covers_from=second(5))
    await put(store, scope, second(1), line, links=[gone, kept], episodes=[said])
    new = fact("Ann", "lives", entity("Rome"), second(2), start=second(8), replaces=[line.version])
    left = fact("Ann", "lives", entity("Oslo"), second(2), start=second(0), end=second(8), id=line.version.id)
    links = [link(new), link(left, claim=kept.claim, covers_from=second(5))]
    await put(
        store,
        scope,
        second(2),
        left,
        new,
        superseded=[ending(line)],
        detached=[gone.id, kept.id],
        links=links,
    )
    once = fact(
        "Ann",
        "lives",
        entity("Oslo"),
        second(1),
        start=second(5),
        id=line.version.id,
        superseded_at=second(2),
    )
    now = fact("Ann", "lives", entity("Oslo"), second(2), start=second(5), end=second(8), id=line.version.id)
    rewritten = [kept._replace(detached_at=second(2)), links[1]]

    def plan(found: Erasable) -> Erasure:
        return Erasure(
            second(3),
            facts=[line.version.id],
            rewritten=[once, now],
            links=rewritten,
            episodes=[each.id for each in found.episodes],
            claims=[gone.claim],
            tombstones=[Tombstone(gone.claim, "claim", second(3), "asked to", None)],
        )

    await store.erase(scope, Selection(episode=said.id), plan, dry_run=False)
    told = await store.history(scope, Pattern("Ann", "lives"), Slice(9))
    same_members([each.version for each in told], [once.version, now.version, new.version], "what is left")
    (found,) = (await store.facts(scope, view(second(6)), Pattern(), Slice(9))).found
    same((found.version, list(found.sources)), (now.version, [links[1]]), "what is left now")
    (found,) = (await store.facts(scope, view(second(6), second(1)), Pattern(), Slice(9))).found
    same(
        (found.version, list(found.sources)), (once.version, rewritten[:1]), "what is left of what was known"
    )
    hits = (await store.candidates(scope, view(second(6)), probe("oslo"))).found.facts
    same([each.hit.version for each in hits], [now.version], "what is found of it now")
    hits = (await store.candidates(scope, view(second(6), second(1)), probe("oslo"))).found.facts
    same([each.hit.version for each in hits], [once.version], "what is found of what was known")
    same(list(await store.inspect(scope)), [], "what is wrong after an erase")


async def an_erased_turn_leaves_the_next_ones_context(stores: Stores) -> None:
    """The turn after it stays, found by its own words only."""
    store, scope = stores.store, stores.scope()
    first = episode("the secret garden", second(1), session="s", position=1)
    after = in_context(
        episode("a blue house", second(2), session="s", position=2, previous=first.id), first.text
    )
    await put(store, scope, second(1), episodes=[first])
    await put(store, scope, second(2), episodes=[after])
    same(len((await store.candidates(scope, LATEST, probe("secret"))).found.episodes), 2, "hits before")
    await store.erase(scope, Selection(episode=first.id), whole(second(3)), dry_run=False)
    same(
        list((await store.candidates(scope, LATEST, probe("secret"))).found.episodes),
        [],
        "hits of erased words",
    )
    (hit,) = (await store.candidates(scope, LATEST, probe("blue"))).found.episodes
    same((hit.hit.text, hit.hit.chunk.context), (after.text, ""), "the turn after, without context")
    same(list(await store.episodes(scope, [first.id])), [], "the erased turn")
    loaded = await load(store, scope, Needs(sessions=["s"], episodes=[first.id, after.id]))
    same(loaded.episodes, {after.id: second(2)}, "episodes that are left")
    same(loaded.sessions["s"][:2], (after.id, 2), "the tail of the session")
    held = (await store.held(scope, LATEST, [], [first.id, after.id], [])).found
    same((held.chunks.keys(), held.tombstones.keys()), ({(after.id, 0)}, {first.id}), "held ids")
    same(list(await store.inspect(scope)), [], "what is wrong after an erase")


async def an_erased_entity_is_gone(stores: Stores) -> None:
    """With its facts, its name and what it said; its id has a tombstone."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "lives", entity("Oslo"), second(1)),
        fact("Bea", "knows", entity("Ann"), second(1)),
        fact("Bea", "lives", entity("Oslo"), second(1)),
    ]
    said = episode("I moved", second(1), speaker="Ann")
    await put(store, scope, second(1), *rows, episodes=[said])
    ann = (await load(store, scope, Needs(entities=["Ann"]))).entities["Ann"]
    await store.erase(scope, Selection(entity="Ann"), whole(second(2)), dry_run=False)
    found = (await store.facts(scope, LATEST, Pattern(), Slice(9))).found
    same([each.version for each in found], [rows[2].version], "facts that are left")
    same(
        set((await load(store, scope, Needs(entities=["Ann", "Bea", "Oslo"]))).entities),
        {"Bea", "Oslo"},
        "names",
    )
    held = (await store.held(scope, LATEST, [], [said.id], [ann.id])).found
    same((held.entities, held.tombstones.keys()), ({}, {ann.id, said.id}), "held ids")
    same(
        (await store.candidates(scope, LATEST, probe(names=["ann"], entities=["Ann"]))).found.entities,
        [],
        "names asked",
    )


async def what_nothing_names_goes_too(stores: Stores) -> None:
    """Entities that no version and no episode names any longer, each with a tombstone; undeclared predicates."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "visits", entity("the clinic"), second(1)),
        fact("Bea", "lives", entity("Oslo"), second(1)),
        fact("Ann", "lives", entity("Oslo"), second(1)),
    ]
    said = episode("hello", second(1), speaker="Bea")
    await put(store, scope, second(1), *rows, episodes=[said])
    names = (await load(store, scope, Needs(entities=["the clinic"]))).entities
    await store.erase(scope, Selection(predicate="visits"), whole(second(2)), dry_run=False)
    await store.erase(scope, Selection(subject="Bea"), whole(second(3)), dry_run=False)
    loaded = await load(
        store, scope, Needs(entities=["Ann", "Bea", "Oslo", "the clinic"], predicates=["visits", "lives"])
    )
    same(set(loaded.entities), {"Ann", "Bea", "Oslo"}, "entities that something still names")
    same(set(loaded.predicates), {"lives"}, "predicates that something still uses")
    stones = await store.tombstones(scope, [names["the clinic"].id])
    same(
        list(stones),
        [Tombstone(names["the clinic"].id, "entity", second(2), "asked to", "Ann")],
        "the tombstone of an entity that nothing names",
    )


async def keys_of_erased_operations_answer_erased(stores: Stores) -> None:
    """By claim and by episode; other keys are left."""
    store, scope = stores.store, stores.scope()
    new, other = (fact(name, "phone", text("555"), second(1)) for name in ("Ann", "Bea"))
    said = episode("hello", second(1))
    links = [link(new), link(other)]
    records = [
        IdempotencyRecord("by claim", "a", second(1), None, links[0].claim, (new.version.id,), ()),
        IdempotencyRecord("by episode", "b", second(1), said.id, None, (), ()),
        IdempotencyRecord("other", "c", second(1), None, links[1].claim, (other.version.id,), ()),
    ]
    await put(store, scope, second(1), new, other, links=links, episodes=[said], idempotency=records)
    await store.erase(scope, Selection(subject="Ann"), whole(second(2)), dry_run=False)
    await store.erase(scope, Selection(episode=said.id), whole(second(3)), dry_run=False)
    loaded = await load(store, scope, Needs(idempotency=[each.key for each in records]))
    same(
        {key: (each.arguments, each.erased) for key, each in loaded.idempotency.items()},
        {"by claim": ("a", True), "by episode": ("b", True), "other": ("c", False)},
        "idempotency records",
    )


async def a_scope_is_erased_whole(stores: Stores) -> None:
    """With its clock, so that it can be written to as if it had never been; others are left."""
    store, scope, other = stores.store, stores.scope("a"), stores.scope("b")
    for name in (scope, other):
        await put(
            store,
            name,
            second(9),
            fact("Ann", "lives", entity("Oslo"), second(9)),
            episodes=[episode("hello", second(9))],
        )
    summary = await store.erase_scope(scope)
    holds(summary is not None, "erasing a scope tells what it held")
    assert summary is not None
    same(tuple(summary), (scope, second(9), 1, 1, 1, 2, 0), "what it held")
    same(await store.erase_scope(scope), None, "erasing it again")
    same(
        [each.name for each in await store.scopes() if each.name in (scope, other)],
        [other],
        "scopes that are left",
    )
    same((await load(store, scope, Needs(entities=["Ann"])))[:1], (PAST,), "its clock")
    hits = (await store.candidates(scope, LATEST, probe("ann", "hello", names=["ann"]))).found
    same([list(each) for each in hits[:-1]], [[]] * (len(hits) - 1), "its words")
    again = fact("Cid", "lives", entity("Bonn"), second(1))
    await put(store, scope, second(1), again)
    found = (await store.facts(scope, LATEST, Pattern(), Slice(5))).found
    same([each.version for each in found], [again.version], "what is written to it afterwards")
    same(
        len((await store.candidates(other, LATEST, probe("ann", "hello"))).found.episodes),
        1,
        "the other's words",
    )


CHECKS = (
    a_filter_shows_whole_lines,
    an_episode_shows_what_it_backs,
    an_entity_shows_both_ends_and_what_it_said,
    a_dry_run_changes_nothing,
    what_was_erased_is_nowhere,
    what_remains_takes_the_place,
    an_erased_turn_leaves_the_next_ones_context,
    an_erased_entity_is_gone,
    what_nothing_names_goes_too,
    keys_of_erased_operations_answer_erased,
    a_scope_is_erased_whole,
)
