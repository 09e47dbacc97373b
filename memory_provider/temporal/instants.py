"""Instants: integers of microseconds since 1970-01-01T00:00:00Z, on the POSIX scale (no leap seconds).

`PAST` and `OPEN` stand for an unbounded past and an open end. Both lie outside years 1 to 9999, so comparing
integers orders them rightly and no calendar date can be mistaken for them.
"""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Final

from .errors import InvalidInstant
from .shown import shown

Instant = int
"""Microseconds since the Unix epoch, UTC."""

PAST: Final[Instant] = -(2**62)
"""Earlier than every instant: the start of a window with an unbounded past."""

OPEN: Final[Instant] = 2**62
"""Later than every instant: the end of a window, or of a belief, that is still open."""

FIRST: Final[Instant] = -62_135_596_800_000_000
"""0001-01-01T00:00:00Z."""

LAST: Final[Instant] = 253_402_300_799_999_999
"""9999-12-31T23:59:59.999999Z: a date like any other, not an open end."""

DAY: Final = 86_400_000_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?"
    r"(Z|z|[+-][0-9]{2}:?[0-9]{2})?",
)


def now() -> Instant:
    """The wall clock, in microseconds since the Unix epoch."""
    return time.time_ns() // 1000


def from_datetime(moment: datetime) -> Instant:
    """The instant an aware `datetime` names.

    Raises `InvalidInstant` for a naive one (which clock would it be read by?) and outside years 1 to 9999.
    """
    offset = moment.utcoffset()
    if offset is None:
        raise InvalidInstant(
            f"{moment.isoformat()!r} has no time zone; give an aware datetime, for example with tzinfo=timezone.utc"
        )
    # Subtracting the offset by hand keeps folds exact and does not overflow at the calendar's ends.
    instant = (moment.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND - offset // _MICROSECOND
    return _within_calendar(instant, moment.isoformat())


def to_datetime(instant: Instant) -> datetime:
    """The aware UTC `datetime` of an instant; not for `PAST` and `OPEN`."""
    return _EPOCH + timedelta(microseconds=instant)


def parse(text: str) -> Instant:
    """The instant an ISO 8601 text names: date, time and an offset or `Z`, at most six fractional digits.

    Raises `InvalidInstant` naming the text: without an offset, finer than a microsecond, second 60, impossible
    dates, years outside 1 to 9999.
    """
    match = _ISO.fullmatch(text)
    if match is None:
        raise InvalidInstant(
            f"{shown(text)} is not an instant; write date, time and offset, for example 2026-04-01T00:00:00Z"
        )
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    if zone is None:
        raise InvalidInstant(f"{shown(text)} has no offset; append Z for UTC, or an offset such as +02:00")
    if fraction is not None and len(fraction) > 6:
        raise InvalidInstant(f"{shown(text)} is finer than a microsecond; give at most six fractional digits")
    if second == "60":
        raise InvalidInstant(
            f"{shown(text)} names second 60, which this clock does not have; give the second after it"
        )
    try:
        base = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), tzinfo=UTC)
    except ValueError as problem:
        raise InvalidInstant(f"{shown(text)} is not a date that exists: {problem}") from None
    instant = (base - _EPOCH) // _MICROSECOND + int((fraction or "").ljust(6, "0") or 0)
    if zone not in "Zz":
        hours, minutes = int(zone[1:3]), int(zone[-2:])
        if hours > 23 or minutes > 59:
            raise InvalidInstant(f"{shown(text)} has an offset that does not exist: {zone}")
        shift = (hours * 60 + minutes) * 60_000_000
        instant += shift if zone[0] == "-" else -shift
    return _within_calendar(instant, text)


def to_instant(value: datetime | str) -> Instant:
    """The instant a caller means by an aware `datetime` or an ISO 8601 text with an offset."""
    if isinstance(value, datetime):
        return from_datetime(value)
    if isinstance(value, str):
        return parse(value)
    raise InvalidInstant(
        f"{shown(value)} is not an instant; give an aware datetime or ISO 8601 text such as 2026-04-01T00:00:00Z"
    )


def to_text(instant: Instant) -> str:
    """ISO 8601 with `Z`; the fraction only where there is one, without trailing zeros (the wire's profile)."""
    text = to_datetime(instant).strftime("%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")
    return f"{to_datetime(instant).year:04d}-{text}Z"


def is_midnight(instant: Instant) -> bool:
    """Whether the instant is exactly midnight UTC, so that a date alone names it."""
    return instant % DAY == 0


def _within_calendar(instant: Instant, given: str) -> Instant:
    if not FIRST <= instant <= LAST:
        raise InvalidInstant(f"{shown(given)} lies outside years 1 to 9999 in UTC")
    return instant
