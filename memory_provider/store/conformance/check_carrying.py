"""Rows going out and coming back in, and the store as a whole."""

from __future__ import annotations

from ..contract import Dump, Erasable, Erasure, Pattern, Selection, Slice, Store
from ..errors import ScopeNotEmpty
from ..records import IdempotencyRecord, Tombstone
from .claiming import holds, same, same_members
from .rows import (
    LATEST,
    NOW,
    declared,
    ending,
    entity,
    episode,
    fact,
    in_context,
    link,
    probe,
    put,
    second,
    text,
    view,
)
from .stores import Stores

_KINDS = ("entities", "predicates", "episodes", "versions", "links", "tombstones", "idempotency")


async def dumped(store: Store, scope: str, batch: int) -> list[Dump]:
    """All batches."""
    return [each async for each in store.dump(scope, batch)]


async def a_life(store: Store, scope: str) -> None:
    """A scope with something of everything."""
    said = episode("I live in Oslo", second(1), speaker="Ann", session="s", position=1)
    after = in_context(episode("Since May", second(1), session="s", position=2, previous=said.id), said.text)
    gone = episode("my number", second(1))
    line = fact("Ann", "lives", entity("Oslo"), second(1))
    phone = fact("Ann", "phone", text("+31 20 555 0100"), second(1))
    nick = fact("Ann", "also_known_as", text("Annie"), second(1), alias="annie")
    links = [link(line, episode_id=said.id, confidence=0.5), link(phone), link(nick, file_uri="file:///a")]
    await put(
        store,
        scope,
        second(1),
        line,
        phone,
        nick,
        links=links,
        episodes=[said, after, gone],
        predicates=[declared("lives", "one", "entity")],
        idempotency=[IdempotencyRecord("k", "a", second(1), said.id, links[0].claim, (line.version.id,), ())],
    )
    left = fact(
        "Ann", "lives", entity("Oslo"), second(2), end=second(5), id=line.version.id, replaces=[line.version]
    )
    new = fact("Ann", "lives", entity("Rome"), second(2), start=second(5), replaces=[line.version])
    new_links = [
        link(left, claim=links[0].claim, episode_id=said.id),
        link(new, original_recorded_at=second(-9)),
    ]
    await put(
        store, scope, second(2), left, new, superseded=[ending(line)], detached=[links[0].id], links=new_links
    )
    many = [fact(f"thing {i}", "counts", text(str(i)), second(3)) for i in range(25)]
    await put(store, scope, second(3), *many)

    def plan(found: Erasable) -> Erasure:
        ids = [each.id for each in found.episodes]
        return Erasure(
            second(4),
            episodes=ids,
            tombstones=[Tombstone(each, "episode", second(4), "asked", None) for each in ids],
        )

    await store.erase(scope, Selection(episode=gone.id), plan, dry_run=False)


async def a_restored_scope_is_the_same(stores: Stores) -> None:
    """Every row of it, and every answer, at every `known_at`."""
    store, scope, copy = stores.store, stores.scope("original"), stores.scope("copy")
    await a_life(store, scope)
    batches = await dumped(store, scope, 10)
    for number, each in enumerate(batches):
        await store.restore(copy, each, first=number == 0)
    again = await dumped(store, copy, 1000)
    same({each.clock for each in (*batches, *again)}, {second(4)}, "the clock in every batch")
    for kind in _KINDS:
        rows = [row for each in batches for row in getattr(each, kind)]
        holds(bool(rows), f"{kind} are dumped")
        same_members([row for each in again for row in getattr(each, kind)], rows, f"{kind} of the copy")
    for known_at in (None, second(1), second(2), second(3)):
        for as_of in (second(2), NOW):
            for answers in (_facts, _hits):
                same(
                    await answers(store, copy, as_of, known_at),
                    await answers(store, scope, as_of, known_at),
                    f"{answers.__name__} of the copy at {as_of} known at {known_at}",
                )
    same(list(await store.inspect(copy)), [], "what is wrong with the copy")


async def _facts(store: Store, scope: str, as_of: int, known_at: int | None) -> list[str]:
    found = (await store.facts(scope, view(as_of, known_at), Pattern(), Slice(100))).found
    return sorted(repr((each.version, sorted(each.sources))) for each in found)


async def _hits(store: Store, scope: str, as_of: int, known_at: int | None) -> list[str]:
    asked = probe("oslo", "rome", "may", "thing", names=["ann", "annie"])
    found = (await store.candidates(scope, view(as_of, known_at), asked)).found
    return sorted(
        [
            *(repr(each.hit.version) for each in found.facts),
            *(repr(each.hit.episode) for each in found.episodes),
            *(repr(each) for each in found.entities),
            *(repr(each.version) for each in found.relations),
        ]
    )


async def a_dump_comes_in_batches(stores: Stores) -> None:
    """Of at most the size asked for, parents before children."""
    store, scope = stores.store, stores.scope()
    await a_life(store, scope)
    batches = await dumped(store, scope, 7)
    seen: list[str] = []
    names: set[str] = set()
    ids: set[str] = set()
    for each in batches:
        held = [kind for kind in _KINDS if getattr(each, kind)]
        holds(sum(len(getattr(each, kind)) for kind in held) <= 7, "a batch is at most as large as asked for")
        seen += [kind for kind in held if kind not in seen]
        names |= {row.name for row in each.entities} | {row.name for row in each.predicates}
        ids |= {row.id for row in each.episodes} | {new.version.id for new in each.versions}
        holds(
            all({new.version.subject, new.version.predicate} <= names for new in each.versions),
            "names come first",
        )
        holds(all(row.fact_id in ids for row in each.links), "facts come before their links")
        holds(
            all(row.episode_id in ids for row in each.links if row.episode_id), "episodes come before links"
        )
    same(seen, list(_KINDS), "the order of kinds")
    same(await dumped(store, stores.scope("new"), 7), [], "a dump of a new scope")


async def a_dump_shows_one_state(stores: Stores) -> None:
    """What is written while it streams is not in it."""
    store, scope = stores.store, stores.scope()
    rows = [fact(f"thing {i:03}", "counts", text(str(i)), second(1)) for i in range(60)]
    await put(store, scope, second(1), *rows)
    batches: list[Dump] = []
    number = 2
    async for each in store.dump(scope, 10):
        batches.append(each)
        new = fact(
            f"thing {number:03}", "counts", text("again"), second(number), replaces=[rows[number].version]
        )
        await put(store, scope, second(number), new, superseded=[ending(rows[number])])
        number += 1
    versions = [new.version for each in batches for new in each.versions]
    same_members(versions, [each.version for each in rows], "versions of a dump under writers")
    same({each.clock for each in batches}, {second(1)}, "the clock of a dump under writers")
    linked = {row.fact_id for each in batches for row in each.links}
    same(linked, {each.id for each in versions}, "facts of the links of a dump under writers")


async def a_restore_needs_an_empty_scope(stores: Stores) -> None:
    """At its beginning; a batch repeated after a kill changes nothing; the clock is the largest seen."""
    store, scope, copy = stores.store, stores.scope("original"), stores.scope("copy")
    await a_life(store, scope)
    batches = await dumped(store, scope, 10)
    for target in (scope, copy):
        try:
            for number, each in enumerate(batches[:3] + batches):
                await store.restore(target, each, first=number == 0)
        except ScopeNotEmpty:
            same(target, scope, "the scope that is not empty")
        else:
            same(target, copy, "the scope that is empty")
    again = await dumped(store, copy, 1000)
    for kind in _KINDS:
        same_members(
            [row for each in again for row in getattr(each, kind)],
            [row for each in batches for row in getattr(each, kind)],
            f"{kind} after batches were repeated",
        )
    await store.restore(copy, Dump(second(2)), first=False)
    await store.restore(copy, Dump(second(77)), first=False)
    same({each.clock for each in await dumped(store, copy, 1000)}, {second(77)}, "the largest clock")
    same(list(await store.inspect(copy)), [], "what is wrong with the copy")


async def scopes_are_listed(stores: Stores) -> None:
    """With how much they hold."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(1))
    await put(store, scope, second(1), old, episodes=[episode("hello", second(1))])
    new = fact("Ann", "lives", entity("Rome"), second(2), replaces=[old.version])
    await put(store, scope, second(2), new, superseded=[ending(old)])
    found = [tuple(each) for each in await store.scopes() if each.name == scope]
    same(found, [(scope, second(2), 1, 2, 1, 3, 0)], "name, clock and how much")


async def opening_again_finds_the_same(stores: Stores) -> None:
    """Nothing is pending, and migrating again changes nothing; the secret is the database's."""
    store = stores.store
    layout = await store.layout()
    same(list(layout.pending), [], "migrations pending on an open store")
    holds(bool(layout.applied) and bool(layout.server), "an open store says what it is")
    same(list((await store.migrate()).pending), [], "migrations pending after migrating again")
    secret = await store.secret()
    holds(len(secret) >= 16, "a secret of at least 16 bytes")
    second_store = await stores.another()
    same(await second_store.secret(), secret, "the secret seen by a second store")
    same(second_store.address, store.address, "its address")


async def a_sound_scope_has_no_findings(stores: Stores) -> None:
    """Of all that a life leaves behind."""
    store, scope = stores.store, stores.scope()
    await a_life(store, scope)
    same(list(await store.inspect(scope)), [], "what is wrong")
    same(
        (await store.facts(scope, LATEST, Pattern("Ann", "lives"), Slice(5))).found[0].version.predicate,
        "lives",
        "it",
    )


CHECKS = (
    a_restored_scope_is_the_same,
    a_dump_comes_in_batches,
    a_dump_shows_one_state,
    a_restore_needs_an_empty_scope,
    scopes_are_listed,
    opening_again_finds_the_same,
    a_sound_scope_has_no_findings,
)
