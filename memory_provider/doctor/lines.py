"""Checks that look at the versions of a line, or of a key, together with what backs them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ..memory.integrity import told
from ..temporal.instants import OPEN, Instant
from ..temporal.windows import Window, coalesce
from .ledger import Ledger


def line_faults(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Lines that stand twice, overlap, should be one, or are not covered by their sources."""
    yield from _twice(ledger)
    yield from _overlapping(ledger)
    yield from _same(ledger)
    yield from _uncovered(ledger)


def _twice(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """At any recorded time at most one version of a line stands."""
    for line, recorded_at in ledger.ask(
        "SELECT id, recorded_at FROM (SELECT id, recorded_at, max(superseded_at) OVER"
        " (PARTITION BY id ORDER BY recorded_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before"
        " FROM lines) WHERE before > recorded_at"
    ):
        yield "versions believed at once", f"{line} recorded at {told(recorded_at)}, beside an earlier one"


def _overlapping(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Of a `one` predicate at most one fact stands at any instant."""
    rows = ledger.ask(
        "SELECT key, id, valid_from, valid_to, object FROM lines"
        f" WHERE one AND superseded_at = {OPEN} ORDER BY key, valid_from, id"
    )
    for _, key in groupby(rows, lambda row: row[0]):
        latest: Any = None
        for row in key:
            if latest and row[2] < latest[3] and row[4] != latest[4]:
                yield "overlapping facts of a predicate of one", f"{latest[1]} and {row[1]}"
            if latest is None or row[3] > latest[3]:
                latest = row


def _same(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """At any recorded time the lines of one object neither overlap nor touch: they would be one line."""
    rows = ledger.ask(
        "SELECT key, object, id, valid_from, valid_to, recorded_at, superseded_at FROM lines ORDER BY key, object"
    )
    for _, versions in groupby(rows, lambda row: row[:2]):
        for one, other in sorted(set(_touching([row[2:] for row in versions]))):
            yield "lines that should be one", f"{one} and {other}"


def _touching(versions: list[tuple[str, Instant, Instant, Instant, Instant]]) -> Iterator[tuple[str, str]]:
    """Pairs of lines with versions believed at one time whose windows overlap or touch."""
    if len({version[0] for version in versions}) < 2:
        return
    events = [(version[3], 1, version) for version in versions]
    events += [(version[4], 0, version) for version in versions]
    standing: list[tuple[Instant, Instant, str]] = []
    for _, begins, (line, start, end, recorded_at, superseded_at) in sorted(events):
        window = (start, end, line)
        if recorded_at >= superseded_at:
            continue
        if not begins:
            place = bisect_left(standing, window)
            if place < len(standing) and standing[place] == window:
                del standing[place]
            continue
        place = bisect_left(standing, window)
        for neighbour in standing[max(0, place - 1) : place + 1]:
            if neighbour[2] != line and neighbour[0] <= end and start <= neighbour[1]:
                yield min(line, neighbour[2]), max(line, neighbour[2])
        insort(standing, window)


def _uncovered(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """At every recorded instant the source links attached to a line cover what was believed of it."""
    versions = groupby(
        ledger.ask(
            "SELECT id, valid_from, valid_to, recorded_at, superseded_at FROM lines ORDER BY id, recorded_at"
        ),
        lambda row: row[0],
    )
    links = _Groups(
        ledger.ask(
            "SELECT line, covers_from, covers_to, attached_at, detached_at FROM links ORDER BY line, attached_at"
        )
    )
    for line, rows in versions:
        backing = links.of(line)
        for _, start, end, recorded_at, superseded_at in rows:
            since = _first_gap(Window(start, end), Window(recorded_at, superseded_at), backing)
            if since is not None:
                yield (
                    "fact that its sources do not cover",
                    f"{line} recorded at {told(recorded_at)}, since {told(since)}",
                )


def _first_gap(window: Window, believed: Window, links: Iterable[Any]) -> Instant | None:
    relevant = [row for row in links if row[3] < believed.end and row[4] > believed.start]
    edges = {edge for row in relevant for edge in row[3:5] if believed.contains(edge)}
    instants: list[Instant] = sorted({believed.start, *edges})
    for instant in instants:
        covered = coalesce(Window(row[1], row[2]) for row in relevant if row[3] <= instant < row[4])
        if not any(each.start <= window.start and window.end <= each.end for each in covered):
            return instant
    return None


class _Groups:
    """Rows ordered by their first column, asked for group by group in that order."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self._groups = groupby(rows, lambda row: row[0])
        self._next = self._advance()

    def of(self, name: str) -> list[Any]:
        while self._next and self._next[0] < name:
            self._next = self._advance()
        return self._next[1] if self._next and self._next[0] == name else []

    def _advance(self) -> tuple[str, list[Any]] | None:
        found = next(self._groups, None)
        return (found[0], list(found[1])) if found else None
