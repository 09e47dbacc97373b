"""Envelopes of every shape: written, read back, linted with the schemas, and damaged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memory_provider.protocol import (
    MAX_BYTES,
    DecodeError,
    EncodeError,
    Envelope,
    Error,
    Shutdown,
    decode,
    encode,
)

from .strategies import any_envelopes, envelopes, json_values, objects_in

DATA = Path(__file__).parents[1] / "data/protocol"
SCHEMA_1_0 = Draft202012Validator(json.loads((DATA / "contextgraph-envelope.v1.schema.json").read_bytes()))
SCHEMA_DRAFT = Draft202012Validator(json.loads((DATA / "contextgraph-envelope.schema.json").read_bytes()))


@given(any_envelopes())
def test_what_is_written_is_read_back(envelope: Envelope) -> None:
    line = encode(envelope)
    assert b"\n" not in line
    assert decode(line) == envelope
    assert decode(line + b"\r\n") == envelope
    assert encode(decode(line)) == line


@given(envelopes(signed=True))
def test_what_is_written_passes_the_strict_schema(envelope: Envelope) -> None:
    SCHEMA_1_0.validate(json.loads(encode(envelope)))


@given(envelopes(signed=False))
def test_what_is_written_unsigned_passes_the_schema_of_the_draft(envelope: Envelope) -> None:
    SCHEMA_DRAFT.validate(json.loads(encode(envelope)))


@given(any_envelopes(), st.data())
def test_unknown_members_anywhere_change_nothing_and_are_kept(
    envelope: Envelope, data: st.DataObject
) -> None:
    plain = json.loads(encode(envelope))
    junk = {"vendor:junk": data.draw(json_values)}
    target = data.draw(st.sampled_from(objects_in(plain)))
    target.update(junk)
    read = decode(json.dumps(plain).encode())
    written = json.loads(encode(read))
    # Identities and verdicts carry nothing that is not theirs; all else comes back.
    if "frame_id" in target or {"frame", "status"} <= target.keys():
        del target["vendor:junk"]
    assert written == plain


def envelope_or_error(line: bytes) -> Envelope | DecodeError:
    try:
        return decode(line)
    except DecodeError as error:
        return error


Damage = Callable[[bytes, st.DataObject], bytes]


def overwrite_a_byte(line: bytes, data: st.DataObject) -> bytes:
    position = data.draw(st.integers(0, len(line) - 1))
    return line[:position] + bytes([data.draw(st.integers(0, 255))]) + line[position + 1 :]


def drop_a_piece(line: bytes, data: st.DataObject) -> bytes:
    start, end = sorted((data.draw(st.integers(0, len(line))), data.draw(st.integers(0, len(line)))))
    return line[:start] + line[end:]


def repeat_a_piece(line: bytes, data: st.DataObject) -> bytes:
    start, end = sorted((data.draw(st.integers(0, len(line))), data.draw(st.integers(0, len(line)))))
    return line[:end] + line[start:end] * data.draw(st.sampled_from([1, 2, 300])) + line[end:]


def replace_a_value(line: bytes, data: st.DataObject) -> bytes:
    plain = json.loads(line)
    target = data.draw(st.sampled_from(objects_in(plain)))
    names = st.sampled_from(sorted(target)) if target else st.just("vendor:x")
    target[data.draw(names)] = data.draw(json_values)
    return json.dumps(plain).encode()


@settings(max_examples=300)
@given(
    any_envelopes(),
    st.sampled_from([overwrite_a_byte, drop_a_piece, repeat_a_piece, replace_a_value]),
    st.data(),
)
def test_whatever_is_damaged_only_a_decode_error_escapes(
    envelope: Envelope, damage: Damage, data: st.DataObject
) -> None:
    outcome = envelope_or_error(damage(encode(envelope), data))
    if isinstance(outcome, DecodeError):
        assert outcome.message.isprintable()
        assert len(outcome.message) <= 400
    else:
        assert decode(encode(outcome)) == outcome


@pytest.mark.parametrize(
    "extra",
    [
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": object()},
        {"a": "\ud83d"},
        {"a": b"bytes"},
        {"a": "k" * MAX_BYTES},
    ],
    ids=["NaN", "infinity", "object", "surrogate", "bytes", "too long"],
)
def test_what_no_peer_could_read_is_not_written(extra: dict[str, Any]) -> None:
    with pytest.raises(EncodeError):
        encode(Shutdown(extra=extra))


def test_a_loop_is_not_written() -> None:
    loop: dict[str, Any] = {}
    loop["again"] = loop
    with pytest.raises(EncodeError):
        encode(Shutdown(extra=loop))


def test_text_is_written_as_utf8_on_one_line() -> None:
    line = encode(Error(message="é 🫖\n\u2028 \0"))
    assert line == '{"type":"error","message":"é 🫖\\n\u2028 \\u0000"}'.encode()
