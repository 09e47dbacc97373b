"""Half-open windows of valid time and the little algebra the rewriting rules need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .errors import InvalidWindow
from .instants import OPEN, PAST, Instant, to_text


class Window(NamedTuple):
    """`[start, end)`: start included, end excluded; `PAST` and `OPEN` where a side is unbounded."""

    start: Instant
    end: Instant

    def contains(self, instant: Instant) -> bool:
        return self.start <= instant < self.end

    def overlaps(self, other: Window) -> bool:
        """Whether the two share an instant."""
        return self.start < other.end and other.start < self.end

    def intersection(self, other: Window) -> Window | None:
        """What both hold, or None."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Window(start, end) if start < end else None

    def minus(self, other: Window) -> list[Window]:
        """What is left of this window outside the other: its left and right remainders, in order."""
        if not self.overlaps(other):
            return [self]
        left = [Window(self.start, other.start)] if self.start < other.start else []
        right = [Window(other.end, self.end)] if other.end < self.end else []
        return left + right


ALWAYS = Window(PAST, OPEN)


def window(start: Instant, end: Instant) -> Window:
    """A window, or `InvalidWindow` when it holds at no instant."""
    if start >= end:
        kind = "empty" if start == end else "inverted"
        raise InvalidWindow(
            f"the window from {describe(start)} to {describe(end)} is {kind}; valid_from must lie before valid_to"
        )
    return Window(start, end)


def coalesce(windows: Iterable[Window]) -> list[Window]:
    """The same instants as few maximal windows, in order: those that overlap or touch become one."""
    merged: list[Window] = []
    for each in sorted(windows):
        if merged and each.start <= merged[-1].end:
            if each.end > merged[-1].end:
                merged[-1] = Window(merged[-1].start, each.end)
        else:
            merged.append(each)
    return merged


def describe(instant: Instant) -> str:
    """An instant for a person: ISO text, or the words for an unbounded side."""
    if instant == PAST:
        return "the unbounded past"
    return "an open end" if instant == OPEN else to_text(instant)
