"""The wire types in Pydantic: the decoder's verdicts, the encoder's members, errors that say where."""

import json
import math
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from memory_provider import protocol
from memory_provider.protocol import (
    MAX_DEPTH,
    ContextFrame,
    ContextQuery,
    DataFlow,
    DecodeError,
    Envelope,
    FrameId,
    Query,
    Relation,
    Shutdown,
    WireObject,
    decode,
    encode,
)
from memory_provider.protocol.shapes import Mismatch, read

from .strategies import any_envelopes, json_values, objects_in

ENVELOPE: TypeAdapter[Envelope] = TypeAdapter(Envelope)
QUERY: TypeAdapter[Query] = TypeAdapter(Query)
FRAME = TypeAdapter(ContextFrame)
WIRE_TYPES = {
    name: item
    for name, item in vars(protocol).items()
    if isinstance(item, type) and issubclass(item, WireObject) and (item.wire_members or item is Shutdown)
}
ADAPTERS: dict[type[WireObject], TypeAdapter[Any]] = {each: TypeAdapter(each) for each in WIRE_TYPES.values()}

A_FRAME: dict[str, Any] = {
    "id": "f",
    "kind": "fact",
    "title": "t",
    "score": 0.5,
    "token_cost": 1,
    "vendor:x": {"a": [1, None]},
}
A_QUERY: dict[str, Any] = {"goal": "g", "max_frames": 1, "max_tokens": 2}


class Log(BaseModel):
    said: Envelope
    frames: list[ContextFrame] = []
    about: FrameId | None = None


def wire_objects_in(value: Any) -> list[WireObject]:
    if isinstance(value, tuple):
        return [found for item in value for found in wire_objects_in(item)]
    if isinstance(value, WireObject):
        return [value, *(found for item in vars(value).values() for found in wire_objects_in(item))]
    return []


def decoded(value: Any) -> Envelope | str:
    """What the decoder makes of a JSON value; where it stops, what it says."""
    try:
        return decode(json.dumps(value).encode())
    except DecodeError as error:
        return error.message


def validated(value: Any) -> Envelope | str:
    """The same by Pydantic, from Python and from JSON, its words put as the decoder's."""
    outcomes: list[Envelope | str] = []
    for validate, message in ((ENVELOPE.validate_python, value), (ENVELOPE.validate_json, json.dumps(value))):
        try:
            outcomes.append(validate(message))
        except ValidationError as error:
            outcomes.append(in_words_of_the_decoder(error))
    assert outcomes[0] == outcomes[1]
    return outcomes[0]


def in_words_of_the_decoder(error: ValidationError) -> str:
    (detail,) = error.errors()
    location, words = list(detail["loc"]), detail["msg"].replace("Input should be ", "expected ", 1)
    if detail["type"] == "missing":
        words = f"expected a member {location.pop()}, got none"
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return protocol.ProtocolError(f"{path.removeprefix('.')}: {words}" if path else words).message


@given(any_envelopes())
def test_what_the_decoder_accepts_is_accepted_and_equal(envelope: Envelope) -> None:
    line = encode(envelope)
    assert ENVELOPE.validate_json(line) == envelope
    assert ENVELOPE.validate_python(json.loads(line)) == envelope
    assert ENVELOPE.validate_python(envelope) is envelope
    assert TypeAdapter(type(envelope)).validate_json(line) == envelope


@given(any_envelopes())
def test_what_the_encoder_writes_is_dumped(envelope: Envelope) -> None:
    plain = json.loads(encode(envelope))
    assert ENVELOPE.dump_python(envelope) == plain
    assert list(ENVELOPE.dump_python(envelope)) == list(plain)
    assert json.loads(ENVELOPE.dump_json(envelope)) == plain


@given(any_envelopes())
def test_every_part_of_an_envelope_is_read_and_dumped_alone(envelope: Envelope) -> None:
    for part in wire_objects_in(envelope):
        adapter = ADAPTERS[type(part)]
        dumped = adapter.dump_python(part)
        assert adapter.validate_python(dumped) == part
        assert adapter.validate_json(adapter.dump_json(part)) == part


@settings(max_examples=400)
@given(any_envelopes(), st.data())
def test_whatever_is_damaged_both_say_the_same(envelope: Envelope, data: st.DataObject) -> None:
    value = json.loads(encode(envelope))
    for _ in range(data.draw(st.integers(1, 2))):
        target = data.draw(st.sampled_from(objects_in(value)))
        names = st.sampled_from(sorted(target)) if target else st.just("vendor:x")
        if data.draw(st.booleans()):
            target.pop(data.draw(names), None)
        else:
            target[data.draw(names | st.just("vendor:x") | st.just("type"))] = data.draw(json_values)
    before = json.dumps(value)
    assert validated(value) == decoded(value)
    assert json.dumps(value) == before


@given(
    st.sampled_from(list(ADAPTERS)),
    st.dictionaries(st.sampled_from(["reads", "uri", "type", "x"]), json_values),
)
def test_a_type_alone_is_read_as_within_an_envelope(shape: type[WireObject], value: dict[str, Any]) -> None:
    try:
        expected: WireObject | None = read(shape, {k: v for k, v in value.items() if not is_tag(shape, k)})
    except Mismatch:
        expected = None
    if hasattr(shape, "type") and value.get("type") != shape.type:
        expected = None
    try:
        found = ADAPTERS[shape].validate_python(value)
    except ValidationError:
        found = None
    assert found == expected


def is_tag(shape: type[WireObject], name: str) -> bool:
    return name == "type" and issubclass(shape, protocol.TaggedObject)


def test_every_wire_type_is_tried() -> None:
    assert len(ADAPTERS) >= 44
    assert set(get_args(get_args(Envelope)[0])) <= set(ADAPTERS)


def test_a_model_has_wire_objects_as_fields() -> None:
    query = Query(query=ContextQuery(**A_QUERY, extra={"vendor:x": [None]}))
    log = Log(
        said=query, frames=[FRAME.validate_python(A_FRAME)], about=FrameId(provider_id="p", frame_id="f")
    )
    assert log.said is query
    dumped = {
        "said": {"type": "query", "query": {**A_QUERY, "vendor:x": [None]}},
        "frames": [A_FRAME],
        "about": {"provider_id": "p", "frame_id": "f"},
    }
    assert log.model_dump() == dumped
    assert json.loads(log.model_dump_json()) == dumped
    assert Log.model_validate(dumped) == Log.model_validate_json(log.model_dump_json()) == log
    with pytest.raises(ValidationError) as caught:
        Log.model_validate({**dumped, "frames": [A_FRAME, {**A_FRAME, "token_cost": 1.0}]})
    (detail,) = caught.value.errors()
    assert detail["loc"] == ("frames", 1, "token_cost")
    assert detail["input"] == 1.0
    assert detail["type"] == "wire_mismatch"


def test_an_object_of_ours_may_stand_within_plain_values() -> None:
    inner = ContextQuery(**A_QUERY)
    assert QUERY.validate_python({"type": "query", "query": inner}).query is inner
    with pytest.raises(ValidationError, match=r"query\n.*should be an object, got a Shutdown"):
        QUERY.validate_python({"type": "query", "query": Shutdown()})
    with pytest.raises(ValidationError, match="should be an object"):
        QUERY.validate_python(Shutdown())


@pytest.mark.parametrize(
    ("members", "location", "complaint"),
    [
        ({"max_tokens": 600.0}, "max_tokens", "an integer from 0 to 4294967295, got 600.0"),
        ({"max_tokens": 2**32}, "max_tokens", "an integer from 0 to 4294967295"),
        ({"max_tokens": True}, "max_tokens", "an integer from 0 to 4294967295, got true"),
        ({"kinds": None}, "kinds", "a list, got null"),
        ({"kinds": ("fact",)}, "kinds", "a plain JSON value, got a tuple"),
        ({"embedding": [0, math.nan]}, "embedding.1", "a number that a double can hold, got nan"),
        ({"embedding": [10**400]}, "embedding.0", "a number that a double can hold, got an integer of"),
        ({"as_of": "2026-02-30T00:00:00Z"}, "as_of", "a UTC timestamp like"),
        ({"goal": "\ud83d"}, "goal", "Unicode, got half of a surrogate pair"),
        ({"vendor:x": {"y": [object()]}}, "vendor:x.y.0", "a plain JSON value, got a object"),
        ({"vendor:x": [-math.inf]}, "vendor:x.0", "a number that a double can hold, got -inf"),
        ({"vendor:x": {1: 2}}, "vendor:x", "a text as the name of each member, got 1"),
    ],
)
def test_errors_name_the_member(members: dict[str, Any], location: str, complaint: str) -> None:
    with pytest.raises(ValidationError) as caught:
        QUERY.validate_python({"type": "query", "query": {**A_QUERY, **members}})
    (detail,) = caught.value.errors()
    assert ".".join(map(str, detail["loc"])) == f"query.{location}"
    assert detail["msg"].startswith(f"Input should be {complaint}")


def test_an_absent_member_is_named_as_pydantic_does() -> None:
    with pytest.raises(ValidationError) as caught:
        ENVELOPE.validate_python({"type": "frames", "result": {"frames": []}})
    (detail,) = caught.value.errors()
    assert (detail["type"], detail["loc"]) == ("missing", ("result", "truncated"))
    with pytest.raises(ValidationError, match="type\n  Field required"):
        QUERY.validate_python({"query": A_QUERY})
    with pytest.raises(ValidationError, match="type\n  Input should be query, got the text 'verify'"):
        QUERY.validate_python({"type": "verify", "query": A_QUERY})


def test_nesting_has_the_limit_of_the_decoder() -> None:
    def nested(levels: int) -> Any:
        return [nested(levels - 1)] if levels else 0

    ENVELOPE.validate_python({"type": "shutdown", "x": nested(MAX_DEPTH - 1)})
    with pytest.raises(ValidationError, match="at most 128 levels"):
        ENVELOPE.validate_python({"type": "shutdown", "x": nested(MAX_DEPTH)})
    loop: dict[str, Any] = {"type": "shutdown"}
    loop["x"] = loop
    with pytest.raises(ValidationError, match="at most 128 levels"):
        ENVELOPE.validate_python(loop)


def test_what_is_kept_is_a_copy() -> None:
    given = json.loads(json.dumps(A_FRAME))
    frame = FRAME.validate_python(given)
    given["vendor:x"]["a"].append(2)
    assert frame.extra == {"vendor:x": {"a": [1, None]}}
    FRAME.dump_python(frame)["vendor:x"]["a"].append(2)
    assert frame.extra == {"vendor:x": {"a": [1, None]}}


def test_what_the_encoder_refuses_is_not_dumped() -> None:
    frame = FRAME.validate_python(A_FRAME).replace(content="nan", score=math.nan)
    for dump in (FRAME.dump_json, FRAME.dump_python):
        with pytest.raises(PydanticSerializationError, match="ContextFrame is no JSON: score"):
            dump(frame)


def test_rules_among_members_are_kept() -> None:
    lie = {"reads": True, "writes": False, "egress": False, "egress_scopes": ["org-tenant"]}
    with pytest.raises(ValidationError, match=r"egress_scopes\n.*\(C5\)"):
        TypeAdapter(DataFlow).validate_python(lie)


def test_a_relation_says_what_it_is() -> None:
    schema = TypeAdapter(Relation).json_schema()
    assert schema["title"] == "Relation"
    assert schema["description"].startswith("An edge to something else.")
    assert schema["required"] == ["rel", "target_uri"]
