"""Which id survives a rewrite, against the rule worked out point by point."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from memory_provider.temporal.lines import Line, carry_ids
from memory_provider.temporal.windows import Window
from tests.temporal.points import heirs, point_sets, points, runs

OBJECTS = "abc"
held = st.fixed_dictionaries({each: point_sets() for each in OBJECTS})


def minting() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"new{next(numbers)}"


def lines_of(before: dict[str, set[int]]) -> list[Line[str]]:
    return [
        Line(f"{each}{number}", each, Window(*run))
        for each, its_points in before.items()
        for number, run in enumerate(runs(its_points))
    ]


def windows_of(after: dict[str, set[int]]) -> dict[str, list[Window]]:
    return {each: [Window(*run) for run in runs(left)] for each, left in after.items() if left}


@given(held, held)
def test_ids_are_those_of_the_slow_model(before: dict[str, set[int]], after: dict[str, set[int]]) -> None:
    old = lines_of(before)
    renamed = carry_ids(old, windows_of(after), minting())
    absorbed: dict[str, str] = {}
    for each in OBJECTS:
        expected = heirs({line.id: points(line.window) for line in old if line.object == each}, after[each])
        carried = {
            line.window: line.id
            for line in renamed.after
            if line.object == each and not line.id.startswith("new")
        }
        assert carried == expected.owner
        absorbed.update(expected.absorbed)
    assert renamed.absorbed == absorbed


@given(held, held)
def test_every_window_gets_one_id_of_its_own(before: dict[str, set[int]], after: dict[str, set[int]]) -> None:
    renamed = carry_ids(lines_of(before), windows_of(after), minting())
    stands = [(line.object, tuple(line.window)) for line in renamed.after]
    assert stands == [(each, run) for each, left in after.items() for run in runs(left)]
    assert len({line.id for line in renamed.after}) == len(renamed.after)


@given(held, held)
def test_no_more_ids_are_minted_than_are_used(
    before: dict[str, set[int]], after: dict[str, set[int]]
) -> None:
    minted: list[str] = []
    mint = minting()
    renamed = carry_ids(lines_of(before), windows_of(after), lambda: minted.append(mint()) or minted[-1])
    assert minted == [line.id for line in renamed.after if line.id.startswith("new")]


@given(held, held)
def test_the_absorbed_point_at_a_line_of_their_object_that_stands(
    before: dict[str, set[int]], after: dict[str, set[int]]
) -> None:
    old = {line.id: line for line in lines_of(before)}
    renamed = carry_ids(list(old.values()), windows_of(after), minting())
    now = {line.id: line for line in renamed.after}
    for gone, into in renamed.absorbed.items():
        assert gone not in now
        assert now[into].object == old[gone].object
        assert now[into].window.overlaps(old[gone].window)
        assert old[into].window < old[gone].window, "the earliest of those that merge keeps its id"


@given(held, held)
def test_an_id_stays_with_its_object(before: dict[str, set[int]], after: dict[str, set[int]]) -> None:
    old = {line.id: line for line in lines_of(before)}
    for line in carry_ids(list(old.values()), windows_of(after), minting()).after:
        assert line.id not in old or old[line.id].object == line.object


@given(held)
def test_lines_that_do_not_change_keep_their_ids(before: dict[str, set[int]]) -> None:
    old = lines_of(before)
    renamed = carry_ids(old, windows_of(before), minting())
    assert renamed.after == old
    assert renamed.absorbed == {}


@given(held, held, st.randoms(use_true_random=False))
def test_the_order_of_what_stood_does_not_matter(before, after, random) -> None:
    old = lines_of(before)
    shuffled = random.sample(old, len(old))
    assert carry_ids(shuffled, windows_of(after), minting()) == carry_ids(old, windows_of(after), minting())


def test_a_line_cut_in_two_keeps_its_id_on_the_left() -> None:
    renamed = carry_ids([Line("old", "a", Window(0, 6))], {"a": [Window(0, 2), Window(4, 6)]}, minting())
    assert renamed.after == [("old", "a", (0, 2)), ("new1", "a", (4, 6))]
    assert renamed.absorbed == {}


def test_lines_that_merge_keep_the_id_of_the_earliest() -> None:
    old = [
        Line("first", "a", Window(0, 1)),
        Line("second", "a", Window(3, 4)),
        Line("third", "a", Window(5, 6)),
    ]
    renamed = carry_ids(old, {"a": [Window(0, 6)]}, minting())
    assert renamed.after == [("first", "a", (0, 6))]
    assert renamed.absorbed == {"second": "first", "third": "first"}
