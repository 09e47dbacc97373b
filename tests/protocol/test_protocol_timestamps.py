"""Timestamps of the wire profile, against Python's own calendar where that reaches."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.protocol import (
    MAX_TIMESTAMP,
    MIN_TIMESTAMP,
    ContextQuery,
    InvalidMember,
    TimestampError,
    format_timestamp,
    parse_timestamp,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@given(st.datetimes(timezones=st.just(UTC)))
def test_agrees_with_datetime(instant: datetime) -> None:
    microseconds = (instant - EPOCH) // MICROSECOND
    text = instant.replace(tzinfo=None).isoformat() + "Z"
    assert parse_timestamp(text) == microseconds
    assert format_timestamp(microseconds) == text


@given(st.integers(MIN_TIMESTAMP, MAX_TIMESTAMP))
def test_what_is_written_is_read_back(microseconds: int) -> None:
    assert parse_timestamp(format_timestamp(microseconds)) == microseconds


@pytest.mark.parametrize("day", ["01-01", "02-28", "03-01", "12-31"])
def test_every_year_is_written_as_it_is_read(day: str) -> None:
    texts = [f"{year:04d}-{day}T00:00:00Z" for year in range(10_000)]
    assert [format_timestamp(parse_timestamp(text)) for text in texts] == texts


@given(st.integers(MIN_TIMESTAMP, MAX_TIMESTAMP), st.integers(MIN_TIMESTAMP, MAX_TIMESTAMP))
def test_whole_seconds_sort_as_text(one: int, other: int) -> None:
    one, other = one // 1_000_000 * 1_000_000, other // 1_000_000 * 1_000_000
    assert (one < other) == (format_timestamp(one) < format_timestamp(other))


@given(st.integers(0, 999_999), st.text(alphabet="0123456789", max_size=30))
def test_fractions_of_any_length_are_floored(microseconds: int, further_digits: str) -> None:
    whole = parse_timestamp("1969-12-31T23:59:59Z")
    text = f"1969-12-31T23:59:59.{microseconds:06d}{further_digits}Z"
    assert parse_timestamp(text) == whole + microseconds


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2026-03-01T00:00:60.25Z", "2026-03-01T00:01:00.25Z"),
        ("2026-03-01T00:00:00.000000001Z", "2026-03-01T00:00:00Z"),
        ("2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.500000Z"),
    ],
)
def test_two_ways_to_write_one_instant(text: str, same_as: str) -> None:
    assert parse_timestamp(text) == parse_timestamp(same_as)


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("2000-02-29T12:00:00Z", 951_825_600_000_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
        ("0000-12-31T23:59:59Z", -62_135_596_801_000_000),
        ("0000-02-29T00:00:00Z", -62_162_121_600_000_000),
        ("9999-12-31T23:59:60Z", 253_402_300_800_000_000),
    ],
)
def test_known_instants(text: str, microseconds: int) -> None:
    assert parse_timestamp(text) == microseconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-03-01",
        "2026-03-01T00:00:00",
        "2026-03-01T00:00:00z",
        "2026-03-01t00:00:00Z",
        "2026-03-01 00:00:00Z",
        "2026-03-01T00:00:00+00:00",
        "2026-03-01T00:00:00,5Z",
        "2026-03-01T00:00:00.Z",
        "2026-03-01T00:00Z",
        "2026-03-01T00:00:0٠Z",
        "2026-03-01T00:00:00Z\n",
        " 2026-03-01T00:00:00Z",
        "12026-03-01T00:00:00Z",
        "-001-03-01T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2027-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-03-01T24:00:00Z",
        "2026-03-01T00:60:00Z",
        "2026-03-01T00:00:61Z",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(TimestampError):
        parse_timestamp(text)
    with pytest.raises(InvalidMember, match="as_of: expected a UTC timestamp"):
        ContextQuery(goal="g", max_frames=1, max_tokens=1, as_of=text)


@pytest.mark.parametrize("microseconds", [MIN_TIMESTAMP - 1, MAX_TIMESTAMP + 1])
def test_instants_the_profile_cannot_write(microseconds: int) -> None:
    with pytest.raises(TimestampError):
        format_timestamp(microseconds)


def test_a_query_knows_its_instant() -> None:
    query = ContextQuery(goal="g", max_frames=1, max_tokens=1, as_of="1970-01-01T00:00:01.0000019Z")
    assert query.as_of_microseconds == 1_000_001
    assert query.replace(as_of=None).as_of_microseconds is None
