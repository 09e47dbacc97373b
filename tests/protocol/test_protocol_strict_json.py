"""The JSON reader: what it refuses, and that its measure of depth agrees with a slow and obvious one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.protocol import MAX_BYTES, MAX_DEPTH, DecodeError
from memory_provider.protocol.strict_json import is_deeper, parse_json


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"", "not JSON"),
        (b"\n", "not JSON"),
        (b"{", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"[1,]", "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b"[01]", "not JSON"),
        (b"[.5]", "not JSON"),
        (b"[+1]", "not JSON"),
        (b'["\x00"]', "not JSON: invalid control character"),
        (b'["\t"]', "not JSON: invalid control character"),
        (b'["\\x41"]', "not JSON"),
        (b'["\\u00g1"]', "not JSON"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'["\xff"]', "not UTF-8: invalid start byte at byte 2"),
        (b'["\xed\xa0\x80"]', "not UTF-8"),
        (b'["\xc0\x80"]', "not UTF-8"),
        ('["é"]'.encode("utf-16"), "not"),
        (b"[NaN]", "NaN is no number"),
        (b"[-Infinity]", "-Infinity is no number"),
        (b"[1e999]", "out of range"),
        (b"[-1e999]", "out of range"),
        (b"[1" + b"0" * 309 + b"]", "a number of 310 digits is out of range"),
        (b"[-" + b"9" * 100_000 + b"]", "out of range"),
        (b'["\\ud83d"]', "surrogate"),
        (b'["\\uDED6\\uD83E"]', "surrogate"),
        (b'{"\\ud83d":1}', "surrogate"),
        (b'{"a":1,"a":1}', "the member 'a' is given twice"),
        (b'{"a":1,"\\u0061":1}', "the member 'a' is given twice"),
        (b'{"x":[{"b":1,"a":{"c":1,"c":2}}]}', "the member 'c' is given twice"),
    ],
)
def test_refused(text: bytes, complaint: str) -> None:
    with pytest.raises(DecodeError, match=complaint) as caught:
        parse_json(text)
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b' {"a" : [1, -2.5e-3, true, null]}\r\n', {"a": [1, -2.5e-3, True, None]}),
        ('["\\ud83e\\uded6 é 🫖"]'.encode(), ["🫖 é 🫖"]),
        (b'["\\\\ud83d"]', ["\\ud83d"]),
        (b'["\\u0000"]', ["\0"]),
        (b"[18446744073709551616]", [2**64]),
        (b'{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}', {"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 1}]}),
    ],
)
def test_read(text: bytes, value: Any) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_the_deepest_nesting_that_is_read(opening: bytes, closing: bytes) -> None:
    parse_json(opening * MAX_DEPTH + b"0" + closing * MAX_DEPTH)
    with pytest.raises(DecodeError, match="deeper than 128 levels"):
        parse_json(opening * (MAX_DEPTH + 1) + b"0" + closing * (MAX_DEPTH + 1))


def test_brackets_inside_strings_are_not_nesting() -> None:
    assert parse_json(b'["' + b"[{" * 1000 + b'"]') == ["[{" * 1000]
    assert parse_json(b'["\\"' + b"[{" * 1000 + b'"]') == ['"' + "[{" * 1000]


def test_the_longest_message_that_is_read() -> None:
    longest = b'"' + b"k" * (MAX_BYTES - 2) + b'"'
    assert len(parse_json(longest)) == MAX_BYTES - 2
    with pytest.raises(DecodeError, match="longer than the limit"):
        parse_json(longest + b" ")


@pytest.mark.parametrize(
    "flood",
    [b"[", b'{"a":', b'"', b'\\"', b'["', b'"["[', b"[]", b"9", b"\\", b"[{}", b'{"":[""'],
    ids=repr,
)
def test_a_flood_is_refused(flood: bytes) -> None:
    with pytest.raises(DecodeError):
        parse_json(flood * (2_000_000 // len(flood)))


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0


TEXTS = st.text(alphabet='"\\[]{}:,ab\n\u2028é') | st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=30,
)


@given(JSON, st.booleans(), st.integers(0, 8))
def test_depth_agrees_with_a_walk_over_the_value(value: Any, ascii_only: bool, limit: int) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert is_deeper(text, limit) == (depth_of(value) > limit)
    # Many brackets beside it, so that counting them cannot be what answers.
    padded = b"[" + b"[]," * 20 + text + b"]"
    assert is_deeper(padded, limit + 2) == (depth_of(value) > limit + 1)


@given(JSON, st.booleans())
def test_reads_what_json_writes(value: Any, ascii_only: bool) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary() | st.text(alphabet='{}[]",:\\u0123d8ef.-+eE \ntrufalsn').map(str.encode))
def test_whatever_the_bytes_only_a_decode_error_escapes(data: bytes) -> None:
    try:
        value = parse_json(data)
    except DecodeError:
        return
    assert value == json.loads(data.decode())
