"""Canonical JSON and the hash of records, held against the upstream vectors and the tables of RFC 8785."""

import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.protocol.lifecycle import hashing as record_hashing
from memory_provider.protocol.lifecycle.hashing import CanonicalizationError, canonical_json, record_hash
from memory_provider.protocol.strict_json import parse_json

from .record_cases import FIXTURES, KINDS, fixture

VECTORS = json.loads((FIXTURES / "normalization-vectors.json").read_bytes())["vectors"]

# Appendix B of RFC 8785: the bits of a double, and how it is written.
DOUBLES = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333",
    "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}

plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda items: st.lists(items) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), items),
    max_leaves=12,
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_vectors_of_normalization(vector: Any) -> None:
    data = canonical_json(parse_json(vector["input_json"].encode()))
    assert data.decode() == vector["expected_jcs_utf8"]
    assert record_hashing.digest(data) == vector["sha256"]


@pytest.mark.parametrize(("bits", "written"), DOUBLES.items())
def test_doubles_are_written_as_the_rfc_lists_them(bits: str, written: str) -> None:
    double = struct.unpack(">d", bytes.fromhex(bits))[0]
    assert canonical_json(double).decode() == written


def test_names_are_in_the_order_of_utf_16() -> None:
    # By code point U+10000 comes after U+FFFF; by UTF-16 code unit its first half, D800, comes before.
    assert canonical_json({"\uffff": 1, "\U00010000": 2}).decode() == '{"\U00010000":2,"\uffff":1}'


@pytest.mark.parametrize("kind", KINDS)
def test_the_hash_of_every_fixture(kind: str) -> None:
    record = fixture(kind)
    assert record_hash(record) == record["record_hash"]


def test_the_record_s_own_hash_is_left_out_and_no_other() -> None:
    record = fixture("knowledge")
    right = record_hash(record)
    for other in ("sha256:" + "0" * 64, "nonsense", None):
        assert record_hash({**record, "record_hash": other}) == right
    del record["record_hash"]
    assert record_hash(record) == right
    assert record_hashing.hashed(record)["record_hash"] == right
    nested = {**record, "extensions": {"acme:seen": {"record_hash": right}}}
    moved = {**record, "extensions": {"acme:seen": {"record_hash": "sha256:" + "0" * 64}}}
    assert len({right, record_hash(nested), record_hash(moved)}) == 3


def test_unknown_members_count() -> None:
    record = fixture("memory")
    assert record_hash({**record, "mood": "good"}) != record_hash(record)


def test_a_number_counts_as_the_double_it_is() -> None:
    assert record_hash({"confidence": 1}) == record_hash({"confidence": 1.0})
    assert record_hash({"salience": -0.0}) == record_hash({"salience": 0})


@pytest.mark.parametrize("integer", [2**53, -(2**53), 10**20, 295147905179352830000])
def test_a_large_integer_is_taken_in_the_form_of_its_double(integer: int) -> None:
    assert canonical_json({"n": integer}) == canonical_json({"n": float(integer)}) == b'{"n":%d}' % integer


@pytest.mark.parametrize("integer", [2**53 + 1, 2**63, -(2**63), 10**21, 295147905179352825856, 10**400])
def test_a_large_integer_in_any_other_form_is_refused(integer: int) -> None:
    with pytest.raises(CanonicalizationError, match="write it as a text") as refused:
        canonical_json({"extensions": {"acme:n": [integer]}})
    assert refused.value.code == "invalid_record"


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, float("nan"), float("inf"), b"bytes", {1: 2}])
def test_what_strict_json_cannot_say_is_refused(value: Any) -> None:
    with pytest.raises(CanonicalizationError):
        canonical_json([value])


@given(plain_json)
def test_canonical_json_is_its_own_canonical_form(value: Any) -> None:
    data = canonical_json(value)
    assert canonical_json(parse_json(data)) == data


@given(
    st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])) | st.just("record_hash"), plain_json)
)
def test_both_at_once_are_the_same_as_each(record: Any) -> None:
    assert record_hashing.canonical_and_hash(record) == (canonical_json(record), record_hash(record))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_survives_being_written_and_read(double: float) -> None:
    data = canonical_json(double)
    assert float(parse_json(data)) == double
    assert canonical_json(parse_json(data)) == data
