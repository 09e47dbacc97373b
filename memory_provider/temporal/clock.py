"""The transaction clock of a scope: strictly increasing, stamped under the scope's lock."""

from __future__ import annotations

from .errors import ClockRefused
from .instants import LAST, PAST, Instant, to_text

TOLERANCE = 60_000_000
"""How far ahead of the wall clock a supplied `recorded_at` may lie, in microseconds."""


def next_transaction_time(last: Instant, wall: Instant, supplied: Instant | None = None) -> Instant:
    """The recorded time of the next transaction: `max(wall, last + 1)`, or the supplied instant if it may stand.

    `last` is the scope's clock (`PAST` before the first transaction). Raises `ClockRefused` when the supplied
    instant is not later than `last`, or is more than `TOLERANCE` ahead of the wall clock, and when `last` is the last
    instant there is.
    """
    if supplied is None:
        if last >= LAST:
            raise ClockRefused(
                f"the scope's clock stands at {to_text(last)}, the last instant there is; nothing can be recorded "
                "after it: import its archive anew with --restamp"
            )
        return max(wall, last + 1)
    if last != PAST and supplied <= last:
        raise ClockRefused(
            f"recorded_at {to_text(supplied)} is not later than the scope's last transaction at {to_text(last)}; "
            "recorded time only moves forward: leave recorded_at out, or import into an empty scope"
        )
    if supplied > wall + TOLERANCE:
        raise ClockRefused(
            f"recorded_at {to_text(supplied)} is more than 60 s ahead of the clock ({to_text(wall)}); "
            "leave recorded_at out to stamp it now"
        )
    return supplied
