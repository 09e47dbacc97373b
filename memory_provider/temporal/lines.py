"""Identity of lines across a rewrite: which line keeps its id, which is new, which was absorbed.

A *line* is one maximal window over which an object holds for a key, carried by an id. Only the net effect of a
transaction counts: the lines before it and the windows after it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from .windows import Window

Object = TypeVar("Object", bound=Hashable)


class Line(NamedTuple, Generic[Object]):
    """An object holding over a window, under an id."""

    id: str
    object: Object
    window: Window


class Renamed(NamedTuple, Generic[Object]):
    """What became of the lines of a key."""

    after: list[Line[Object]]
    """Every line that stands now, with its id."""
    absorbed: dict[str, str]
    """Ids that merged into another line, with the id of that line."""


def carry_ids(
    before: Sequence[Line[Object]],
    after: Mapping[Object, Sequence[Window]],
    mint: Callable[[], str],
) -> Renamed[Object]:
    """Give every window that stands after a rewrite its id.

    The earliest remainder of a line keeps the line's id; further remainders get ids of their own. Lines that merge
    keep the id of the earliest. `before` and each sequence in `after` hold disjoint windows per object, in order.
    """
    lines: list[Line[Object]] = []
    absorbed: dict[str, str] = {}
    earlier: dict[Object, list[Line[Object]]] = {}
    for line in before:
        earlier.setdefault(line.object, []).append(line)
    for each, windows in after.items():
        claimed: dict[Window, str] = {}
        for line in sorted(earlier.get(each, ()), key=lambda line: line.window):
            remainder = next((window for window in windows if window.overlaps(line.window)), None)
            if remainder is None:
                continue
            if remainder in claimed:
                absorbed[line.id] = claimed[remainder]
            else:
                claimed[remainder] = line.id
        lines.extend(Line(claimed.get(window) or mint(), each, window) for window in windows)
    return Renamed(lines, absorbed)
