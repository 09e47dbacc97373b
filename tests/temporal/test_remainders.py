"""What an erase leaves of a line is exactly what the claims that stay still cover, at every recorded time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory_provider.temporal.remainders import Believed, Remainder, remaining
from memory_provider.temporal.windows import ALWAYS, Window
from tests.temporal.points import EDGES, POINTS, heirs, points, runs, windows

backing = st.lists(st.builds(Believed, windows(), windows()), max_size=6)


@st.composite
def versions(draw: st.DrawFn) -> list[Believed]:
    """The versions of one line: at most one at any recorded instant."""
    edges = sorted(draw(st.sets(st.sampled_from(EDGES), min_size=2)))
    spans = [Window(*span) for span in pairwise(edges)]
    return [Believed(draw(windows()), span) for span in spans if draw(st.integers(0, 4))]


def minting() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"new{next(numbers)}"


def known_at(recorded: int, rows: list[Believed]) -> set[int]:
    return points(*(row.window for row in rows if recorded in points(row.recorded)))


def left_at(recorded: int, rows: list[Remainder]) -> dict[tuple[int, int], str]:
    return {tuple(row.window): row.id for row in rows if recorded in points(row.recorded)}


@given(versions(), backing)
def test_exactly_what_both_hold_is_left_at_every_point(line: list[Believed], stays: list[Believed]) -> None:
    rows = remaining("line", line, stays, minting())
    for recorded in POINTS:
        both = known_at(recorded, line) & known_at(recorded, stays)
        found = [tuple(row.window) for row in rows if recorded in points(row.recorded)]
        assert sorted(found) == runs(both), f"as known at {recorded}"


@given(versions(), backing)
def test_rows_are_windows_on_both_clocks_inside_what_was_known(
    line: list[Believed], stays: list[Believed]
) -> None:
    for row in remaining("line", line, stays, minting()):
        for recorded in points(row.recorded):
            assert points(row.window) <= known_at(recorded, line)
        for start, end in (row.window, row.recorded):
            assert start < end
            assert start in EDGES
            assert end in EDGES


@given(versions(), backing)
def test_an_id_has_one_version_at_a_time_and_a_new_one_only_when_it_changes(
    line: list[Believed], stays: list[Believed]
) -> None:
    rows = remaining("line", line, stays, minting())
    for each in {row.id for row in rows}:
        history = [row for row in rows if row.id == each]
        for one, later in pairwise(history):
            assert one.recorded.end <= later.recorded.start
            assert one.recorded.end < later.recorded.start or one.window != later.window


@given(versions(), backing)
def test_rows_come_oldest_first_and_the_first_has_the_id_of_the_line(
    line: list[Believed], stays: list[Believed]
) -> None:
    rows = remaining("line", line, stays, minting())
    when = [(row.recorded.start, row.window.start) for row in rows if row.id == "line"]
    assert [row.recorded for row in rows] == sorted(row.recorded for row in rows)
    begins = min(((row.recorded.start, row.window.start) for row in rows), default=None)
    assert min(when, default=None) == begins


@given(versions(), backing)
def test_ids_go_from_one_recorded_time_to_the_next_as_in_any_rewrite(
    line: list[Believed], stays: list[Believed]
) -> None:
    rows = remaining("line", line, stays, minting())
    seen: set[str] = set()
    for earlier, recorded in pairwise([None, *POINTS]):
        before = {} if earlier is None else left_at(earlier, rows)
        now = left_at(recorded, rows)
        expected = heirs({name: points(run) for run, name in before.items()}, points(*now)).owner
        assert {run: name for run, name in now.items() if name in before.values()} == expected
        assert not seen & (set(now.values()) - set(before.values())), "an id that ended came back"
        seen |= set(now.values())


@given(versions())
def test_a_line_that_is_backed_throughout_stays_as_it_was(line: list[Believed]) -> None:
    rows = remaining("line", line, [Believed(ALWAYS, ALWAYS)], minting())
    for recorded in POINTS:
        assert points(*left_at(recorded, rows)) == known_at(recorded, line)


@given(versions())
def test_nothing_is_left_without_backing(line: list[Believed]) -> None:
    assert remaining("line", line, [], minting()) == []
    assert remaining("line", [], line, minting()) == []


@given(versions(), backing, st.randoms(use_true_random=False))
def test_the_order_of_what_is_given_does_not_matter(line, stays, random) -> None:
    shuffled = iter(random.sample(line, len(line))), iter(random.sample(stays, len(stays)))
    assert remaining("line", *shuffled, minting()) == remaining("line", line, stays, minting())


def test_a_hole_in_the_middle_keeps_the_id_on_the_left() -> None:
    stays = [Believed(Window(0, 2), Window(0, 6)), Believed(Window(4, 6), Window(0, 6))]
    rows = remaining("line", [Believed(Window(0, 6), Window(0, 6))], stays, minting())
    assert rows == [("line", (0, 2), (0, 6)), ("new1", (4, 6), (0, 6))]
