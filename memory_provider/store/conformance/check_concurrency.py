"""Many at once: no update is lost, and no read sees half a transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing

import anyio

from ..contract import Changes, Loaded, Needs, Pattern, Plan, Slice, Store
from ..records import Entity, Key, Predicate
from .claiming import holds, same
from .rows import LATEST, NOW, ending, fact, fresh, link, probe, put, second, text
from .stores import Stores

_WRITERS = 4
_TIMES = 10


async def no_update_is_lost(stores: Stores) -> None:
    """Writers of one key, each on a store of its own, count to the sum; their times strictly increase."""
    scope = stores.scope()
    opened = [await stores.another() for _ in range(_WRITERS)]
    times: list[int] = []

    def counting(noted: Callable[[int], None]) -> Plan:
        def plan(loaded: Loaded) -> Changes:
            at = max(loaded.clock + 1, second(0))
            (old,) = loaded.versions or (None,)
            new = fact("the counter", "reads", text(str(int(old.object.text) + 1 if old else 1)), at)
            noted(at)
            return Changes(
                at,
                entities=[] if loaded.entities else [Entity(fresh("ent"), "the counter")],
                predicates=[]
                if loaded.predicates
                else [Predicate(fresh("prd"), "reads", "one", "text", "reads", None, True)],
                superseded=[ending(new._replace(version=old))] if old else [],
                versions=[new],
                detached=[each.id for each in loaded.links],
                links=[link(new)],
            )

        return plan

    async def count(store: Store) -> None:
        for _ in range(_TIMES):
            tried: list[int] = []
            needs = Needs([Key("the counter", "reads")], ["reads"], ["the counter"])
            await store.write(scope, needs, counting(tried.append))
            times.append(tried[-1])

    async with anyio.create_task_group() as group:
        for store in opened:
            group.start_soon(count, store)
    (found,) = (await stores.store.facts(scope, LATEST, Pattern(), Slice(5))).found
    same(found.version.object.text, str(_WRITERS * _TIMES), "what the counter reads")
    same(len(found.sources), 1, "its sources")
    same(len(set(times)), _WRITERS * _TIMES, "distinct times of transactions")
    history = await stores.store.history(scope, Pattern(), Slice(1000))
    same(
        [each.version.object.text for each in history],
        [str(i + 1) for i in range(_WRITERS * _TIMES)],
        "its history",
    )
    same(list(await stores.store.inspect(scope)), [], "what is wrong afterwards")


async def readers_see_whole_transactions(stores: Stores) -> None:
    """While a pair of facts is replaced again and again, every reader sees both or neither changed."""
    scope = stores.scope()
    writer, reader = stores.store, await stores.another()
    pair = [fact(name, "round", text("0"), second(1)) for name in ("left", "right")]
    await put(writer, scope, second(1), *pair)
    done = anyio.Event()

    async def write() -> None:
        old = pair
        for number in range(2, 22):
            new = [
                fact(name, "round", text(str(number)), second(number), replaces=[each.version])
                for name, each in zip(("left", "right"), old, strict=True)
            ]
            await put(writer, scope, second(number), *new, superseded=[ending(each) for each in old])
            old = new
        done.set()

    async def read() -> None:
        while not done.is_set():
            found = (await reader.facts(scope, LATEST, Pattern(), Slice(5))).found
            same(len(found), 2, "facts in view under a writer")
            same(found[0].version.object, found[1].version.object, "two facts of one transaction")
            holds(all(each.sources for each in found), "facts under a writer have their sources")
            hits = (await reader.candidates(scope, LATEST, probe("round"))).found.facts
            same(len({each.hit.version.object for each in hits}), 1, "two hits of one transaction")
            same(len(hits), 2, "hits under a writer")

    async with anyio.create_task_group() as group:
        group.start_soon(write)
        group.start_soon(read)


async def a_view_can_be_fixed(stores: Stores) -> None:
    """The instants of an answer, given again, give the same answer whatever was written meanwhile."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", text("Oslo"), second(1))
    await put(store, scope, second(1), old)
    first = await store.facts(scope, LATEST, Pattern(), Slice(5))
    new = fact("Ann", "lives", text("Rome"), second(2), replaces=[old.version])
    await put(store, scope, second(2), new, superseded=[ending(old)])
    fixed = LATEST._replace(as_of=first.as_of, known_at=first.known_at)
    again = await store.facts(scope, fixed, Pattern(), Slice(5))
    same(again[:2], first[:2], "the instants of a fixed view")
    same([each.version.digest for each in again.found], [old.version.digest], "the facts of a fixed view")
    hits = await store.candidates(scope, fixed, probe("ann"))
    same(
        [each.hit.version.digest for each in hits.found.facts],
        [old.version.digest],
        "the hits of a fixed view",
    )
    same(first.as_of, NOW, "its as_of")


async def an_abandoned_dump_lets_go(stores: Stores) -> None:
    """A dump that is not read to its end does not stop later writes."""
    store, scope = stores.store, stores.scope()
    await put(
        store, scope, second(1), *(fact(f"thing {i}", "counts", text("1"), second(1)) for i in range(30))
    )
    dump = store.dump(scope, 5)
    async with aclosing(dump):  # type: ignore[type-var]
        async for _ in dump:
            break
    await put(store, scope, second(2), fact("thing", "counts", text("2"), second(2)))
    same(len((await store.facts(scope, LATEST, Pattern(), Slice(99))).found), 31, "facts afterwards")


CHECKS = (
    no_update_is_lost,
    readers_see_whole_transactions,
    a_view_can_be_fixed,
    an_abandoned_dump_lets_go,
)
