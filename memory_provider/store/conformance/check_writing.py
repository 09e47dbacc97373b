"""Writing: lock, load, plan, write, commit."""

from __future__ import annotations

from ...temporal.instants import OPEN, PAST
from ..contract import Changes, Loaded, Needs, Pattern, Slice
from ..records import Chunk, IdempotencyRecord, Key, SessionTail
from .claiming import holds, same, same_members
from .rows import (
    LATEST,
    declared,
    ended,
    ending,
    entity,
    episode,
    fact,
    link,
    load,
    probe,
    put,
    second,
    text,
    undeclared,
    view,
)
from .stores import Stores


async def a_scope_never_written_to_loads_empty(stores: Stores) -> None:
    """The clock of nothing is the unbounded past."""
    needs = Needs([Key("Ann", "likes")], ["likes"], ["Ann"], ["ep_1"], ["s"], ["k"], ["likes"])
    loaded = await load(stores.store, stores.scope(), needs)
    same(loaded, Loaded(PAST, loaded.versions, loaded.links, {}, {}, {}, {}, {}), "what a new scope loads")
    same((list(loaded.versions), list(loaded.links)), ([], []), "versions and links of a new scope")


async def rows_come_back_as_they_were_written(stores: Stores) -> None:
    """Every field of versions, links, episodes and predicates."""
    store, scope, at = stores.store, stores.scope(), second(1)
    said = episode(
        "Ann: I like tea. It is hot.",
        at,
        occurred_at=second(0),
        source="chat",
        speaker="Ann",
        session="s1",
        position=1,
        original_recorded_at=second(-5),
        chunks=(Chunk(1, 0, 16, "sha256:a", "ann like tea", ""), Chunk(2, 16, 27, "sha256:b", "hot", "")),
    )
    new = fact("Ann", "likes", text("tea"), at, start=second(0), end=second(100))
    source = link(
        new,
        episode_id=said.id,
        file_uri="file:///notes.txt",
        file_digest="sha256:c",
        file_range="1-2",
        by="Ann",
        method="imported",
        confidence=0.25,
        spoke_from=PAST,
        original_recorded_at=second(-3),
    )
    likes = declared("likes", "many", "text")
    await put(store, scope, at, new, links=[source], episodes=[said], predicates=[likes])
    (found,) = (await store.facts(scope, view(second(50)), Pattern(), Slice(10))).found
    same(found.version, new.version, "the version")
    same(tuple(found.sources), (source,), "its sources")
    same(list(await store.episodes(scope, [said.id])), [said], "the episode")
    same(list(await store.predicates(scope)), [likes], "the predicate")


async def what_a_plan_raises_passes_through(stores: Stores) -> None:
    """And nothing is written, also not by a plan that raises the second time."""
    store, scope = stores.store, stores.scope()
    await put(store, scope, second(1), fact("Ann", "likes", text("tea"), second(1)))

    def refuse(loaded: Loaded) -> Changes:
        raise ZeroDivisionError(loaded.clock)

    try:
        await store.write(scope, Needs(), refuse)
    except ZeroDivisionError as problem:
        same(problem.args, (second(1),), "what the plan raised")
    else:
        holds(False, "what a plan raises must reach the caller")
    same((await load(store, scope, Needs())).clock, second(1), "the clock after a refused write")


async def a_failed_write_leaves_nothing(stores: Stores) -> None:
    """Rows that cannot be written take the whole transaction with them."""
    store, scope = stores.store, stores.scope()
    first = fact("Ann", "likes", text("tea"), second(1))
    await put(store, scope, second(1), first)
    try:
        await put(
            store,
            scope,
            second(2),
            fact("Ann", "likes", text("jam"), second(2)),
            superseded=[ending(first)._replace(id="fact_nobody")],
        )
    except Exception:
        pass
    else:
        holds(False, "superseding a version that does not stand must be refused")
    found = (await store.facts(scope, LATEST, Pattern(), Slice(10))).found
    same([each.version for each in found], [first.version], "facts after a failed write")
    same((await load(store, scope, Needs())).clock, second(1), "the clock after a failed write")
    same((await store.candidates(scope, LATEST, probe("jam"))).found.facts, [], "words of a failed write")


async def the_clock_moves_when_told(stores: Stores) -> None:
    """To `recorded_at`; declaring a predicate leaves it."""
    store, scope = stores.store, stores.scope()
    await put(store, scope, None, predicates=[declared("likes")])
    same((await load(store, scope, Needs())).clock, PAST, "the clock after a declaration")
    await put(store, scope, second(7), episodes=[episode("hello", second(7))])
    await put(store, scope, None, predicates=[declared("knows")])
    same((await load(store, scope, Needs())).clock, second(7), "the clock after a write and a declaration")
    same(len(await store.predicates(scope)), 2, "predicates")


async def a_predicate_is_replaced_by_name(stores: Stores) -> None:
    """A new declaration takes the old one's place."""
    store, scope = stores.store, stores.scope()
    first = undeclared("likes", "text")
    await put(store, scope, None, predicates=[first])
    second_form = first._replace(
        cardinality="one", label="is fond of", inverse_label="pleases", declared=True
    )
    await put(store, scope, None, predicates=[second_form])
    same(list(await store.predicates(scope)), [second_form], "the predicate")


async def a_plan_sees_what_stands(stores: Stores) -> None:
    """Standing versions of the keys and predicates asked for, with their attached links; nothing else."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(1))
    other = fact("Ann", "likes", text("tea"), second(1))
    third = fact("Bea", "likes", text("jam"), second(1))
    links = [link(each) for each in (old, other, third)]
    await put(store, scope, second(1), old, other, third, links=links)
    new = fact("Ann", "lives", entity("Rome"), second(2), start=second(2), replaces=[old.version])
    left = fact(
        "Ann", "lives", entity("Oslo"), second(2), end=second(2), id=old.version.id, replaces=[old.version]
    )
    new_links = [link(new), link(left, claim=links[0].claim)]
    await put(
        store,
        scope,
        second(2),
        new,
        left,
        superseded=[ending(old, "assert")],
        detached=[links[0].id],
        links=new_links,
    )
    loaded = await load(store, scope, Needs(keys=[Key("Ann", "lives"), Key("Ann", "drives")]))
    same_members(loaded.versions, [new.version, left.version], "standing versions of a key")
    same_members(loaded.links, new_links, "attached links")
    loaded = await load(store, scope, Needs(keys=[Key("Ann", "likes")], standing_of_predicates=["likes"]))
    same_members(
        loaded.versions, [other.version, third.version], "standing versions of a predicate, each once"
    )
    same(loaded.clock, second(2), "the clock")
    asked = [(each.version.key, each.version.object) for each in (new, other)]
    loaded = await load(store, scope, Needs(keys=[Key("Ann", "drives")], objects=asked))
    same_members(loaded.versions, [new.version, other.version], "standing versions of one object")


async def a_plan_sees_names_and_records(stores: Stores) -> None:
    """Entities, predicates, episodes, sessions and idempotency records by name; unknown ones are left out."""
    store, scope = stores.store, stores.scope()
    first = episode("first turn", second(1), session="s", position=1)
    last = episode(
        "last turn",
        second(2),
        occurred_at=second(0),
        session="s",
        position=2,
        previous=first.id,
        chunks=(Chunk(1, 0, 5, "d", "last", "first turn"), Chunk(2, 5, 9, "d", "turn", "")),
    )
    record = IdempotencyRecord(
        "key", "arguments", second(2), last.id, "clm_1", ("fact_1", "fact_2"), ("fact_3",)
    )
    new = fact("Ann", "knows", entity("Bea"), second(1))
    await put(store, scope, second(1), new, episodes=[first])
    await put(store, scope, second(2), episodes=[last], idempotency=[record])
    loaded = await load(
        store,
        scope,
        Needs(
            predicates=["knows", "nothing"],
            entities=["Ann", "Bea", "ann"],
            episodes=[first.id, last.id, "ep_none"],
            sessions=["s", "t"],
            idempotency=["key", "other"],
        ),
    )
    same(set(loaded.entities), {"Ann", "Bea"}, "entities, by exact name")
    holds(all(each.name == name for name, each in loaded.entities.items()), "entities under their names")
    same(set(loaded.predicates), {"knows"}, "predicates")
    same(loaded.episodes, {first.id: second(1), last.id: second(0)}, "when the episodes occurred")
    same(loaded.sessions, {"s": SessionTail(last.id, 2, "last turn")}, "the tails of sessions")
    same(loaded.idempotency, {"key": record}, "idempotency records")


async def superseding_says_how(stores: Stores) -> None:
    """The ended version keeps its content and says what ended it and what absorbed it."""
    store, scope = stores.store, stores.scope()
    early = fact("Ann", "lives", entity("Oslo"), second(1), start=second(1), end=second(2))
    late = fact("Ann", "lives", entity("Oslo"), second(1), start=second(3))
    await put(store, scope, second(1), early, late)
    whole = fact(
        "Ann",
        "lives",
        entity("Oslo"),
        second(5),
        start=second(1),
        id=early.version.id,
        replaces=[early.version, late.version],
    )
    await put(
        store,
        scope,
        second(5),
        whole,
        superseded=[ending(early, "assert"), ending(late, "assert", early.version.id)],
    )
    history = await store.history(scope, Pattern("Ann", "lives"), Slice(10))
    same_members(
        [each.version for each in history],
        [
            ended(early, second(5), "assert").version,
            ended(late, second(5), "assert", early.version.id).version,
            whole.version,
        ],
        "every version, ended as said",
    )


async def a_write_of_many_keys_is_one_transaction(stores: Stores) -> None:
    """A thousand facts at once, loaded and superseded at once."""
    store, scope = stores.store, stores.scope()
    first = [fact(f"thing {i}", "counts", text(str(i)), second(1)) for i in range(1000)]
    await put(store, scope, second(1), *first)
    again = [
        fact(f"thing {i}", "counts", text(str(-i)), second(2), replaces=[first[i].version])
        for i in range(1000)
    ]
    loaded = await put(store, scope, second(2), *again, superseded=[ending(each) for each in first])
    same(len(loaded.versions), 1000, "versions loaded for a thousand keys")
    same(len(loaded.links), 1000, "links loaded for a thousand keys")
    found = (await store.facts(scope, LATEST, Pattern("thing 77"), Slice(10))).found
    same([each.version for each in found], [again[77].version], "a key after it was rewritten")
    same(again[77].version.superseded_at, OPEN, "what stands is open")


CHECKS = (
    a_scope_never_written_to_loads_empty,
    rows_come_back_as_they_were_written,
    what_a_plan_raises_passes_through,
    a_failed_write_leaves_nothing,
    the_clock_moves_when_told,
    a_predicate_is_replaced_by_name,
    a_plan_sees_what_stands,
    a_plan_sees_names_and_records,
    superseding_says_how,
    a_write_of_many_keys_is_one_transaction,
)
