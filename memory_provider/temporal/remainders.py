"""What is left of one line, at every recorded time, when some of the claims behind it are erased."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from .instants import Instant
from .lines import Line, carry_ids
from .windows import Window, coalesce


class Believed(NamedTuple):
    """A window that was believed during a span of recorded time, both half-open."""

    window: Window
    recorded: Window


class Remainder(NamedTuple):
    """What still stands of a line under an id, during a span of recorded time."""

    id: str
    window: Window
    recorded: Window


def remaining(
    line: str, versions: Iterable[Believed], backing: Iterable[Believed], mint: Callable[[], str]
) -> list[Remainder]:
    """The versions of a line that its remaining backing still covers, oldest first.

    `versions` are the line's versions; `backing` says which valid windows the claims that stay cover, and while they
    were attached. At every recorded instant exactly what both hold is left.
    """
    versions, backing = list(versions), list(backing)
    edges = sorted({edge for each in (*versions, *backing) for edge in each.recorded})
    spans: list[tuple[Window, list[Window]]] = []
    for start, end in pairwise(edges):
        covered = coalesce(
            shared
            for version in versions
            if version.recorded.contains(start)
            for each in backing
            if each.recorded.contains(start) and (shared := version.window.intersection(each.window))
        )
        spans.append((Window(start, end), covered))
    return _named(line, spans, mint)


def _named(line: str, spans: list[tuple[Window, list[Window]]], mint: Callable[[], str]) -> list[Remainder]:
    rows: list[Remainder] = []
    standing: list[Line[None]] = []
    open_since: dict[Line[None], Instant] = {}
    spare = [line]

    def name() -> str:
        return spare.pop() if spare else mint()

    for recorded, windows in spans:
        lines = carry_ids(standing, {None: windows}, name).after
        rows.extend(
            Remainder(gone.id, gone.window, Window(open_since.pop(gone), recorded.start))
            for gone in standing
            if gone not in lines
        )
        for each in lines:
            open_since.setdefault(each, recorded.start)
        standing = lines
    last = spans[-1][0].end if spans else 0
    rows.extend(Remainder(each.id, each.window, Window(open_since[each], last)) for each in standing)
    return sorted(rows, key=lambda row: (row.recorded, row.window))
