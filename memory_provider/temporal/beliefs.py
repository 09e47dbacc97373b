"""The rewriting rules: what assert, correct and retract do to what stands for one key.

A key is a subject and a predicate. What stands for it is a set of *supports*: each says that one claim (one source's
assertion) backs one object over one window. An object holds wherever at least one support covers it; its maximal
windows are its lines. The rules therefore never decide anything by similarity: they add and cut supports.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

from .instants import OPEN, Instant
from .windows import Window, coalesce

Object = TypeVar("Object", bound=Hashable)
"""What is said of the key: any hashable value; two objects are the same when they are equal."""


class Support(NamedTuple):
    """One claim's backing of an object over one window."""

    claim: str
    window: Window


class Beliefs(Generic[Object]):
    """What stands for one key in the latest knowledge, rewritten operation by operation.

    Later operations win on the overlap. Nothing comes back when something is taken away.
    """

    def __init__(self, standing: Iterable[tuple[Object, Support]] = ()) -> None:
        self._supports: dict[Object, list[Support]] = {}
        self.changed: set[Object] = set()
        """The objects whose supports an operation added or cut; those of all others are as they were given."""
        for each, support in standing:
            self._supports.setdefault(each, []).append(support)

    def objects(self) -> list[Object]:
        """The objects that hold somewhere, in the order they were first said."""
        return list(self._supports)

    def supports(self, of: Object) -> list[Support]:
        """The supports of one object, in the order they were given."""
        return list(self._supports.get(of, ()))

    def windows(self, of: Object) -> list[Window]:
        """The maximal windows over which an object holds, in order."""
        return coalesce(support.window for support in self._supports.get(of, ()))

    def next_beginning(self, after: Instant) -> Instant:
        """When the next standing window begins after an instant; `OPEN` when none does."""
        starts = (line.start for each in self._supports for line in self.windows(each))
        return min((start for start in starts if start > after), default=OPEN)

    def holding(self, during: Window) -> list[Object]:
        """The objects that hold at some instant of a window."""
        return [
            each
            for each, supports in self._supports.items()
            if any(support.window.overlaps(during) for support in supports)
        ]

    def add(self, what: Object, over: Window, claim: str) -> None:
        """The object joins whatever else holds in the window (assert, cardinality `many`)."""
        self._supports.setdefault(what, []).append(Support(claim, over))
        self.changed.add(what)

    def put(self, what: Object, over: Window, claim: str) -> None:
        """The window holds exactly this object (assert with cardinality `one`, and correct)."""
        for other in list(self._supports):
            if other != what:
                self.remove(other, over)
        self.add(what, over, claim)

    def replace(self, old: Object, what: Object, over: Window, claim: str) -> None:
        """Only `old` gives way to the object in the window (correct with `replaces`)."""
        if old != what:
            self.remove(old, over)
        self.add(what, over, claim)

    def remove(self, what: Object, over: Window) -> None:
        """The object no longer holds in the window; its left and right remainders stay (retract one object)."""
        supports = self._supports.get(what, ())
        if not any(support.window.overlaps(over) for support in supports):
            return
        self.changed.add(what)
        left = [
            Support(support.claim, remainder)
            for support in supports
            for remainder in support.window.minus(over)
        ]
        if left:
            self._supports[what] = left
        else:
            self._supports.pop(what, None)

    def clear(self, over: Window) -> None:
        """Nothing holds in the window (retract without an object)."""
        for each in list(self._supports):
            self.remove(each, over)
