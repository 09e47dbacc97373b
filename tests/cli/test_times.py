"""Times as people type them: what is read, as which instant, and what is refused with what to type instead."""

from __future__ import annotations

import pytest

from memory_provider.cli.options.times import read, zone_named
from memory_provider.errors import InvalidInput, InvalidInstant

READ = [
    # typed, zone, instant, whether something was filled in
    ("2026", "UTC", "2026-01-01T00:00:00+00:00", True),
    ("2026-04", "UTC", "2026-04-01T00:00:00+00:00", True),
    ("2026-04-01", "UTC", "2026-04-01T00:00:00+00:00", True),
    ("2026-04-01", "Europe/Paris", "2026-03-31T22:00:00+00:00", True),
    ("2026-04-01 12:30", "UTC", "2026-04-01T12:30:00+00:00", True),
    ("2026-04-01 9:05", "UTC", "2026-04-01T09:05:00+00:00", True),
    ("2026-04-01 12:30", "Asia/Kolkata", "2026-04-01T07:00:00+00:00", True),
    ("2026-04-01T12:30", "America/New_York", "2026-04-01T16:30:00+00:00", True),
    ("2026-04-01 12:30 +02:00", "America/New_York", "2026-04-01T10:30:00+00:00", False),
    ("2026-04-01T12:30+0530", "UTC", "2026-04-01T07:00:00+00:00", False),
    ("2026-04-01T12:30:15.123456Z", "Europe/Paris", "2026-04-01T12:30:15.123456+00:00", False),
    ("2026-04-01t12:30z", "UTC", "2026-04-01T12:30:00+00:00", False),
    ("1 April 2026", "UTC", "2026-04-01T00:00:00+00:00", True),
    ("April 1, 2026", "UTC", "2026-04-01T00:00:00+00:00", True),
    ("31 Mar 2026", "UTC", "2026-03-31T00:00:00+00:00", True),
    ("Sept 2026", "UTC", "2026-09-01T00:00:00+00:00", True),
    ("may 2026", "UTC", "2026-05-01T00:00:00+00:00", True),
    ("1 April 2026 12:30+02:00", "UTC", "2026-04-01T10:30:00+00:00", False),
    ("  2026-04-01   12:30 ", "UTC", "2026-04-01T12:30:00+00:00", True),
    ("2024-02-29", "UTC", "2024-02-29T00:00:00+00:00", True),
    ("0001-01-01", "UTC", "0001-01-01T00:00:00+00:00", True),
    ("9999-12-31 23:59:59.999999", "UTC", "9999-12-31T23:59:59.999999+00:00", True),
    ("2026-10-25 02:30+01:00", "Europe/Paris", "2026-10-25T01:30:00+00:00", False),
    ("2026-03-29 03:00", "Europe/Paris", "2026-03-29T01:00:00+00:00", True),
]

REFUSED = [
    ("last tuesday", "relative"),
    ("tomorrow", "relative"),
    ("now", "relative"),
    ("tuesday", "relative"),
    ("april", "no year"),
    ("1 April", "no year"),
    ("04/05/2026", "day or the month first"),
    ("4.5.2026", "day or the month first"),
    ("2026/04/05", "day or the month first"),
    ("20260401", "only digits"),
    ("1775001600", "only digits"),
    ("26-04-01", "not a time"),
    ("2026-4-1", "not a time"),
    ("2026-W14", "not a time"),
    ("12:30", "not a time"),
    ("", "not a time"),
    ("2026-04 12:30", "no day"),
    ("2026-04-01 12", "hour without minutes"),
    ("2026-04-01 3:30 pm", "24 hours"),
    ("2026-04-01 12:30 CET", "offset or --tz"),
    ("2026-02-30", "not a date that exists"),
    ("2026-13", "not a date that exists"),
    ("2023-02-29", "not a date that exists"),
    ("32 April 2026", "not a date that exists"),
    ("0000-01-01", "not a date that exists"),
    ("2026-04-01 25:00", "not a date that exists"),
    ("2026-04-01 24:00", "00:00 of the next day"),
    ("2026-04-01T12:30+25:00", "not a date that exists"),
    ("2026-04-01 12:30:60Z", "second 60"),
    ("2026-04-01T00:00:00.1234567Z", "finer than a microsecond"),
    ("1 Foo 2026", "month"),
    ("Tue 2026", "month"),
    ("1 marble 2026", "month"),
    ("0001-01-01T00:00:00+05:00", "years 1 to 9999"),
    ("9999-12-31T23:59:59-01:00", "years 1 to 9999"),
    ("२०२६-०४-०१", "not a time"),
]


@pytest.mark.parametrize(("typed", "zone", "instant", "assumed"), READ)
def test_what_is_read(typed: str, zone: str, instant: str, assumed: bool) -> None:
    reading = read(typed, zone_named(zone))
    assert (reading.instant.isoformat(), reading.assumed) == (instant, assumed)


@pytest.mark.parametrize(("typed", "why"), REFUSED)
def test_what_is_refused(typed: str, why: str) -> None:
    with pytest.raises(InvalidInstant) as refused:
        read(typed)
    message = str(refused.value)
    assert repr(typed) in message
    assert why in message


def test_a_time_that_happens_twice() -> None:
    with pytest.raises(InvalidInstant) as refused:
        read("2026-10-25 02:30", zone_named("Europe/Paris"))
    assert "twice" in str(refused.value)
    assert "2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00" in str(refused.value)


def test_a_time_that_never_happens() -> None:
    with pytest.raises(InvalidInstant) as refused:
        read("2026-03-29 02:30", zone_named("Europe/Paris"))
    assert "does not exist" in str(refused.value)
    assert "write 2026-03-29T03:30:00+02:00" in str(refused.value)


def test_a_day_whose_midnight_never_happens() -> None:
    with pytest.raises(InvalidInstant) as refused:
        read("2018-11-04", zone_named("America/Sao_Paulo"))
    assert "write 2018-11-04T01:00:00-02:00" in str(refused.value)


@pytest.mark.parametrize(
    "name", ["Mars/Phobos", "../etc/passwd", "/etc/localtime", "", "CEST", "+02:00", "x\0y"]
)
def test_what_is_no_zone(name: str) -> None:
    with pytest.raises(InvalidInput, match="IANA"):
        zone_named(name)


def test_what_to_type_can_be_typed() -> None:
    """Every time an error message proposes is one that is read."""
    for typed in ("2026-04-01", "2026-04-01 12:30", "2026-04-01T12:30:00+02:00", "2026-10-25T02:30:00+02:00"):
        read(typed, zone_named("Europe/Paris"))
