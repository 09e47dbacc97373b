"""Facts in view: both clocks, half-open, in a fixed order, page by page."""

from __future__ import annotations

from ...temporal.instants import FIRST, LAST, OPEN, PAST
from ..contract import Moment, Pattern, Slice
from ..records import Key, ObjectValue, Version
from .claiming import holds, same, same_members
from .rows import LATEST, NOW, ended, ending, entity, fact, link, put, second, text, view
from .stores import Stores


async def windows_are_half_open(stores: Stores) -> None:
    """A window's start is in it and its end is not."""
    store, scope = stores.store, stores.scope()
    new = fact("Ann", "lives", entity("Oslo"), second(1), start=second(10), end=second(20))
    await put(store, scope, second(1), new)
    for as_of, seen in ((10, True), (19, True), (9, False), (20, False)):
        found = (await store.facts(scope, view(second(as_of)), Pattern(), Slice(10))).found
        same(
            [each.version for each in found],
            [new.version] * seen,
            f"facts valid at second {as_of} of [10, 20)",
        )
    edge = (await store.facts(scope, view(second(20) - 1), Pattern(), Slice(10))).found
    same(len(edge), 1, "the last microsecond of a window")


async def beliefs_are_half_open(stores: Stores) -> None:
    """A version is known from its recording on, until what supersedes it is recorded."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(10))
    new = fact("Ann", "lives", entity("Rome"), second(20), replaces=[old.version])
    await put(store, scope, second(10), old)
    await put(store, scope, second(20), new, superseded=[ending(old)])
    await put(store, scope, second(30), fact("Bea", "lives", entity("Bonn"), second(30)))
    was = ended(old, second(20)).version
    for known_at, seen in (
        (second(9), []),
        (second(10), [was]),
        (second(20) - 1, [was]),
        (second(20), [new.version]),
        (second(29), [new.version]),
        (None, [new.version]),
        (second(99), [new.version]),
    ):
        for pattern in (Pattern("Ann"), Pattern("Ann", "lives"), Pattern(None, "lives"), Pattern()):
            found = (await store.facts(scope, view(NOW, known_at), pattern, Slice(10))).found
            of_ann = [each.version for each in found if each.version.subject == "Ann"]
            same(of_ann, seen, f"facts of {pattern} known at {known_at}")


async def open_instants_are_settled(stores: Stores) -> None:
    """`known_at` becomes the clock, `as_of` the later of the wall clock and the scope's; given ones are kept."""
    store, scope = stores.store, stores.scope()
    ahead = NOW + 30_000_000
    await put(store, scope, ahead, fact("Ann", "lives", entity("Oslo"), ahead, start=ahead))
    answer = await store.facts(scope, LATEST, Pattern(), Slice(10))
    same(answer[:2], (ahead, ahead), "the instants of an open view of a scope ahead of the wall clock")
    same(len(answer.found), 1, "a writer ahead of the wall clock reads its own write")
    answer = await store.facts(scope, Moment(None, None, ahead + 5), Pattern(), Slice(10))
    same(answer[:2], (ahead + 5, ahead), "the instants of an open view after the scope's clock")
    answer = await store.facts(scope, view(second(1), second(2)), Pattern(), Slice(10))
    same(answer[:2], (second(1), second(2)), "instants that were given")


async def a_scope_never_written_to_answers(stores: Stores) -> None:
    """With nothing, and with instants."""
    store, scope = stores.store, stores.scope()
    answer = await store.facts(scope, LATEST, Pattern(), Slice(10))
    same((answer.as_of, answer.known_at, list(answer.found)), (NOW, PAST, []), "facts of a new scope")
    same(
        list((await store.standing(scope, LATEST, Key("Ann", "lives"))).found),
        [],
        "what stands in a new scope",
    )


async def unbounded_sides_are_no_dates(stores: Stores) -> None:
    """The first and last instants of the calendar differ from an unbounded past and an open end."""
    store, scope = stores.store, stores.scope()
    always = fact("always", "is", text("a"), second(1))
    dated = fact("dated", "is", text("b"), second(1), start=FIRST, end=LAST)
    await put(store, scope, second(1), always, dated)
    found = (await store.facts(scope, view(FIRST), Pattern(), Slice(10))).found
    same(
        [each.version.window for each in found],
        [(PAST, OPEN), (FIRST, LAST)],
        "windows, to the last microsecond",
    )
    found = (await store.facts(scope, view(LAST), Pattern(), Slice(10))).found
    same(
        [each.version.subject for each in found], ["always"], "what holds at the last instant of the calendar"
    )
    found = (await store.facts(scope, view(FIRST - 1), Pattern(), Slice(10))).found
    same([each.version.subject for each in found], ["always"], "what holds before the calendar")


async def patterns_match_exactly(stores: Stores) -> None:
    """Subject, predicate and object, alone and together; a text is also the entity of that name."""
    store, scope = stores.store, stores.scope()
    rows = {
        "tea": fact("Ann", "likes", text("tea"), second(1)),
        "Tea": fact("Ann", "likes", text("Tea"), second(1)),
        "seven": fact("Ann", "age", ObjectValue("integer", "7"), second(1)),
        "seven said": fact("Bea", "age", text("7"), second(1)),
        "bea": fact("Ann", "knows", entity("Bea"), second(1)),
        "bea said": fact("Cid", "knows", text("Bea"), second(1)),
    }
    await put(store, scope, second(1), *rows.values())
    for pattern, names in (
        (Pattern("Ann"), ["tea", "Tea", "seven", "bea"]),
        (Pattern("ann"), []),
        (Pattern("Ann", "likes"), ["tea", "Tea"]),
        (Pattern(None, "knows"), ["bea", "bea said"]),
        (Pattern(object=text("tea")), ["tea"]),
        (Pattern(object=ObjectValue("integer", "7")), ["seven"]),
        (Pattern(object=text("7")), ["seven said"]),
        (Pattern(object=entity("Bea")), ["bea"]),
        (Pattern(object=text("Bea")), ["bea", "bea said"]),
        (Pattern("Ann", "knows", entity("Bea")), ["bea"]),
        (Pattern("Ann", "likes", text("Bea")), []),
        (Pattern(None, "likes", text("Tea")), ["Tea"]),
    ):
        for moment in (LATEST, view(NOW, second(1))):
            found = (await store.facts(scope, moment, pattern, Slice(10))).found
            same_members(
                [each.version for each in found],
                [rows[name].version for name in names],
                f"facts of {pattern}",
            )
        past = await store.history(scope, pattern, Slice(10))
        same_members(
            [each.version for each in past], [rows[name].version for name in names], f"history of {pattern}"
        )


async def pages_continue_where_they_ended(stores: Stores) -> None:
    """In order of subject, predicate, valid_from, object and id, whatever the size of a page."""
    store, scope = stores.store, stores.scope()
    objects = [text("a"), text("b"), ObjectValue("integer", "1"), entity("Oslo")]
    rows = [
        fact(subject, predicate, what, second(1), start=second(start), id=f"fact_{n}_{start}")
        for n, (subject, predicate, what) in enumerate(
            (subject, predicate, what)
            for subject in ("Ann", "Bea", "Cid")
            for predicate in ("p", "q")
            for what in objects
        )
        for start in (5, 3)
    ]
    await put(store, scope, second(1), *rows)
    expected = sorted((each.version for each in rows), key=_order)
    for pattern in (
        Pattern(),
        Pattern("Bea"),
        Pattern("Bea", "q"),
        Pattern(None, "p"),
        Pattern(object=text("b")),
    ):
        wanted = [
            each
            for each in expected
            if pattern.subject in (None, each.subject)
            and pattern.predicate in (None, each.predicate)
            and pattern.object in (None, each.object)
        ]
        for limit in (1, 5, 100):
            found, after = [], None
            while True:
                page = (await store.facts(scope, LATEST, pattern, Slice(limit, after))).found
                found += [each.version for each in page]
                holds(len(page) <= limit, f"a page holds at most {limit}")
                if len(page) < limit:
                    break
                after = _order(page[-1].version)
            same(found, wanted, f"all pages of {limit} of {pattern}")


async def sources_are_those_of_the_view(stores: Stores) -> None:
    """Links attached at `known_at` and not yet detached, whose window overlaps the fact's."""
    store, scope = stores.store, stores.scope()
    new = fact("Ann", "lives", entity("Oslo"), second(1), start=second(10), end=second(20))
    first = link(new)
    elsewhere = link(new, covers_from=second(20), covers_to=second(30))
    await put(store, scope, second(1), new, links=[first, elsewhere])
    later = link(new, recorded_at=second(2), attached_at=second(2))
    await put(store, scope, second(2), links=[later])

    async def seen(known_at: int | None) -> list[str]:
        (found,) = (await store.facts(scope, view(second(15), known_at), Pattern("Ann"), Slice(10))).found
        return [each.id for each in found.sources]

    same(await seen(second(1)), [first.id], "sources known before another said so too")
    same_members(await seen(None), [first.id, later.id], "sources known now")
    # The key is asked for, so that its links are known to the plan that detaches one.
    again = fact("Ann", "lives", entity("Bonn"), second(3), start=second(40))
    await put(store, scope, second(3), again, detached=[first.id], links=[link(again)])
    same(await seen(None), [later.id], "sources after one was detached")
    same_members(await seen(second(2)), [first.id, later.id], "sources before it was detached")


async def what_stands_is_told_whenever_valid(stores: Stores) -> None:
    """All versions of a key known at a moment, in order of valid_from."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "lives", entity("Oslo"), second(1), start=second(30)),
        fact("Ann", "lives", entity("Rome"), second(1), start=second(10), end=second(30)),
    ]
    await put(store, scope, second(1), *rows, fact("Bea", "lives", entity("Rome"), second(1)))
    late = fact("Ann", "lives", entity("Bonn"), second(2), start=second(2), end=second(10))
    await put(store, scope, second(2), late)
    key = Key("Ann", "lives")
    expected = [late.version, rows[1].version, rows[0].version]
    same(list((await store.standing(scope, LATEST, key)).found), expected, "what stands now")
    same(
        list((await store.standing(scope, view(None, second(1)), key)).found),
        expected[1:],
        "what stood before",
    )


def _order(version: Version) -> tuple[str, str, int, str, str, str]:
    return (
        version.subject,
        version.predicate,
        version.valid_from,
        version.object.type,
        version.object.text,
        version.id,
    )


CHECKS = (
    windows_are_half_open,
    beliefs_are_half_open,
    open_instants_are_settled,
    a_scope_never_written_to_answers,
    unbounded_sides_are_no_dates,
    patterns_match_exactly,
    pages_continue_where_they_ended,
    sources_are_those_of_the_view,
    what_stands_is_told_whenever_valid,
)
