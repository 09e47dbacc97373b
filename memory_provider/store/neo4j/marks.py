"""Words that full-text search can filter by: the scope, and the days of the clocks.

A day is seven digits that sort as text, so that a range of words is a range of days. Days are coarser than the clocks:
whoever filters by them filters exactly afterwards.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from ...temporal.instants import DAY, OPEN, PAST, Instant

_EPOCH = 1_000_000  # day 0 is 1970-01-01; the year 1 stays positive
NEVER, EVER = "0000000", "9999999"
"""The days of an unbounded past and of an open end."""


@lru_cache(maxsize=4096)
def scope_mark(scope: str) -> str:
    """One word for a scope, whatever characters its name has."""
    return "s" + sha256(scope.encode()).hexdigest()[:24]


def day(instant: Instant) -> str:
    """The day of an instant, in seven digits."""
    if instant <= PAST:
        return NEVER
    if instant >= OPEN:
        return EVER
    return f"{instant // DAY + _EPOCH:07d}"


def fact_marks(
    scope: str, valid_from: Instant, valid_to: Instant, recorded_at: Instant, superseded_at: Instant
) -> str:
    """The marks of a version: `s… f… t… r…`, and `u…` once it is superseded."""
    marks = f"{scope_mark(scope)} f{day(valid_from)} t{day(valid_to)} r{day(recorded_at)}"
    return marks if superseded_at == OPEN else f"{marks} {superseded_mark(superseded_at)}"


def record_marks(
    scope: str,
    frame: str,
    valid_from: Instant,
    valid_to: Instant,
    recorded_at: Instant,
    superseded_at: Instant,
) -> str:
    """The marks of a context record: those of a version, and `k…` for the kind of frame it is served as."""
    return f"{fact_marks(scope, valid_from, valid_to, recorded_at, superseded_at)} {frame_mark(frame)}"


def frame_mark(frame: str) -> str:
    """One word for a kind of frame."""
    return f"k{frame}"


def superseded_mark(superseded_at: Instant) -> str:
    """The word a version gets when it is superseded."""
    return f"u{day(superseded_at)}"


def chunk_marks(scope: str, occurred_at: Instant, recorded_at: Instant) -> str:
    """The marks of an episode's chunks: `s… f… r…`."""
    return f"{scope_mark(scope)} f{day(occurred_at)} r{day(recorded_at)}"
