"""Instants are exact to the microsecond from year 1 to year 9999, or refused."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_provider.temporal.errors import InvalidInput, InvalidInstant
from memory_provider.temporal.instants import (
    FIRST,
    LAST,
    OPEN,
    PAST,
    from_datetime,
    is_midnight,
    now,
    parse,
    to_datetime,
    to_instant,
    to_text,
)

SECOND = 1_000_000
HOUR = 3_600 * SECOND
EARLIEST, LATEST = datetime.min, datetime.max  # noqa: DTZ901 - clock faces, to be given a zone

instants = st.integers(FIRST, LAST) | st.sampled_from([FIRST, FIRST + 1, -1, 0, 1, LAST - 1, LAST])
offsets = st.integers(-(24 * HOUR - 1), 24 * HOUR - 1).map(lambda us: timezone(timedelta(microseconds=us)))
minutes = st.integers(-(24 * 60 - 1), 24 * 60 - 1)


def counted(clock: datetime) -> int:
    """What a clock face shows, counted in microseconds by whole numbers, whatever its zone."""
    days = clock.toordinal() - date(1970, 1, 1).toordinal()
    seconds = ((days * 24 + clock.hour) * 60 + clock.minute) * 60 + clock.second
    return seconds * SECOND + clock.microsecond


def zone_text(shift: int, colon: str) -> str:
    return f"{'-' if shift < 0 else '+'}{abs(shift) // 60:02d}{colon}{abs(shift) % 60:02d}"


# --- there and back ---------------------------------------------------------------------------------------


@given(instants)
def test_text_names_its_instant(instant: int) -> None:
    assert parse(to_text(instant)) == instant


@given(instants)
def test_text_is_what_datetime_says_without_idle_zeros(instant: int) -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=instant)
    whole, _, fraction = moment.replace(tzinfo=None).isoformat(timespec="microseconds").partition(".")
    fraction = re.sub("0+$", "", fraction)
    assert to_text(instant) == (f"{whole}.{fraction}Z" if fraction else f"{whole}Z")
    assert datetime.fromisoformat(to_text(instant)) == moment


@given(instants, instants)
def test_texts_of_whole_seconds_sort_as_their_instants(one: int, other: int) -> None:
    one, other = (each - each % SECOND for each in (one, other))
    assert (to_text(one) < to_text(other)) == (one < other)


@given(instants)
def test_datetime_and_back(instant: int) -> None:
    moment = to_datetime(instant)
    assert moment.utcoffset() == timedelta(0)
    assert counted(moment) == instant
    assert from_datetime(moment) == instant == to_instant(moment) == to_instant(to_text(instant))


@given(st.integers(FIRST, LAST - 1))
def test_no_microsecond_is_lost(instant: int) -> None:
    assert from_datetime(to_datetime(instant + 1)) - from_datetime(to_datetime(instant)) == 1
    assert parse(to_text(instant + 1)) - parse(to_text(instant)) == 1


@given(instants)
def test_midnight_is_when_a_date_says_it_all(instant: int) -> None:
    assert is_midnight(instant) == to_text(instant).endswith("T00:00:00Z")


def test_the_ends_of_the_calendar_and_beyond() -> None:
    assert PAST < FIRST < 0 < LAST < OPEN
    assert to_text(FIRST) == "0001-01-01T00:00:00Z"
    assert to_text(LAST) == "9999-12-31T23:59:59.999999Z"
    assert to_text(0) == "1970-01-01T00:00:00Z"


def test_now_is_the_wall_clock() -> None:
    before = counted(datetime.now(UTC))
    assert before <= now() <= counted(datetime.now(UTC)) + SECOND


# --- datetimes --------------------------------------------------------------------------------------------


@given(st.datetimes(), offsets)
@example(EARLIEST, timezone(timedelta(microseconds=1)))
@example(EARLIEST, UTC)
@example(EARLIEST, timezone(-timedelta(hours=23)))
@example(LATEST, timezone(-timedelta(microseconds=1)))
@example(LATEST, UTC)
@example(LATEST, timezone(timedelta(hours=23)))
def test_an_offset_is_taken_off_or_leads_out_of_the_calendar(clock: datetime, zone: timezone) -> None:
    moment = clock.replace(tzinfo=zone)
    expected = counted(clock) - zone.utcoffset(None) // timedelta(microseconds=1)
    if FIRST <= expected <= LAST:
        assert from_datetime(moment) == to_instant(moment) == expected
    else:
        with pytest.raises(InvalidInstant, match="outside years 1 to 9999"):
            from_datetime(moment)


class Repeated(tzinfo):
    """A zone whose clocks show every hour twice, first in summer time and then in winter time."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=1 if moment is not None and moment.fold else 2)

    def dst(self, moment: datetime | None) -> timedelta:
        return self.utcoffset(moment) - timedelta(hours=1)


@given(st.datetimes(min_value=EARLIEST + timedelta(days=1)))
def test_the_hour_that_comes_twice_is_two_instants(clock: datetime) -> None:
    first, second = (from_datetime(clock.replace(tzinfo=Repeated(), fold=fold)) for fold in (0, 1))
    assert first == counted(clock) - 2 * HOUR
    assert second - first == HOUR


@given(st.datetimes())
def test_a_datetime_without_a_zone_is_refused(clock: datetime) -> None:
    with pytest.raises(InvalidInstant, match="no time zone") as refused:
        from_datetime(clock)
    assert clock.isoformat() in str(refused.value)


# --- texts ------------------------------------------------------------------------------------------------


@given(st.datetimes(), minutes, st.sampled_from("Tt "), st.sampled_from([":", ""]), st.integers(0, 6))
@example(EARLIEST, 1, "T", ":", 6)
@example(EARLIEST, -1, "T", ":", 6)
@example(LATEST, 1, "T", ":", 6)
@example(LATEST, -1, "T", ":", 6)
def test_a_text_is_read_as_datetime_reads_it(
    clock: datetime, shift: int, between: str, colon: str, digits: int
) -> None:
    whole, fraction = clock.isoformat(between, "microseconds").split(".")
    text = whole + ("." + fraction[:digits] if digits else "") + zone_text(shift, colon)
    kept = datetime.fromisoformat(text)
    expected = counted(kept) - shift * 60 * SECOND
    if FIRST <= expected <= LAST:
        assert parse(text) == to_instant(text) == expected
    else:
        with pytest.raises(InvalidInstant, match="outside years 1 to 9999"):
            parse(text)


@given(
    st.from_regex(
        r"\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-6]\d(:[0-6]\d(\.\d{1,7})?)?(Z|[+-][0-2]\d:?[0-6]\d)?\n?"
    )
)
def test_whatever_looks_like_an_instant_is_read_rightly_or_refused(text: str) -> None:
    try:
        instant = parse(text)
    except InvalidInstant:
        return
    moment = datetime.fromisoformat(text)
    assert instant == counted(moment) - moment.utcoffset() // timedelta(microseconds=1)


@given(st.text())
def test_no_text_raises_anything_else(text: str) -> None:
    with pytest.raises(InvalidInstant):
        parse(text)


ACCEPTED = {
    "1970-01-01T00:00Z": 0,
    "1970-01-01t00:00:00z": 0,
    "1970-01-01 00:00:01.5Z": 1_500_000,
    "1970-01-01T00:00:00.000001Z": 1,
    "1969-12-31T23:59:59.999999Z": -1,
    "1970-01-01T01:00:00+01:00": 0,
    "1969-12-31T22:30:00-0130": 0,
    "1970-01-01T00:00:00-00:00": 0,
    "1970-01-01T23:59:00+23:59": 0,
    "2000-02-29T00:00:00Z": 951_782_400_000_000,
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert parse(text) == ACCEPTED[text]


REFUSED = {
    "": "is not an instant",
    "yesterday": "is not an instant",
    "2026-04-01": "is not an instant",
    "2026-04-01Z": "is not an instant",
    "20260401T000000Z": "is not an instant",
    "2026-W14-3T00:00:00Z": "is not an instant",
    "2026-4-1T00:00:00Z": "is not an instant",
    "+2026-04-01T00:00:00Z": "is not an instant",
    "-0001-04-01T00:00:00Z": "is not an instant",
    "12026-04-01T00:00:00Z": "is not an instant",
    " 2026-04-01T00:00:00Z": "is not an instant",
    "2026-04-01T00:00:00Z\n": "is not an instant",
    "2026-04-01T00:00:00 Z": "is not an instant",
    "2026-04-01T00:00:00.Z": "is not an instant",
    "2026-04-01T00:00:00,5Z": "is not an instant",
    "2026-04-01T00:00:00+02": "is not an instant",
    "2026-04-01T00:00:00+02:00:00": "is not an instant",
    "2026-04-01T00:00:00 CET": "is not an instant",
    "٢٠٢٦-04-01T00:00:00Z": "is not an instant",
    "2026-04-01T00:00:00": "has no offset",
    "2026-04-01T00:00": "has no offset",
    "2026-04-01T00:00:00.1234567Z": "finer than a microsecond",
    "2026-04-01T00:00:00.0000000Z": "finer than a microsecond",
    "2016-12-31T23:59:60Z": "second 60",
    "2026-04-01T00:00:61Z": "not a date that exists",
    "2026-04-01T24:00:00Z": "not a date that exists",
    "2026-04-01T00:60:00Z": "not a date that exists",
    "2026-02-29T00:00:00Z": "not a date that exists",
    "2026-04-31T00:00:00Z": "not a date that exists",
    "2026-13-01T00:00:00Z": "not a date that exists",
    "2026-00-01T00:00:00Z": "not a date that exists",
    "2026-04-00T00:00:00Z": "not a date that exists",
    "0000-01-01T00:00:00Z": "not a date that exists",
    "2026-04-01T00:00:00+24:00": "offset that does not exist",
    "2026-04-01T00:00:00-01:60": "offset that does not exist",
    "0001-01-01T00:00:00+00:01": "outside years 1 to 9999",
    "9999-12-31T23:59:59.999999-00:01": "outside years 1 to 9999",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(InvalidInstant, match=REFUSED[text]) as refused:
        parse(text)
    assert repr(text) in str(refused.value)
    assert isinstance(refused.value, InvalidInput)


@pytest.mark.parametrize(
    "value", [None, 0, 1.5, True, date(2026, 4, 1), b"2026-04-01T00:00:00Z", timedelta(1)]
)
def test_only_datetimes_and_texts_are_instants(value: object) -> None:
    with pytest.raises(InvalidInstant, match="is not an instant") as refused:
        to_instant(value)
    assert repr(value) in str(refused.value)
