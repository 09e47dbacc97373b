"""Times as people type them: `2026`, `2026-04`, `2026-04-01 12:30`, `1 April 2026`, with or without an offset.

What can be read in two ways is refused, with what to type instead; nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ...errors import InvalidInput, InvalidInstant

_TIME = r"(?P<time>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)[ ]?(?P<offset>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?"
_ISO = re.compile(rf"(?P<day>[0-9]{{4}}(?:-[0-9]{{2}}(?:-[0-9]{{2}})?)?)(?:[Tt ]{_TIME})?")
_NAMED = re.compile(
    rf"(?P<day>(?:[0-9]{{1,2}} [A-Za-z]{{3,9}}|[A-Za-z]{{3,9}}(?: [0-9]{{1,2}},?)?) [0-9]{{4}})(?:,? {_TIME})?"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_SLASHED = re.compile(r"([0-9]{1,4})[/.]([0-9]{1,2})[/.]([0-9]{1,4})\b.*")
_FIRST_OF_MONTH = datetime(2000, 1, 1)  # noqa: DTZ001 - fills in the day and the time that were left out
_HOW = "write a date such as 2026-04-01, or 2026-04-01 12:30, or with an offset 2026-04-01T12:30:00+02:00"


@dataclass(frozen=True, slots=True)
class Zone:
    """The time zone that times without an offset are taken in."""

    name: str
    rules: tzinfo


@dataclass(frozen=True, slots=True)
class Reading:
    """An instant as it was understood."""

    text: str
    instant: datetime
    """Aware, UTC."""
    assumed: bool
    """Whether a time or an offset was filled in."""


UTC_ZONE = Zone("UTC", UTC)


def zone_named(name: str) -> Zone:
    """A time zone by its IANA name. Raises `InvalidInput` for another."""
    if name.upper() in ("UTC", "Z"):
        return UTC_ZONE
    try:
        return Zone(name, ZoneInfo(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            f"{name!r} is no time zone known here; write an IANA name such as Europe/Paris, or UTC"
        ) from None


def read(text: str, zone: Zone = UTC_ZONE) -> Reading:
    """The instant a text names; without a time it is the first moment of the day, month or year.

    Raises `InvalidInstant` saying what to type.
    """
    typed = " ".join(text.split())
    match = _ISO.fullmatch(typed) or _NAMED.fullmatch(typed)
    if match is None or (match["time"] and re.fullmatch(r"[0-9]{4}(?:-[0-9]{2})?", match["day"])):
        raise InvalidInstant(f"{text!r} {_why_not(typed)}; {_HOW}")
    local = _local(text, match)
    if match["offset"]:
        return Reading(text, _in_calendar(text, local), False)
    if local.tzinfo is not None:
        raise InvalidInstant(f"{text!r} cannot be read; {_HOW}")
    return Reading(text, _in_calendar(text, _in_zone(text, local, zone)), True)


def _local(text: str, match: re.Match[str]) -> datetime:
    from dateutil import parser

    day, time, offset = match["day"], match["time"], match["offset"] or ""
    name = re.search(r"[A-Za-z]+", day)
    if name and not any(name[0].lower() == each or _long(name[0], each) for each in _MONTHS):
        raise InvalidInstant(f"{text!r}: {name[0]!r} is not the English name of a month; {_HOW}")
    if time and time.count(":") == 2 and time.split(":")[2].startswith("60"):
        raise InvalidInstant(
            f"{text!r} names second 60, which this clock does not have; give the second after it"
        )
    if time and len(time.partition(".")[2]) > 6:
        raise InvalidInstant(f"{text!r} is finer than a microsecond; give at most six fractional digits")
    if time and time.startswith("24"):
        raise InvalidInstant(f"{text!r} names hour 24; write 00:00 of the next day")
    try:
        if not name:
            clock = f"T{time.rjust(len(time) + (time[1] == ':'), '0')}{offset.upper()}" if time else ""
            return parser.isoparse(day + clock)
        return parser.parse(f"{day} {time or ''}{offset}".strip(), default=_FIRST_OF_MONTH, dayfirst=False)
    except (ValueError, OverflowError):
        raise InvalidInstant(f"{text!r} is not a date that exists; {_HOW}") from None


def _long(word: str, month: str) -> bool:
    import calendar

    names = {each.lower() for each in calendar.month_name[1:]} | {"sept"}
    return word.lower() in names and word.lower().startswith(month)


def _in_zone(text: str, local: datetime, zone: Zone) -> datetime:
    first, second = (local.replace(tzinfo=zone.rules, fold=fold) for fold in (0, 1))
    before, after = first.utcoffset(), second.utcoffset()
    assert before is not None
    assert after is not None
    if before > after:
        raise InvalidInstant(
            f"{text!r} happens twice in {zone.name}, where the clock goes back then; "
            f"write {first.isoformat()} or {second.isoformat()}"
        )
    if before < after:
        later = first.astimezone(UTC).astimezone(zone.rules)
        raise InvalidInstant(
            f"{text!r} does not exist in {zone.name}, where the clock is put forward then; write {later.isoformat()}"
        )
    return first


def _in_calendar(text: str, moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInstant(f"{text!r} lies outside years 1 to 9999 in UTC") from None


def _why_not(typed: str) -> str:
    if _SLASHED.fullmatch(typed):
        return "could be read with the day or the month first"
    if re.search(r"[A-Za-z]{3,}", typed) and not re.search(r"[0-9]{4}", typed):
        return "is relative or has no year, and is not guessed"
    if re.search(r"[0-9] ?[ap]\.?m\b", typed, re.IGNORECASE):
        return "has a twelve-hour clock; use 24 hours"
    if re.search(r":[0-9]{2} ?[A-Za-z]{2,}", typed):
        return "has a time zone by name, which may mean several; use an offset or --tz"
    if re.fullmatch(r"[0-9]{4}(?:-[0-9]{2})?[Tt ][0-9]{1,2}:.*", typed):
        return "has a time but no day"
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?[Tt ][0-9]{1,2}", typed):
        return "has an hour without minutes"
    if re.fullmatch(r"[0-9]+", typed):
        return "is only digits, which can be read in several ways"
    return "is not a time"
