"""The wire's instants as the memory takes them. Both count microseconds; the memory's calendar is years 1 to 9999."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from ..protocol import MAX_TIMESTAMP, MIN_TIMESTAMP, format_timestamp, parse_timestamp

FIRST: Final = parse_timestamp("0001-01-01T00:00:00Z")
"""The memory's earliest instant."""

LAST: Final = MAX_TIMESTAMP
"""The memory's latest instant. The wire has one second more, 9999-12-31T23:59:60Z."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(instant: int | None) -> datetime | None:
    """An instant of the wire for the memory; what its calendar lacks becomes its first or its last instant.

    At the end that changes nothing: every window that ends at all ends by `LAST`, half-open, so it contains neither.
    At the beginning the caller has to look: year 0 comes before all that ever began.
    """
    return None if instant is None else _EPOCH + timedelta(microseconds=min(max(instant, FIRST), LAST))


def timestamp(instant: int | None) -> str | None:
    """An instant of the memory on the wire; None for an unbounded side, which the wire leaves out."""
    if instant is None or not MIN_TIMESTAMP <= instant <= MAX_TIMESTAMP:
        return None
    return format_timestamp(instant)


def written(moment: datetime | None) -> str | None:
    """A moment of the memory on the wire."""
    return None if moment is None else format_timestamp((moment - _EPOCH) // timedelta(microseconds=1))
