"""Timestamps on the wire: `YYYY-MM-DDTHH:MM:SS[.f…]Z`, the profile F4 of RFC 3339.

Upper case `T` and `Z`, ASCII digits, no offset, a date that exists. Second 60 is the next second, a fraction
may have any number of digits and is floored to the microsecond, and the years 0000 to 9999 all count
(proleptic Gregorian calendar). An instant is an integer of microseconds since 1970-01-01T00:00:00Z, so that
year 0000, which `datetime` cannot hold, is just a small number.
"""

import re
from typing import Final

from .errors import TimestampError, excerpt

MICROSECONDS_PER_SECOND: Final = 1_000_000

EXPECTED: Final = "a UTC timestamp like 2026-03-01T00:00:00Z"
"""What error messages say is expected."""

PATTERN: Final = r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?Z"
"""What a regular expression can say of the profile."""

_SECONDS_PER_DAY = 86_400
_PROFILE = re.compile(PATTERN)
_DAYS_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def parse_timestamp(text: str) -> int:
    """Microseconds since the Unix epoch of a timestamp of the profile F4.

    Raises `TimestampError` for anything else, also for dates that do not exist.
    """
    match = _PROFILE.fullmatch(text)
    if match is None:
        raise TimestampError(f"expected {EXPECTED}, got {excerpt(text)}")
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    if not 1 <= month <= 12 or not 1 <= day <= _days_in_month(year, month):
        raise TimestampError(f"expected {EXPECTED}, got {excerpt(text)}: no such date")
    if hour > 23 or minute > 59 or second > 60:
        raise TimestampError(f"expected {EXPECTED}, got {excerpt(text)}: no such time of day")
    days = _days_since_year_zero(year) + _day_of_year(year, month, day) - _EPOCH_DAYS
    seconds = days * _SECONDS_PER_DAY + hour * 3600 + minute * 60 + second
    fraction = match[7]
    microseconds = int(fraction[:6].ljust(6, "0")) if fraction else 0
    return seconds * MICROSECONDS_PER_SECOND + microseconds


def format_timestamp(microseconds: int) -> str:
    """The timestamp of an instant given in microseconds since the Unix epoch.

    Whole seconds are written without a fraction, others with six digits. Raises `TimestampError` outside the
    years 0000 to 9999.
    """
    if not MIN_TIMESTAMP <= microseconds <= MAX_TIMESTAMP:
        raise TimestampError(f"an instant {microseconds} µs from 1970 is outside the years 0000 to 9999")
    seconds, fraction = divmod(microseconds, MICROSECONDS_PER_SECOND)
    days, second_of_day = divmod(seconds, _SECONDS_PER_DAY)
    year, month, day = _date(days + _EPOCH_DAYS)
    hour, rest = divmod(second_of_day, 3600)
    minute, second = divmod(rest, 60)
    shown = f".{fraction:06d}" if fraction else ""
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}{shown}Z"


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in_month(year: int, month: int) -> int:
    return 29 if month == 2 and _is_leap(year) else _DAYS_IN_MONTH[month - 1]


def _days_since_year_zero(year: int) -> int:
    """Days from 0000-01-01 to the first day of a year; year 0000 itself is a leap year."""
    past = year - 1
    return 365 * year + (past // 4 - past // 100 + past // 400 + 1)


def _day_of_year(year: int, month: int, day: int) -> int:
    return _DAYS_BEFORE_MONTH[month - 1] + (1 if month > 2 and _is_leap(year) else 0) + day - 1


def _date(days: int) -> tuple[int, int, int]:
    """Year, month and day of a count of days since 0000-01-01."""
    year = days * 400 // 146_097  # a guess that is at most one year off
    while _days_since_year_zero(year + 1) <= days:
        year += 1
    while _days_since_year_zero(year) > days:
        year -= 1
    rest = days - _days_since_year_zero(year)
    month = 1
    while rest >= _days_in_month(year, month):
        rest -= _days_in_month(year, month)
        month += 1
    return year, month, rest + 1


_EPOCH_DAYS = _days_since_year_zero(1970)

MIN_TIMESTAMP: Final = parse_timestamp("0000-01-01T00:00:00Z")
"""The earliest instant that can be written, in microseconds since the Unix epoch."""
MAX_TIMESTAMP: Final = parse_timestamp("9999-12-31T23:59:59.999999Z")
"""The latest instant that can be written, in microseconds since the Unix epoch."""
