"""Recorded time only moves forward, whatever the wall clock does and whatever is supplied."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.temporal.clock import TOLERANCE, next_transaction_time
from memory_provider.temporal.errors import ClockRefused, InvalidInput
from memory_provider.temporal.instants import FIRST, LAST, PAST, to_text

instants = st.integers(FIRST, LAST)
near = st.integers(0, 200_000_000)  # walls that jump back and forth around the tolerance


@given(st.lists(st.tuples(near, st.none() | near), max_size=20))
def test_the_clock_strictly_increases(transactions: list[tuple[int, int | None]]) -> None:
    stamps = [PAST]
    for wall, supplied in transactions:
        late = supplied is not None and supplied <= stamps[-1]
        early = supplied is not None and supplied - wall > 60_000_000
        if late or early:
            with pytest.raises(ClockRefused):
                next_transaction_time(stamps[-1], wall, supplied)
            continue
        stamps.append(next_transaction_time(stamps[-1], wall, supplied))
        assert supplied is None or stamps[-1] == supplied, "an instant that may stand is taken as it is"
    assert all(one < later for one, later in pairwise(stamps))


@given(st.integers(FIRST, LAST - 1), instants)
def test_a_stamp_is_the_wall_or_the_microsecond_after_the_last(last: int, wall: int) -> None:
    stamp = next_transaction_time(last, wall)
    assert stamp == wall if wall > last else stamp == last + 1


@given(instants)
def test_the_first_transaction_is_stamped_by_the_wall(wall: int) -> None:
    assert next_transaction_time(PAST, wall) == wall


@given(instants, st.integers(0, LAST - FIRST))
def test_a_first_supplied_instant_may_lie_in_any_past(wall: int, back: int) -> None:
    supplied = max(FIRST, wall - back)
    assert next_transaction_time(PAST, wall, supplied) == supplied


@given(instants)
def test_the_last_instant_may_be_stamped_but_nothing_after_it(wall: int) -> None:
    assert next_transaction_time(LAST - 1, wall) == LAST
    with pytest.raises(ClockRefused, match="last instant there is"):
        next_transaction_time(LAST, wall)


def test_sixty_seconds_ahead_stand_and_a_microsecond_more_does_not() -> None:
    assert TOLERANCE == 60_000_000
    assert next_transaction_time(5, 10, 60_000_010) == 60_000_010
    with pytest.raises(ClockRefused, match="more than 60 s ahead") as refused:
        next_transaction_time(5, 10, 60_000_011)
    assert to_text(60_000_011) in str(refused.value)


def test_the_last_transaction_is_never_stamped_again() -> None:
    assert next_transaction_time(5, 10, 6) == 6
    for supplied in (5, 4):
        with pytest.raises(ClockRefused, match="not later than") as refused:
            next_transaction_time(5, 10, supplied)
        assert to_text(supplied) in str(refused.value)
    assert not isinstance(refused.value, InvalidInput), "the same call may be right at another time"
