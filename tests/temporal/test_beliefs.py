"""Rewriting windows says the same as replaying every operation at every single point."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from memory_provider.temporal.beliefs import Beliefs, Support
from memory_provider.temporal.instants import OPEN
from memory_provider.temporal.windows import Window
from tests.temporal.points import EDGES, POINTS, points, runs, windows

OBJECTS = "abc"
objects = st.sampled_from(OBJECTS)
claims = st.sampled_from(("c1", "c2", "c3"))
standing = st.lists(st.tuples(objects, st.builds(Support, claims, windows())), max_size=5)

Operation = tuple[str, tuple[object, ...]]
operations = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.tuples(objects, windows(), claims)),
        st.tuples(st.just("put"), st.tuples(objects, windows(), claims)),
        st.tuples(st.just("replace"), st.tuples(objects, objects, windows(), claims)),
        st.tuples(st.just("remove"), st.tuples(objects, windows())),
        st.tuples(st.just("clear"), st.tuples(windows())),
    ),
    max_size=8,
)


@dataclass
class Replay:
    """Which claims back which object at each point; knows no windows, only the points an operation speaks of."""

    at: dict[int, set[tuple[str, str]]] = field(default_factory=lambda: {point: set() for point in POINTS})
    order: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    def held(self, what: str) -> set[int]:
        return {point for point in POINTS if any(each == what for each, _ in self.at[point])}

    def say(self, what: str, over: Window, claim: str) -> None:
        for point in points(over):
            self.at[point].add((what, claim))
        self.changed.add(what)

    def take(self, what: str, over: Window) -> None:
        for point in points(over):
            gone = {said for said in self.at[point] if said[0] == what}
            self.at[point] -= gone
            self.changed |= {what} if gone else set()

    def apply(self, name: str, arguments: tuple) -> None:
        if name == "add":
            self.say(*arguments)
        elif name == "put":
            what, over, claim = arguments
            for other in set(OBJECTS) - {what}:
                self.take(other, over)
            self.say(what, over, claim)
        elif name == "replace":
            old, what, over, claim = arguments
            if old != what:
                self.take(old, over)
            self.say(what, over, claim)
        elif name == "remove":
            self.take(*arguments)
        else:
            for each in OBJECTS:
                self.take(each, *arguments)
        self.settle()

    def settle(self) -> None:
        """An object that no longer holds anywhere is forgotten; one that holds anew comes last."""
        known = [each for each in self.order if self.held(each)]
        self.order = known + [each for each in OBJECTS if self.held(each) and each not in known]


def replayed(
    given_supports: list[tuple[str, Support]], steps: list[Operation]
) -> tuple[Beliefs[str], Replay]:
    beliefs, replay = Beliefs(given_supports), Replay()
    for what, support in given_supports:
        replay.apply("add", (what, support.window, support.claim))
    replay.changed.clear()
    for name, arguments in steps:
        getattr(beliefs, name)(*arguments)
        replay.apply(name, arguments)
    return beliefs, replay


@given(standing, operations)
def test_what_holds_and_who_backs_it_at_every_point(
    given_supports: list[tuple[str, Support]], steps: list[Operation]
) -> None:
    beliefs, replay = replayed(given_supports, steps)
    for point in POINTS:
        backed = {
            (each, support.claim)
            for each in OBJECTS
            for support in beliefs.supports(each)
            if point in points(support.window)
        }
        assert backed == replay.at[point], f"at {point}"
    assert beliefs.objects() == replay.order
    assert beliefs.changed == replay.changed


@given(standing, operations)
def test_windows_are_the_longest_runs(
    given_supports: list[tuple[str, Support]], steps: list[Operation]
) -> None:
    beliefs, replay = replayed(given_supports, steps)
    for each in OBJECTS:
        assert beliefs.windows(each) == runs(replay.held(each))


@given(standing, operations)
def test_the_next_beginning_is_that_of_a_run(
    given_supports: list[tuple[str, Support]], steps: list[Operation]
) -> None:
    beliefs, replay = replayed(given_supports, steps)
    starts = [start for each in OBJECTS for start, _ in runs(replay.held(each))]
    for after in EDGES:
        assert beliefs.next_beginning(after) == min([OPEN, *(each for each in starts if each > after)])


@given(standing, operations, windows())
def test_an_object_is_holding_where_it_has_a_point(
    given_supports: list[tuple[str, Support]], steps: list[Operation], during: Window
) -> None:
    beliefs, replay = replayed(given_supports, steps)
    assert beliefs.holding(during) == [each for each in replay.order if replay.held(each) & points(during)]


@given(standing, operations)
def test_what_no_operation_changed_is_as_it_was_given(
    given_supports: list[tuple[str, Support]], steps: list[Operation]
) -> None:
    beliefs, _ = replayed(given_supports, steps)
    for each in set(OBJECTS) - beliefs.changed:
        assert beliefs.supports(each) == [support for what, support in given_supports if what == each]


@given(standing, operations)
def test_what_is_handed_out_is_not_what_is_kept(
    given_supports: list[tuple[str, Support]], steps: list[Operation]
) -> None:
    beliefs, replay = replayed(given_supports, steps)
    for each in OBJECTS:
        beliefs.supports(each).clear()
    beliefs.objects().clear()
    assert beliefs.objects() == replay.order
