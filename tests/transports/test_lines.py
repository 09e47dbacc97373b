"""Cutting a stream into lines."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory_provider.transports.lines import TOO_LONG, Line, LineSplitter

LIMIT = 8


def split(*chunks: bytes, limit: int = LIMIT) -> list[Line]:
    splitter = LineSplitter(limit)
    return [line for chunk in chunks for line in splitter.feed(chunk)] + list(splitter.end())


def test_line_ends_are_taken_off_and_blank_lines_left_out() -> None:
    assert split(b"a\nb\r\n\n \t\r\n\r\nc") == [b"a", b"b", b"c"]
    assert split(b"a\r\rb\n") == [b"a\r\rb"]
    assert split() == []


def test_a_long_line_is_reported_as_soon_as_it_is_known_to_be_long() -> None:
    splitter = LineSplitter(LIMIT)
    assert list(splitter.feed(b"12345678")) == []
    assert list(splitter.feed(b"\r")) == []
    assert list(splitter.feed(b"x")) == [TOO_LONG]
    assert list(splitter.feed(b"yz" * 1000)) == []
    assert list(splitter.feed(b"end\nnext\n")) == [b"next"]


def test_the_limit_is_of_the_line_without_its_end() -> None:
    assert split(b"12345678\n") == [b"12345678"]
    assert split(b"12345678\r\n") == [b"12345678"]
    assert split(b"123456789\n") == [TOO_LONG]
    assert split(b"123456789\r\n") == [TOO_LONG]
    assert split(b"123456789") == [TOO_LONG]
    assert split(b"1234567890\nok") == [TOO_LONG, b"ok"]


@given(
    st.lists(st.sampled_from([b"", b" ", b"a", b"12345678", b"123456789", b"x" * 40, b"\rz"]), max_size=12),
    st.sampled_from([b"\n", b"\r\n"]),
    st.lists(st.integers(0, 200), max_size=20),
)
def test_it_does_not_matter_how_the_stream_is_cut(lines: list[bytes], end: bytes, cuts: list[int]) -> None:
    stream = b"".join(line + end for line in lines)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[start:stop] for start, stop in pairwise(places)]
    expected = [TOO_LONG if len(line) > LIMIT else line for line in lines if line.strip(b" \t\r")]
    assert split(*chunks) == expected


@given(st.lists(st.binary(max_size=60), max_size=30))
def test_no_more_than_one_line_is_held(chunks: list[bytes]) -> None:
    splitter = LineSplitter(LIMIT)
    for chunk in chunks:
        list(splitter.feed(chunk))
        held = sum(map(len, splitter._parts))
        assert held <= LIMIT + 1
