"""Everything ever believed, and what happened when."""

from __future__ import annotations

from ..contract import ChangeRow, Erasable, Erasure, Pattern, Selection, Slice
from ..records import Episode, Tombstone
from .claiming import holds, same, same_members
from .rows import ended, ending, entity, episode, fact, fresh, link, put, second, text
from .stores import Stores


async def history_tells_every_version(stores: Stores) -> None:
    """In order of recording, page by page, with the links recorded before each version ended."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(1))
    first = link(old)
    await put(store, scope, second(1), old, links=[first])
    second_source = link(old, recorded_at=second(2), attached_at=second(2))
    await put(store, scope, second(2), links=[second_source])
    left = fact(
        "Ann", "lives", entity("Oslo"), second(3), end=second(3), id=old.version.id, replaces=[old.version]
    )
    new = fact("Ann", "lives", entity("Rome"), second(3), start=second(3), replaces=[old.version])
    third = link(left, claim=first.claim, recorded_at=second(1))
    await put(
        store,
        scope,
        second(3),
        left,
        new,
        superseded=[ending(old)],
        detached=[first.id, second_source.id],
        links=[third, link(new)],
    )
    await put(store, scope, second(4), fact("Bea", "lives", entity("Rome"), second(4)))
    told = await store.history(scope, Pattern("Ann", "lives"), Slice(10))
    expected = [ended(old, second(3)).version, left.version, new.version]
    same([each.version for each in told], expected, "history, oldest first")
    same_members(
        [each.id for each in told[0].sources], [first.id, second_source.id], "links of an ended version"
    )
    holds(third.id in [each.id for each in told[1].sources], "links of what is left")
    same([each.detached_at for each in told[0].sources], [second(3)] * 2, "when they were detached")
    found, after = [], None
    while page := await store.history(scope, Pattern(), Slice(2, after)):
        found += [each.version for each in page]
        after = (found[-1].recorded_at, found[-1].valid_from, found[-1].id)
    same(len(found), 4, "all pages of a scope's history")
    same(found[:3], expected, "the first of them")
    same(list(await store.history(stores.scope("new"), Pattern(), Slice(9))), [], "history of a new scope")


async def lineage_tells_the_key_of_an_id(stores: Stores) -> None:
    """All versions of all lines of the id's subject and predicate."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(1))
    await put(store, scope, second(1), old, fact("Ann", "likes", text("tea"), second(1)))
    new = fact("Ann", "lives", entity("Rome"), second(2), replaces=[old.version])
    await put(store, scope, second(2), new, superseded=[ending(old)])
    for asked in (old, new):
        told = await store.lineage(scope, asked.version.id)
        same(
            [each.version for each in told],
            [ended(old, second(2)).version, new.version],
            "the lineage of an id",
        )
        holds(all(each.sources for each in told), "a lineage shows its sources")
    same(list(await store.lineage(scope, fresh("fact"))), [], "the lineage of an id that was never issued")


async def changes_tell_what_happened(stores: Stores) -> None:
    """After `since`, up to and with `until`, by time, kind and id, page by page."""
    store, scope = stores.store, stores.scope()
    old = [fact(f"Ann {i}", "lives", entity("Oslo"), second(1)) for i in range(3)]
    said = [episode(f"turn {i}", second(1)) for i in range(2)]
    await put(store, scope, second(1), *old, episodes=said)
    new = fact("Ann 0", "lives", entity("Rome"), second(2), replaces=[old[0].version])
    await put(store, scope, second(2), new, superseded=[ending(old[0])])
    stone = Tombstone(old[2].version.id, "fact", second(3), "asked to", "Ann")
    gone = Tombstone("clm_gone", "claim", second(3), "asked to", None)

    def plan(found: Erasable) -> Erasure:
        return Erasure(second(3), facts=found.matched, tombstones=[stone, gone])

    await store.erase(scope, Selection(subject="Ann 2"), plan, dry_run=False)
    told = list(await store.changes(scope, second(0), second(9), Slice(50)))
    standing = [ended(old[0], second(2)).version, old[1].version]
    expected = [
        *(
            ChangeRow(second(1), episode=_without_terms(each))
            for each in sorted(said, key=lambda each: each.id)
        ),
        *(ChangeRow(second(1), version=each) for each in sorted(standing, key=lambda each: each.id)),
        ChangeRow(second(2), version=standing[0]),
        ChangeRow(second(2), version=new.version),
        *(ChangeRow(second(3), tombstone=each) for each in sorted((stone, gone), key=lambda each: each.id)),
    ]
    # The erase may have left the stone of an entity that nothing names any longer.
    facts = [each for each in told if not (each.tombstone and each.tombstone.kind == "entity")]
    same([_bare(each) for each in facts], expected, "what happened")
    same(
        [_bare(each) for each in await store.changes(scope, second(1), second(2), Slice(50))],
        expected[4:6],
        "what happened after one instant, up to and with another",
    )
    for size in (1, 2, 3):
        paged: list[ChangeRow] = []
        after = None
        while page := await store.changes(scope, second(0), second(9), Slice(size, after)):
            paged += page
            after = _cursor(page[-1])
        same(paged, told, f"what happened, in pages of {size}")
    same(list(await store.changes(scope, second(9), second(0), Slice(5))), [], "what happened in no time")


def _bare(row: ChangeRow) -> ChangeRow:
    return row._replace(episode=_without_terms(row.episode)) if row.episode else row


def _without_terms(each: Episode) -> Episode:
    return each._replace(chunks=tuple(chunk._replace(terms="", context="") for chunk in each.chunks))


def _cursor(row: ChangeRow) -> tuple[int, int, str]:
    if row.tombstone:
        return row.at, 0, row.tombstone.id
    if row.episode:
        return row.at, 1, row.episode.id
    assert row.version
    return row.at, 2 if row.at == row.version.superseded_at else 3, row.version.id


CHECKS = (
    history_tells_every_version,
    lineage_tells_the_key_of_an_id,
    changes_tell_what_happened,
)
