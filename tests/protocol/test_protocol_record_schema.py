"""The JSON Schema made of the record types, beside the reader and beside the profile's own schema for authors.

The same three judges as of the envelopes: `read_record` is what counts, `made` is the schema made here, `strict` the
profile's. Every document on which any two differ stands below under the reason why.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from memory_provider.protocol import RecordAttestation
from memory_provider.protocol.encoding import plain
from memory_provider.protocol.lifecycle.records import RECORD_KINDS, AnyRecord, RecordError, read_record

from .record_cases import DATA, FIXTURES, KINDS, changed, fixture

ADAPTER: TypeAdapter[AnyRecord] = TypeAdapter(AnyRecord)
MADE = Draft202012Validator(ADAPTER.json_schema())
STRICT_SCHEMA = json.loads((DATA / "contextgraph-lifecycle-record.schema.json").read_bytes())
STRICT = Draft202012Validator(STRICT_SCHEMA)


def put(member: str, value: Any) -> Callable[[Any], object]:
    return lambda record: record.update({member: value})


def drop(member: str) -> Callable[[Any], object]:
    return lambda record: record.pop(member)


# The reader and `made` read what `strict` refuses.
BEYOND_STRICT: dict[str, tuple[str, Callable[[Any], object]]] = {
    # A receiver must take members that it does not know (LR6, U1).
    "unknown member": ("memory", put("mood", "good")),
    "a member of another kind": ("memory", put("subject_ref", "trace_1")),
    "unknown member in the provenance": ("memory", lambda record: record["provenance"].update(mood=1)),
    "unknown member in a link": ("promotion_event", lambda record: record["record_links"][0].update(mood=1)),
    "unknown member in a requirement": (
        "artifact_contract",
        lambda record: record["requirements"][0].update(a=1),
    ),
    "unknown member in a result": (
        "contract_validation",
        lambda record: record["requirement_results"][0].update(a=1),
    ),
    # An optional member that is null is an absent one, as in every message.
    "confidence null": ("memory", put("confidence", None)),
    "extensions null": ("memory", put("extensions", None)),
    "sensitivity null": ("memory", put("sensitivity", None)),
}
# The reader and `made` refuse what `strict` accepts.
WITHIN_STRICT: dict[str, tuple[str, Callable[[Any], object]]] = {
    "arabic digits": ("memory", put("observed_at", "٢٠٢٦-07-29T14:00:00Z")),  # `\d` is more than 0 to 9
    # Rules that the profile states in prose only.
    "observed with a derivation (LC2)": (
        "memory",
        lambda record: record["provenance"].update(derivation_kind="inference"),
    ),
    "derived without a derivation (LC2)": (
        "outcome_assessment",
        lambda record: record["provenance"].pop("derivation_kind"),
    ),
    "a command without an approval (LX1)": (
        "artifact_contract",
        lambda record: record["requirements"][1].pop("execution_approval_ref"),
    ),
    "a procedure without steps (LD4)": ("directive", put("directive_kind", "procedure")),
    "an extension without a namespace (LR7)": ("memory", put("extensions", {"plain": 1})),
    "a link of no vendor (LR7)": (
        "promotion_event",
        lambda record: record["record_links"][0].update(rel=":a"),
    ),
}
# The reader refuses what both schemas accept: a pattern knows no calendar.
NOT_FOR_A_SCHEMA: dict[str, tuple[str, Callable[[Any], object]]] = {
    "30 February": ("memory", put("observed_at", "2026-02-30T14:00:00Z")),
    "second 61": ("memory", put("valid_from", "2026-07-29T14:00:61Z")),
}
# All three agree.
AGREED: dict[str, tuple[str, Callable[[Any], object]]] = {
    **{
        f"no {member}": ("memory", drop(member))
        for member in fixture("memory")
        if member not in {"confidence", "salience"}
    },
    "no kind of knowledge": ("knowledge", drop("knowledge_kind")),
    "no selected": ("context_use", drop("selected")),
    "another profile": ("memory", put("schema_version", "contextgraph/lifecycle/2.0")),
    "another kind": ("memory", put("record_kind", "rumour")),
    "superseded is no status": ("memory", put("record_status", "superseded")),
    "shared with everyone": ("memory", put("sharing_scope", "everyone")),
    "empty id": ("memory", put("record_id", "")),
    "empty statement": ("memory", put("statement", "")),
    "blank statement": ("memory", put("statement", " ")),
    "offset": ("memory", put("observed_at", "2026-07-29T14:00:00+00:00")),
    "short hash": ("memory", put("record_hash", "sha256:00")),
    "salience as a text": ("memory", put("salience", "0.7")),
    "scope of numbers": ("memory", put("scope", {"user_id": 7})),
    "empty scope": ("memory", put("scope", {})),
    "allow": ("directive", put("constraint_effect", "allow")),
    "no list of links": ("memory", put("evidence_links", None)),
    "extensions": ("memory", put("extensions", {"acme:a": [None, {"b": 1}]})),
    "extensions as a list": ("memory", put("extensions", [])),
    "empty lists": ("contract_validation", put("requirement_results", [])),
}
CASES = {**BEYOND_STRICT, **WITHIN_STRICT, **NOT_FOR_A_SCHEMA, **AGREED}


def is_read(document: Any) -> bool:
    try:
        read_record(document)
    except RecordError:
        return False
    return True


def test_it_is_a_schema_discriminated_by_kind() -> None:
    Draft202012Validator.check_schema(MADE.schema)
    schema = ADAPTER.json_schema()
    assert schema["discriminator"]["propertyName"] == "record_kind"
    assert set(schema["discriminator"]["mapping"]) == set(RECORD_KINDS)
    assert list(RECORD_KINDS) == STRICT_SCHEMA["$defs"]["recordKind"]["enum"]
    for name, reference in schema["discriminator"]["mapping"].items():
        definition = schema["$defs"][reference.removeprefix("#/$defs/")]
        assert definition["properties"]["record_kind"]["const"] == name
        assert "record_kind" in definition["required"]


@pytest.mark.parametrize("kind", KINDS)
def test_everyone_accepts_the_fixtures(kind: str) -> None:
    document = fixture(kind)
    STRICT.validate(document)
    MADE.validate(document)
    assert ADAPTER.validate_python(document) == read_record(document)
    assert ADAPTER.dump_python(read_record(document)) == document


def test_members_have_the_names_of_the_profile() -> None:
    """Kind by kind: the same members, the same of them required."""
    common = STRICT_SCHEMA["$defs"]["envelopeCommon"]
    made = ADAPTER.json_schema()
    for body in STRICT_SCHEMA["oneOf"]:
        kind = body["properties"]["record_kind"]["const"]
        ours = made["$defs"][made["discriminator"]["mapping"][kind].removeprefix("#/$defs/")]
        assert ours["properties"].keys() == common["properties"].keys() | body["properties"].keys()
        assert set(ours["required"]) == {*common["required"], *body["required"]}


@pytest.mark.parametrize("name", CASES)
def test_reader_and_schemas_agree_but_for_the_differences_listed(name: str) -> None:
    document = changed(*CASES[name])
    verdicts = (is_read(document), MADE.is_valid(document), STRICT.is_valid(document))
    if name in BEYOND_STRICT:
        assert verdicts == (True, True, False)
    elif name in WITHIN_STRICT:
        assert verdicts == (False, False, True)
    elif name in NOT_FOR_A_SCHEMA:
        assert verdicts == (False, True, True)
    else:
        assert verdicts in {(True, True, True), (False, False, False)}


@pytest.mark.parametrize("name", CASES)
def test_pydantic_takes_what_the_reader_takes(name: str) -> None:
    document = changed(*CASES[name])
    if is_read(document):
        assert plain(ADAPTER.validate_python(document)) == plain(read_record(document))
    else:
        with pytest.raises(ValidationError):
            ADAPTER.validate_python(document)


def test_every_case_is_about_a_document_of_its_own() -> None:
    groups = (BEYOND_STRICT, WITHIN_STRICT, NOT_FOR_A_SCHEMA, AGREED)
    assert len(CASES) == sum(map(len, groups))
    for kind, change in CASES.values():
        assert changed(kind, change) != fixture(kind)


def test_the_attestation_has_the_profile_s_schema() -> None:
    document = json.loads((FIXTURES / "record-attestation.json").read_bytes())
    strict = Draft202012Validator({"$ref": "#/$defs/RecordAttestation", "$defs": STRICT_SCHEMA["$defs"]})
    made = Draft202012Validator(TypeAdapter(RecordAttestation).json_schema())
    assert strict.is_valid(document)
    assert made.is_valid(document)
    assert not made.is_valid({**document, "key_id": None})
    # What is malformed is read, and judged malformed where signatures are verified; so are unknown members.
    for change in ({"signed_record_hash": "x"}, {"key_id": ""}, {"issued_at": "now"}, {"mood": 1}):
        assert not strict.is_valid({**document, **change})
        assert made.is_valid({**document, **change})
