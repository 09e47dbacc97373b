"""The algebra of windows is the algebra of the sets of instants they hold."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.temporal.errors import InvalidWindow
from memory_provider.temporal.instants import FIRST, LAST, OPEN, PAST
from memory_provider.temporal.windows import ALWAYS, Window, coalesce, describe, window
from tests.temporal.points import EDGES, POINTS, points, runs, windows

EVERY = [Window(start, end) for start, end in product(EDGES, EDGES) if start < end]
PAIRS = list(product(EVERY, EVERY))


def test_a_window_contains_its_points() -> None:
    for each in EVERY:
        assert {point for point in POINTS if each.contains(point)} == points(each)
        assert not each.contains(each.end), "the end is excluded"


def test_windows_overlap_where_they_share_a_point() -> None:
    for one, other in PAIRS:
        assert one.overlaps(other) == bool(points(one) & points(other)), (one, other)


def test_intersection_holds_what_both_hold() -> None:
    for one, other in PAIRS:
        shared = one.intersection(other)
        assert ([] if shared is None else [shared]) == runs(points(one) & points(other)), (one, other)


def test_minus_leaves_what_the_other_does_not_hold() -> None:
    for one, other in PAIRS:
        assert one.minus(other) == runs(points(one) - points(other)), (one, other)


@given(st.lists(windows()))
def test_coalesce_gives_the_longest_windows_in_order(given_windows: list[Window]) -> None:
    merged = coalesce(given_windows)
    assert merged == runs(points(*given_windows))
    assert coalesce(merged) == merged
    assert all(one.end < later.start for one, later in pairwise(merged)), "a hole between any two"


@given(st.lists(windows()).flatmap(lambda some: st.tuples(st.just(some), st.permutations(some))))
def test_coalesce_does_not_mind_the_order(both: tuple[list[Window], list[Window]]) -> None:
    assert coalesce(iter(both[0])) == coalesce(both[1])


@given(st.integers(PAST, OPEN), st.integers(PAST, OPEN))
def test_always_holds_every_instant_and_misses_nothing(one: int, other: int) -> None:
    if one != other:
        within = Window(min(one, other), max(one, other))
        assert within.minus(ALWAYS) == []
        assert within.intersection(ALWAYS) == within


@pytest.mark.parametrize("ends", list(product(EDGES, EDGES)))
def test_only_a_window_that_holds_something_is_made(ends: tuple[int, int]) -> None:
    start, end = ends
    if start < end:
        assert window(start, end) == (start, end)
        return
    with pytest.raises(InvalidWindow, match="empty" if start == end else "inverted") as refused:
        window(start, end)
    assert describe(start) in str(refused.value)
    assert describe(end) in str(refused.value)


def test_a_person_reads_the_unbounded_sides_as_words() -> None:
    assert describe(PAST) == "the unbounded past"
    assert describe(OPEN) == "an open end"
    assert describe(FIRST) == "0001-01-01T00:00:00Z"
    assert describe(LAST) == "9999-12-31T23:59:59.999999Z"
