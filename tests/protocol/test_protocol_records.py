"""Context records as types: what each rule of the profile takes and refuses, and that nothing is lost."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from memory_provider.protocol import InvalidMember, RecordAttestation
from memory_provider.protocol.encoding import plain
from memory_provider.protocol.lifecycle.record_parts import RecordScope
from memory_provider.protocol.lifecycle.records import (
    RECORD_KINDS,
    RECORDS,
    SCHEMA_VERSION,
    ContextRecord,
    Directive,
    RecordError,
    read_record,
)
from memory_provider.protocol.shapes import Mismatch, read

from .record_cases import FIXTURES, KINDS, changed, fixture, without

ENVELOPE = (
    *("schema_version", "record_id", "lineage_id", "record_status", "scope", "sharing_scope"),
    *("observed_at", "origin", "record_hash", "provenance"),
)


def refused(document: Any) -> str:
    with pytest.raises(RecordError) as error:
        read_record(document)
    assert error.value.code == "invalid_record"
    return error.value.message


def test_the_twelve_kinds() -> None:
    assert RECORD_KINDS == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_fixture_is_read_and_written_as_it_was(kind: str) -> None:
    document = fixture(kind)
    record = read_record(document)
    assert type(record) is RECORDS[kind]
    assert record.record_kind == kind
    assert record.said == document.get("statement")
    assert plain(record) == document == fixture(kind)
    assert hash(record) == hash(read_record(document))


def test_unknown_members_are_kept_wherever_they_stand() -> None:
    def add(record: Any) -> None:
        record["mood"] = {"is": ["good"]}
        record["provenance"]["mood"] = 1
        record["record_links"][0]["mood"] = None

    document = changed("promotion_event", add)
    assert plain(read_record(document)) == document


def test_extensions_are_any_json_under_a_vendor_s_name() -> None:
    extensions = {"acme:a": None, "acme:b": [1, {"record_hash": "x"}], "acme:c:d": True}
    document = {**fixture("memory"), "extensions": extensions}
    record = read_record(document)
    assert record.extensions == extensions
    assert plain(record) == document


@pytest.mark.parametrize("name", ["plain", ":name", "vendor:", " : ", ""])
def test_an_extension_without_a_namespace_is_refused(name: str) -> None:
    assert "LR7" in refused({**fixture("memory"), "extensions": {name: 1}})


@pytest.mark.parametrize("member", ENVELOPE)
@pytest.mark.parametrize("kind", ["memory", "context_use"])
def test_a_member_of_the_envelope_cannot_be_left_out(kind: str, member: str) -> None:
    assert refused(without(kind, member)) == f"expected a member {member}, got none"


def test_a_record_without_a_kind_is_no_record() -> None:
    assert "record_kind" in refused(without("memory", "record_kind"))
    assert "record_kind" in refused({**fixture("memory"), "record_kind": 7})
    for nothing in (None, [], "text", 1):
        assert "an object" in refused(nothing)


def test_the_vocabulary_of_kinds_is_closed() -> None:
    with pytest.raises(RecordError, match="rumour") as error:
        read_record({**fixture("memory"), "record_kind": "rumour"})
    assert error.value.code == "unsupported_record_kind"


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("schema_version", "contextgraph/lifecycle/1.0"),
        ("record_id", ""),
        ("lineage_id", ""),
        ("record_status", "superseded"),
        ("sharing_scope", "everyone"),
        ("observed_at", "2026-07-29T14:00:00+02:00"),
        ("observed_at", "2026-02-30T14:00:00Z"),
        ("valid_from", "yesterday"),
        ("confidence", 1.01),
        ("confidence", -0.01),
        ("confidence", True),
        ("origin", "guessed"),
        ("record_hash", "sha256:" + "A" * 64),
        ("record_hash", "0" * 64),
        ("statement", ""),
        ("extensions", []),
        ("evidence_links", None),
        ("evidence_links", [1]),
        ("salience", "high"),
    ],
)
def test_a_member_against_the_profile_is_refused_by_name(member: str, value: Any) -> None:
    assert refused({**fixture("memory"), member: value}).startswith(member)


def test_confidence_may_be_either_end() -> None:
    for end in (0, 1, 0.0, 1.0):
        assert read_record({**fixture("memory"), "confidence": end}).confidence == end


@pytest.mark.parametrize("key", ["tenant_id", "project_id", "team_id", "acme:team"])
def test_a_scope_has_the_seven_keys_and_no_other(key: str) -> None:
    message = refused(changed("memory", lambda record: record["scope"].update({key: "x"})))
    assert message.startswith(f"scope.{key}:")
    assert "LS1" in message


def test_a_scope_says_which_keys_it_has() -> None:
    assert read_record(fixture("observation")).scope.keys == fixture("observation")["scope"]
    assert RecordScope().keys == {}
    with pytest.raises(InvalidMember):
        RecordScope(extra={"tenant_id": "t"})


@pytest.mark.parametrize(
    ("origin", "derivation", "allowed"),
    [
        ("observed", None, True),
        ("observed", "inference", False),
        ("declared", None, True),
        ("declared", "inference", False),
        ("derived", None, False),
        ("derived", "inference", True),
        ("imported", None, True),
        ("imported", "import", True),
    ],
)
def test_which_origin_has_a_derivation(origin: str, derivation: str | None, allowed: bool) -> None:
    def change(record: Any) -> None:
        record["origin"] = origin
        if derivation is not None:
            record["provenance"]["derivation_kind"] = derivation

    document = changed("memory", change)
    if allowed:
        assert read_record(document).provenance.derivation_kind == derivation
    else:
        assert "LC2" in refused(document)


@pytest.mark.parametrize("member", ["origin_provider_id", "producer_kind"])
def test_provenance_names_provider_and_producer(member: str) -> None:
    assert member in refused(changed("memory", lambda record: record["provenance"].pop(member)))
    assert member in refused(changed("memory", lambda record: record["provenance"].update({member: ""})))


@pytest.mark.parametrize(
    ("kind", "change", "reason"),
    [
        ("directive", lambda record: record.update(directive_kind="memory"), "directive_kind"),
        ("directive", lambda record: record.update(constraint_effect="allow"), "constraint_effect"),
        ("directive", lambda record: record.pop("constraint_effect"), "LD2"),
        ("directive", lambda record: record.update(directive_kind="procedure"), "LD4"),
        ("directive", lambda record: record.update(promotion_stage="trial"), "LD4"),
        ("directive", lambda record: record.update(promotion_status="x"), "LD4"),
        ("directive", lambda record: record.update(enforcement="strict"), "enforcement"),
        ("artifact_contract", lambda record: record["requirements"][1].pop("execution_approval_ref"), "LX1"),
        ("contract_validation", lambda record: record.update(outcome="maybe"), "outcome"),
        ("knowledge", lambda record: record.update(knowledge_kind="rumour"), "knowledge_kind"),
        ("context_use", lambda record: record.update(selected=None), "selected"),
        ("promotion_event", lambda record: record["record_links"][0].update(rel=":promotes"), "LR7"),
        ("promotion_event", lambda record: record["record_links"][0].update(rel=""), "rel"),
        ("promotion_event", lambda record: record.update(to_status=""), "to_status"),
    ],
)
def test_rules_of_single_kinds(kind: str, change: Callable[[Any], object], reason: str) -> None:
    assert reason in refused(changed(kind, change))


def test_a_procedure_has_its_steps_in_order() -> None:
    def change(record: Any) -> None:
        record.update(directive_kind="procedure", procedure_steps=["stop", "look", "listen"])
        del record["constraint_effect"]

    record = read_record(changed("directive", change))
    assert isinstance(record, Directive)
    assert record.procedure_steps == ("stop", "look", "listen")


def test_the_rules_hold_for_records_made_here() -> None:
    record = read_record(fixture("memory"))
    assert record.replace(record_status="retracted").record_status == "retracted"
    with pytest.raises(InvalidMember, match="LR5"):
        record.replace(confidence=2.0)
    with pytest.raises(InvalidMember, match=SCHEMA_VERSION):
        record.replace(schema_version="1")


def test_an_attestation_stands_beside_its_record() -> None:
    document = json.loads((FIXTURES / "record-attestation.json").read_bytes())
    attestation = read(RecordAttestation, document)
    assert attestation.signed_record_hash == read_record(fixture("observation")).record_hash
    assert plain(attestation) == document
    for member in document:
        with pytest.raises(Mismatch, match=member):
            read(RecordAttestation, {**document, member: None})


def test_no_kind_takes_a_member_of_the_envelope_for_itself() -> None:
    for record in RECORDS.values():
        assert list(record.wire_members)[: len(ContextRecord.wire_members)] == list(
            ContextRecord.wire_members
        )
