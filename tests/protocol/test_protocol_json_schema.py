"""The JSON Schema that Pydantic makes of the wire types, beside the decoder and beside the protocol's own schema.

Three judges of one message: the decoder, which is what counts; `made`, the schema made here; `strict`, the
protocol's schema for authors, which is no interop contract. Wherever the decoder and `strict` agree, `made` agrees
with both. Every message on which any two differ stands below under the reason why.
"""

import json
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from memory_provider.protocol import DecodeError, Envelope, decode, encode
from memory_provider.protocol.envelopes import ENVELOPES

from .cases import CASES, DATA, raw
from .strategies import any_envelopes

ADAPTER: TypeAdapter[Envelope] = TypeAdapter(Envelope)
MADE = Draft202012Validator(ADAPTER.json_schema())
STRICT = Draft202012Validator(json.loads((DATA / "contextgraph-envelope.v1.schema.json").read_bytes()))
EXAMPLES = (DATA.parents[1] / "protocol/examples/reference-vectors.ndjson").read_bytes().splitlines()

# The decoder and `made` read what `strict` refuses.
BEYOND_STRICT = {
    # A receiver must take members that it does not know (U1).
    "handshake unknown member",
    "nesting at 100 levels in an unknown member",
    "shutdown with extra member",
    "verify with id",
    "verify with body",
    "verified with body",
    "frame unknown members",
    # An optional member that is null is an absent one.
    "id null",
    # An empty id is a text, and is echoed.
    "id empty string",
    # Kinds are open since 1.0 (U2).
    "frame kind breaking the fence",
    # Rules that are the provider's to keep and the host's to report: one frame against them spoils no message.
    "frame valid_from offset",
    "frame recorded_at date",
    "frame full without content",
    "frame compact without canonical_content_hash",
    "frame compact without content_ref",
    "frame reference with empty content",
}
# The decoder and `made` refuse what `strict` accepts.
WITHIN_STRICT = {
    "as_of arabic digits",  # `\d` of the strict pattern is more than 0 to 9
    "ack blank name",  # a name of spaces is blank (H2)
}
# The decoder refuses what both schemas accept, because JSON Schema has no words for it.
NOT_FOR_A_SCHEMA = {
    "max_tokens float",  # to JSON Schema 600.0 is an integer
    "as_of month 13",  # a pattern knows no calendar
    "as_of 30 February",
    "as_of 29 February off year",
    "as_of second 61",
    "ack scope lie",  # a rule between two members (C5), which `strict` leaves out, too
}
# The decoder refuses the text of the message; a schema sees the value that a careless reader makes of it.
NOT_IN_THE_VALUE = {
    "BOM before the object",
    "lone surrogate escape",
    "NaN literal",
    "Infinity literal",
    "frame score NaN",
}
# The same, but `strict` refuses the value, too: for its unknown member.
TEXT_AND_VALUE = {"duplicate type member"}

# `validate_json` reads with Pydantic's own JSON reader, which looks at the text less strictly than ours.
READ_BY_PYDANTIC_ALONE = {
    "duplicate type member",  # the last one wins
    "one line of 17 MiB",  # no limit of size
}


def is_decoded(data: bytes) -> bool:
    try:
        decode(data)
    except DecodeError:
        return False
    return True


def is_validated_json(data: bytes) -> bool:
    try:
        ADAPTER.validate_json(data)
    except ValidationError:
        return False
    return True


def is_validated(value: Any) -> bool:
    try:
        ADAPTER.validate_python(value)
    except ValidationError:
        return False
    return True


def is_value(case: dict[str, Any]) -> bool:
    """Whether the message is JSON at all, to the standard library's reader, and of a size to be shown a schema."""
    data = raw(case)
    try:
        return len(data) < 1_000_000 and json.loads(data) is not ...
    except (ValueError, RecursionError):
        return False


WITH_VALUE = [case for case in CASES if is_value(case)]


def test_it_is_a_schema_discriminated_by_type() -> None:
    Draft202012Validator.check_schema(MADE.schema)
    schema = ADAPTER.json_schema()
    mapping = schema["discriminator"]["mapping"]
    assert schema["discriminator"]["propertyName"] == "type"
    assert len(mapping) == len(schema["oneOf"]) == len(ENVELOPES)
    for name, reference in mapping.items():
        definition = schema["$defs"][reference.removeprefix("#/$defs/")]
        assert definition["properties"]["type"]["const"] == name
        assert "type" in definition["required"]
        assert definition["description"]
    assert ADAPTER.json_schema(mode="serialization") == schema


@pytest.mark.parametrize("case", WITH_VALUE, ids=lambda case: case["name"])
def test_schemas_and_decoder_agree_but_for_the_differences_listed(case: dict[str, Any]) -> None:
    data, name = raw(case), case["name"]
    value = json.loads(data)
    verdicts = (is_decoded(data), MADE.is_valid(value), STRICT.is_valid(value))
    if name in BEYOND_STRICT:
        assert verdicts == (True, True, False)
    elif name in WITHIN_STRICT:
        assert verdicts == (False, False, True)
    elif name in NOT_FOR_A_SCHEMA | NOT_IN_THE_VALUE:
        assert verdicts == (False, True, True)
    elif name in TEXT_AND_VALUE:
        assert verdicts == (False, True, False)
    else:
        assert verdicts in {(True, True, True), (False, False, False)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_pydantic_reads_the_bytes_that_the_decoder_reads(case: dict[str, Any]) -> None:
    data = raw(case)
    assert is_validated_json(data) == (is_decoded(data) or case["name"] in READ_BY_PYDANTIC_ALONE)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.get("message") is not None], ids=lambda case: case["name"]
)
def test_pydantic_takes_the_values_that_the_decoder_takes(case: dict[str, Any]) -> None:
    assert is_validated(case["message"]) == is_decoded(json.dumps(case["message"]).encode())


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line[:60].decode())
def test_everyone_accepts_the_examples_of_the_reference(line: bytes) -> None:
    value = json.loads(line)
    assert is_decoded(line)
    assert ADAPTER.validate_json(line) == ADAPTER.validate_python(value) == decode(line)
    assert ADAPTER.dump_python(decode(line)) == json.loads(encode(decode(line)))
    MADE.validate(value)
    STRICT.validate(value)


@given(any_envelopes())
def test_what_is_written_passes_the_schema_made_here(envelope: Envelope) -> None:
    MADE.validate(json.loads(encode(envelope)))


def test_every_difference_is_about_a_case() -> None:
    listed = [BEYOND_STRICT, WITHIN_STRICT, NOT_FOR_A_SCHEMA, NOT_IN_THE_VALUE, TEXT_AND_VALUE]
    names = set().union(*listed)
    assert sum(map(len, listed)) == len(names)
    assert names <= {case["name"] for case in WITH_VALUE}
    assert {case["name"] for case in CASES} >= READ_BY_PYDANTIC_ALONE
