"""Context records: immutable, found inside both clocks and their retention, and gone when erased."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from ...temporal.instants import OPEN
from ..contract import (
    ChangeRow,
    Dump,
    Erasable,
    Erasure,
    Moment,
    Needs,
    Selection,
    Slice,
    Store,
    lineage_tombstone,
    record_tombstone,
)
from ..records import ContextRecord, IdempotencyRecord, IndexedRecord, Tombstone
from .claiming import holds, same, same_members
from .rows import (
    LATEST,
    NOW,
    entity,
    fact,
    load,
    put,
    record,
    record_probe,
    second,
    unserved,
    view,
    without_body,
)
from .stores import Stores

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


async def _found(store: Store, scope: str, moment: Moment, *terms: str, **changed: object) -> list[str]:
    """Ids of the records that a recall finds, best first."""
    found = (await store.candidates(scope, moment, record_probe(*terms, **changed))).found
    return [each.hit.record.id for each in found.records]


async def _by_id(store: Store, scope: str, *ids: str, moment: Moment = LATEST) -> list[ContextRecord]:
    return list((await store.records(scope, moment, ids, ())).found)


async def _dumped(store: Store, scope: str) -> list[Dump]:
    async with aclosing(cast("AsyncGenerator[Dump, None]", store.dump(scope, 2))) as batches:
        return [batch async for batch in batches]


async def a_record_comes_back_as_it_was_written(stores: Stores) -> None:
    """Every field; with its body by id and by lineage, without it in a search and in what a plan is told."""
    store, scope, at = stores.store, stores.scope(), second(1)
    new = record(
        "tea is “hot” 🫖",
        at,
        lineage="lin/1 ünï",
        kind="knowledge",
        body='{"statement":"tea is “hot” 🫖","n":1e21}',
        observed_at=second(-9),
        valid_from=second(-5),
        valid_to=second(50),
        expires_at=NOW + 1,
        frame="fact",
        sharing="workspace",
        subjects=(("task_id", "a=b"), ("user_id", "ann")),
        retention="year",
        by="Ann",
        original_recorded_at=second(-7),
    )
    await put(store, scope, at, records=[new])
    moment = view(second(2))
    answer = await store.records(scope, moment, [new.record.id, "rec_nobody"], ["lin_nobody"])
    same(list(answer.found), [new.record], "the record by its id")
    same((answer.as_of, answer.known_at), (second(2), at), "the instants of the answer")
    same(
        list((await store.records(scope, moment, [new.record.id], ["lin/1 ünï"])).found),
        [new.record],
        "the record by id and lineage",
    )
    (hit,) = (await store.candidates(scope, moment, record_probe("tea"))).found.records
    same(hit.hit, new._replace(record=without_body(new)), "the record found by its words")
    loaded = await load(store, scope, Needs(records=[new.record.id], lineages=["lin/1 ünï", "lin_nobody"]))
    same(dict(loaded.records), {new.record.id: without_body(new)}, "the record a plan asks for")
    same(dict(loaded.lineages), {"lin/1 ünï": without_body(new)}, "the lineage a plan asks for")
    (change,) = await store.changes(scope, second(0), second(9), Slice(5))
    same(change, ChangeRow(at, record=without_body(new)), "the record among changes")
    (summary,) = [each for each in await store.scopes() if each.name == scope]
    same((summary.records, summary.versions), (1, 0), "how much the scope holds")


async def the_next_of_a_lineage_takes_its_place(stores: Stores) -> None:
    """From its recorded time on; both are kept, and before it the first is still what was known."""
    store, scope = stores.store, stores.scope()
    first = record("the kettle is red", second(1), lineage="lin")
    other = record("the kettle is old", second(1), position=1)
    await put(store, scope, second(1), records=[first, other])
    new = record("the kettle is blue", second(2), lineage="lin")
    await put(store, scope, second(2), records=[new], superseded_records=[first.record.id])
    was = first.record._replace(superseded_at=second(2))
    same_members(
        await _found(store, scope, LATEST, "kettle"), [other.record.id, new.record.id], "what is said now"
    )
    same(await _found(store, scope, LATEST, "red"), [], "what is said no more")
    same(await _found(store, scope, view(None, second(1)), "red"), [was.id], "what was said then")
    same(await _found(store, scope, view(None, second(1)), "blue"), [], "what was not said yet")
    same(await _by_id(store, scope, was.id, new.record.id), [was, new.record], "both records")
    same(
        await _by_id(store, scope, was.id, new.record.id, moment=view(None, second(1))),
        [was],
        "the records known then",
    )
    lineage = (await store.records(scope, LATEST, (), ["lin"])).found
    same(list(lineage), [was, new.record], "the lineage, oldest first")
    for moment, last in ((LATEST, new.record), (view(None, second(1)), was)):
        held = (await store.held(scope, moment, (), (), (), ["lin", "lin_nobody"])).found
        same(dict(held.lineages), {"lin": last._replace(body="")}, "what the lineage says")
    loaded = await load(store, scope, Needs(lineages=["lin"]))
    same(loaded.lineages["lin"].id, new.record.id, "the last of the lineage")
    same(list(await store.inspect(scope)), [], "what is wrong")


async def one_overtaken_within_its_transaction_was_never_visible(stores: Stores) -> None:
    """Records of one transaction take effect in order; all are kept."""
    store, scope, at = stores.store, stores.scope(), second(1)
    first = record("the kettle is red", at, lineage="lin", superseded_at=at)
    last = record("the kettle is blue", at, lineage="lin", position=1)
    await put(store, scope, at, records=[first, last])
    for moment in (LATEST, view(None, at)):
        same(await _found(store, scope, moment, "kettle"), [last.record.id], "what is said")
        held = (await store.held(scope, moment, (), (), (), ["lin"])).found
        same(held.lineages["lin"].id, last.record.id, "what the lineage says")
    same(await _by_id(store, scope, first.record.id), [first.record], "the one that was overtaken")
    loaded = await load(store, scope, Needs(lineages=["lin"]))
    same(loaded.lineages["lin"].id, last.record.id, "the last of the lineage")
    same(list(await store.inspect(scope)), [], "what is wrong")


async def search_restricts_before_it_limits(stores: Stores) -> None:
    """Scope, clocks, window, retention and kind of frame: none of those out of view takes the place of one in view."""
    store, scope, other = stores.store, stores.scope(), stores.scope("other")
    wanted = record("kettle on the shelf in the kitchen of the house", second(1), lineage="lin_wanted")
    hidden: list[IndexedRecord] = []
    for number in range(60):
        place = number + 1
        hidden += [
            record("kettle", second(1), valid_to=second(2), position=place),
            record("kettle", second(1), valid_from=NOW + 1, position=place),
            record("kettle", second(1), expires_at=NOW, position=place),
            record("kettle", second(1), frame="fact", position=place),
            unserved("kettle", second(1), position=place),
        ]
    await put(store, scope, second(1), records=[wanted, *hidden])
    replaced = [record("kettle", second(2), lineage=f"lin {number}") for number in range(60)]
    await put(store, scope, second(2), records=replaced)
    await put(
        store,
        scope,
        second(3),
        records=[unserved("gone", second(3), lineage=each.record.lineage) for each in replaced],
        superseded_records=[each.record.id for each in replaced],
    )
    await put(store, other, second(1), records=[record("kettle", second(1)) for _ in range(60)])
    for moment in (LATEST, view(None, second(1)), view(second(9), second(3))):
        found = (
            await store.candidates(
                scope, moment, record_probe("kettle", "house", records=2, frames=("memory",))
            )
        ).found
        same([each.hit.record.id for each in found.records], [wanted.record.id], "what is in view")
        same(found.more, 0, "matches in view that were left out")
    found = (await store.candidates(scope, LATEST, record_probe("kettle", records=2, frames=("fact",)))).found
    same([each.hit.record.frame for each in found.records], ["fact", "fact"], "records served as facts")
    same(await _found(store, scope, LATEST, "kettle", records=0), [], "an arm that is left out")
    same(await _found(store, scope, LATEST, "kettle", frames=()), [], "no kind of frame")


async def retention_ends_by_the_wall_clock(stores: Stores) -> None:
    """Whatever the view's instants are: from its end on a record is not found. Who reads by id can tell."""
    store, scope = stores.store, stores.scope()
    new = record("tea", second(1), lineage="lin", expires_at=second(100))
    await put(store, scope, second(1), records=[new])
    for wall, found in ((second(99), [new.record.id]), (second(100), [])):
        for moment in (Moment(None, None, wall), Moment(second(5), second(5), wall)):
            asked = record_probe("tea", lineages=["lin"])
            answer = (await store.candidates(scope, moment, asked)).found
            same([each.hit.record.id for each in answer.records], found, "found by its words")
            same([each.record.id for each in answer.anchored_records], found, "found by its lineage")
    same(await _by_id(store, scope, new.record.id), [new.record], "the record by its id")


async def an_anchored_lineage_is_found_without_words(stores: Stores) -> None:
    """What it says in the view, if that is served as a kind asked for."""
    store, scope = stores.store, stores.scope()
    first = record("red", second(1), lineage="lin", valid_to=second(50))
    await put(
        store, scope, second(1), records=[first, unserved("seen", second(1), lineage="other", position=1)]
    )
    last = record("blue", second(2), lineage="lin")
    await put(store, scope, second(2), records=[last], superseded_records=[first.record.id])
    lineages = ["lin", "other", "lin_nobody"]
    for moment, expected in (
        (LATEST, [without_body(last)]),
        (view(second(9), second(1)), [without_body(first)._replace(superseded_at=second(2))]),
        (view(second(50), second(1)), []),
        (view(None, second(0)), []),
    ):
        asked = record_probe(lineages=lineages)
        found = (await store.candidates(scope, moment, asked)).found
        same([each.record for each in found.anchored_records], expected, "what the lineage says in a view")
    asked = record_probe(lineages=lineages, frames=("fact",))
    found = (await store.candidates(scope, LATEST, asked)).found
    same(list(found.anchored_records), [], "as another kind of frame")


async def what_is_not_served_is_kept_and_read(stores: Stores) -> None:
    """It has no words, and a retraction that takes the place of what was served takes it out of sight."""
    store, scope = stores.store, stores.scope()
    seen = unserved("the door is open", second(1))
    said = record("the door is open", second(1), lineage="lin", position=1)
    await put(store, scope, second(1), records=[seen, said])
    same(await _found(store, scope, LATEST, "door"), [said.record.id], "what is served")
    taken_back = unserved("the door is open", second(2), lineage="lin", kind="memory", status="retracted")
    await put(store, scope, second(2), records=[taken_back], superseded_records=[said.record.id])
    same(await _found(store, scope, LATEST, "door"), [], "what is served after it was taken back")
    same(
        await _found(store, scope, view(None, second(1)), "door"), [said.record.id], "what was served before"
    )
    same(
        [each.id for each in await _by_id(store, scope, taken_back.record.id, seen.record.id)],
        [seen.record.id, taken_back.record.id],
        "what is read",
    )
    held = (await store.held(scope, LATEST, (), (), (), ["lin"])).found
    same(held.lineages["lin"].status, "retracted", "what the lineage says")


async def records_are_never_rewritten(stores: Stores) -> None:
    """An id is written once; only what stands can be superseded, once; a plan that tries writes nothing."""
    store, scope = stores.store, stores.scope()
    first = record("red", second(1), lineage="lin")
    last = record("blue", second(2), lineage="lin")
    await put(store, scope, second(1), records=[first])
    await put(store, scope, second(2), records=[last], superseded_records=[first.record.id])
    tries: Sequence[tuple[list[IndexedRecord], list[str]]] = (
        ([record("green", second(3), id=first.record.id)], []),
        ([record("green", second(3))], [first.record.id]),
        ([record("green", second(3))], ["rec_nobody"]),
    )
    for records, superseded in tries:
        try:
            await put(store, scope, second(3), records=records, superseded_records=superseded)
        except Exception:
            pass
        else:
            holds(False, "a record that is there, or does not stand, must not be written over")
    same(await _found(store, scope, LATEST, "green"), [], "words of a failed write")
    same(
        await _by_id(store, scope, first.record.id, last.record.id),
        [first.record._replace(superseded_at=second(2)), last.record],
        "the records after failed writes",
    )
    same((await load(store, scope, Needs())).clock, second(2), "the clock after failed writes")


async def another_scope_sees_none_of_it(stores: Stores) -> None:
    """Not by word, id, lineage, change or tombstone; and it may have records of the same ids."""
    store, scope, other = stores.store, stores.scope(), stores.scope("other")
    new = record("kettle", second(1), lineage="lin")
    await put(store, scope, second(1), records=[new], idempotency=[_done("key", new)])
    await put(store, other, second(1), records=[record("tea", second(1))])
    for moment in (LATEST, view(second(5), second(1))):
        asked = record_probe("kettle", lineages=["lin"])
        found = (await store.candidates(other, moment, asked)).found
        same((list(found.records), list(found.anchored_records), found.more), ([], [], 0), "a recall")
        same(list((await store.records(other, moment, [new.record.id], ["lin"])).found), [], "a look-up")
        held = (await store.held(other, moment, (), (), (), ["lin"])).found
        same(dict(held.lineages), {}, "what it holds of the lineage")
    loaded = await load(store, other, Needs(records=[new.record.id], lineages=["lin"], idempotency=["key"]))
    same(
        (dict(loaded.records), dict(loaded.lineages), loaded.idempotency), ({}, {}, {}), "what a plan is told"
    )
    changes = await store.changes(other, second(0), second(9), Slice(9))
    holds(
        all(each.record and each.record.id != new.record.id for each in changes), "changes of another scope"
    )
    await _erase(store, scope, new.record.id)
    loaded = await load(store, other, Needs(records=[new.record.id]))
    same(loaded.erased, frozenset(), "what was erased in another scope")
    await put(
        store, other, second(2), records=[new._replace(record=new.record._replace(recorded_at=second(2)))]
    )
    same(await _found(store, other, LATEST, "kettle"), [new.record.id], "a record of the same id")


async def an_erased_record_leaves_its_id_alone(stores: Stores) -> None:
    """Its words, body and hash are gone at every instant; what it had taken the place of does not come back."""
    store, scope = stores.store, stores.scope()
    first = record("red kettle", second(1), lineage="lin")
    await put(store, scope, second(1), records=[first], idempotency=[_done("key 1", first)])
    second_one = record("blue kettle", second(2), lineage="lin")
    other = record("green kettle", second(2), position=1)
    await put(
        store,
        scope,
        second(2),
        records=[second_one, other],
        superseded_records=[first.record.id],
        idempotency=[_done("key 2", second_one, other)],
    )
    told = await _erase(store, scope, second_one.record.id, dry_run=True)
    same([each.id for each in told.records], [second_one.record.id], "what would go")
    same(frozenset(told.bereft), frozenset(), "lineages that would have no record")
    same(len(await _by_id(store, scope, second_one.record.id)), 1, "the record after a dry run")
    await _erase(store, scope, second_one.record.id)
    was = first.record._replace(superseded_at=second(2))
    for moment in (LATEST, view(None, second(2))):
        same(await _found(store, scope, moment, "kettle"), [other.record.id], "what is said")
        same(await _found(store, scope, moment, "blue"), [], "words of what was erased")
        held = (await store.held(scope, moment, (), (), (), ["lin"])).found
        same(held.lineages["lin"], was._replace(body=""), "what is left of the lineage")
    same(await _by_id(store, scope, second_one.record.id, first.record.id), [was], "what is left by id")
    loaded = await load(
        store, scope, Needs(records=[second_one.record.id, first.record.id], idempotency=["key 1", "key 2"])
    )
    same(loaded.erased, frozenset([second_one.record.id]), "ids of erased records")
    same(loaded.idempotency["key 1"], _done("key 1", first), "the key of another record")
    done = loaded.idempotency["key 2"]
    same((done.erased, done.arguments), (True, ""), "the key it was written under")
    told = await _erase(store, scope, first.record.id)
    same(frozenset(told.bereft), frozenset(["lin"]), "lineages that have no record")
    held = (await store.held(scope, LATEST, (), (), (), ["lin"])).found
    same(dict(held.lineages), {}, "the lineage without records")
    holds(lineage_tombstone("lin") in held.tombstones, "a lineage without records has its tombstone")
    told = await _erase(store, scope, "rec_nobody")
    same(list(told.records), [], "erasing what is not there")
    same(list(await store.inspect(scope)), [], "what is wrong")


async def ids_of_records_and_facts_do_not_meet(stores: Stores) -> None:
    """A client chooses the ids of records: one may be spelled as a fact's."""
    store, scope = stores.store, stores.scope()
    new = fact("Ann", "knows", entity("Bea"), second(1))
    await put(store, scope, second(1), new)
    same_id = record("tea", second(2), id=new.version.id, lineage=new.version.id)
    await put(store, scope, second(2), records=[same_id])
    await _erase(store, scope, new.version.id)
    held = (await store.held(scope, LATEST, [new.version.id], (), (), [new.version.id])).found
    same((list(held.facts), dict(held.lineages)), ([new.version.id], {}), "the fact and the erased record")
    same(list(held.tombstones), [lineage_tombstone(new.version.id)], "tombstones")


async def an_entity_is_named_in_a_body(stores: Stores) -> None:
    """Erasing an entity tells which records still name it, and takes none of them."""
    store, scope = stores.store, stores.scope()
    await put(
        store, scope, second(1), fact("Ann", "also_known_as", entity("Annie"), second(1), alias="annie")
    )
    named = unserved("x", second(2), body='{"statement":"ask ANN, or Annie"}')
    aliased = record("y", second(2), body='{"statement":"Annie!"}', position=1)
    other = record("annual", second(2), position=2)
    await put(store, scope, second(2), records=[named, aliased, other])
    seen: list[Erasable] = []

    def plan(erasable: Erasable) -> Erasure:
        seen.append(erasable)
        return Erasure(second(3))

    await store.erase(scope, Selection(entity="Ann"), plan, dry_run=True)
    expected = [record_tombstone(each.record.id) for each in (named, aliased)]
    same_members(seen[-1].naming, expected, "records that name the entity")
    same(list(seen[-1].records), [], "records that go")


async def a_scope_takes_its_records_along(stores: Stores) -> None:
    """Erased whole; a new scope of that name knows nothing of them."""
    store, scope = stores.store, stores.scope()
    first = record("red", second(1), lineage="lin")
    await put(store, scope, second(1), records=[first], idempotency=[_done("key", first)])
    await put(
        store,
        scope,
        second(2),
        records=[record("blue", second(2), lineage="lin"), unserved("seen", second(2), position=1)],
        superseded_records=[first.record.id],
    )
    summary = await store.erase_scope(scope)
    holds(summary is not None and summary.records == 3, "how many records the scope held")
    same(await _by_id(store, scope, first.record.id), [], "its records")
    await put(store, scope, second(1), records=[record("green", second(1))])
    for moment in (LATEST, view(None, second(1))):
        same(await _found(store, scope, moment, "red", "blue"), [], "its words")
    same(list(await store.inspect(scope)), [], "what is wrong")


async def records_are_carried(stores: Stores) -> None:
    """Dumped as they are and restored as they were, found by their words; a batch repeated is left alone."""
    store, scope, copy = stores.store, stores.scope(), stores.scope("copy")
    first = record("red kettle", second(1), lineage="lin", subjects=(("user_id", "ann"),))
    await put(
        store, scope, second(1), records=[first], idempotency=[_done("key", first, expires_at=second(9))]
    )
    rest = [
        record("blue kettle", second(2), lineage="lin"),
        unserved("seen", second(2), position=1),
        record("a", second(2), lineage="short", superseded_at=second(2), position=2),
        record("b", second(2), lineage="short", position=3),
    ]
    await put(store, scope, second(2), records=rest, superseded_records=[first.record.id])
    batches = await _dumped(store, scope)
    records = [each for batch in batches for each in batch.records]
    was = first._replace(record=first.record._replace(superseded_at=second(2)))
    same(records, [was, *rest], "the records of a dump")
    for batch in batches:
        await store.restore(copy, batch, first=batch is batches[0])
    for batch in batches:
        await store.restore(copy, batch, first=False)
    same(
        [each for batch in await _dumped(store, copy) for each in batch.records],
        records,
        "the records of a dump of the copy",
    )
    same(await _found(store, copy, LATEST, "kettle"), [rest[0].record.id], "what the copy says")
    same(await _found(store, copy, view(None, second(1)), "kettle"), [first.record.id], "what it said before")
    done = (await load(store, copy, Needs(idempotency=["key"]))).idempotency["key"]
    same((done.record_ids, done.expires_at), ((first.record.id,), second(9)), "what was done under a key")
    same(list(await store.inspect(copy)), [], "what is wrong")
    try:
        await store.restore(copy, Dump(second(3)), first=True)
    except Exception:
        pass
    else:
        holds(False, "a scope that has records is not empty")


async def changes_come_in_pages(stores: Stores) -> None:
    """Records after the versions of their transaction, by id, each once."""
    store, scope = stores.store, stores.scope()
    records = [record(f"says {number}", second(1), position=number) for number in range(5)]
    await put(store, scope, second(1), fact("Ann", "knows", entity("Bea"), second(1)), records=records)
    await put(store, scope, second(2), records=[last := record("last", second(2))])
    seen: list[ChangeRow] = []
    after: tuple[int, int, str] | None = None
    while rows := await store.changes(scope, second(0), second(9), Slice(2, after)):
        seen += rows
        end = rows[-1]
        after = (
            (end.at, 4, end.record.id) if end.record else (end.at, 3, end.version.id if end.version else "")
        )
    same(len(seen[0][1:2]), 1, "the version comes first")
    expected = [*sorted(each.record.id for each in records), last.record.id]
    same([each.record.id for each in seen[1:] if each.record], expected, "records among changes")


def _done(key: str, *records: IndexedRecord, expires_at: int = OPEN) -> IdempotencyRecord:
    ids = tuple(each.record.id for each in records)
    at = records[0].record.recorded_at
    return IdempotencyRecord(key, f"arguments of {key}", at, None, None, (), (), False, ids, expires_at)


async def _erase(store: Store, scope: str, id: str, *, dry_run: bool = False) -> Erasable:
    seen: list[Erasable] = []

    def plan(found: Erasable) -> Erasure:
        seen.append(found)
        at = found.clock + 1
        stones = [record_tombstone(each.id) for each in found.records]
        stones += [lineage_tombstone(each) for each in found.bereft]
        return Erasure(
            at,
            tombstones=[Tombstone(each, "record", at, "a check", None) for each in stones],
            records=[each.id for each in found.records],
        )

    await store.erase(scope, Selection(record=id), plan, dry_run=dry_run)
    return seen[-1]


CHECKS = (
    a_record_comes_back_as_it_was_written,
    the_next_of_a_lineage_takes_its_place,
    one_overtaken_within_its_transaction_was_never_visible,
    search_restricts_before_it_limits,
    retention_ends_by_the_wall_clock,
    an_anchored_lineage_is_found_without_words,
    what_is_not_served_is_kept_and_read,
    records_are_never_rewritten,
    another_scope_sees_none_of_it,
    an_erased_record_leaves_its_id_alone,
    ids_of_records_and_facts_do_not_meet,
    an_entity_is_named_in_a_body,
    a_scope_takes_its_records_along,
    records_are_carried,
    changes_come_in_pages,
)
