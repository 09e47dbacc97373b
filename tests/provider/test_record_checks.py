"""Records of a request looked at one by one, before anything is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_provider.provider.lifecycle import MAX_RECORD_BYTES, MAX_REQUEST_BYTES, MAX_STATEMENT_BYTES
from memory_provider.provider.record_checks import CheckedRecord, Rejection, check_request
from memory_provider.provider.refusals import Refusal

from .records import fixtures, record


def checked(document: Any) -> CheckedRecord | Rejection:
    [only] = check_request([document], None).records
    return only


def rejected(document: Any) -> Rejection:
    only = checked(document)
    assert isinstance(only, Rejection)
    return only


@pytest.mark.parametrize("document", fixtures(), ids=lambda document: document["record_kind"])
def test_the_fixtures_pass_and_keep_every_member(document: Any) -> None:
    before = json.dumps(document)
    passed = checked(document)
    assert isinstance(passed, CheckedRecord)
    assert json.loads(passed.body) == document
    assert json.dumps(document) == before


def test_what_nobody_knows_is_kept_and_hashed() -> None:
    document = record("r", mood={"is": [1.5, None]}, extensions={"acme:a": {"record_hash": "x"}})
    passed = checked(document)
    assert isinstance(passed, CheckedRecord)
    assert json.loads(passed.body) == document
    assert rejected({**document, "mood": "bad"}).code == "invalid_record"


def test_the_hash_is_computed_again_and_not_believed() -> None:
    document = {**record("r"), "statement": "The kettle is green."}
    only = rejected(document)
    assert only[:4] == ("r", "lineage of r", document["record_hash"], "invalid_record")
    assert only.message.startswith("record_hash:")


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({}, "invalid_record"),
        ({"record_kind": 1}, "invalid_record"),
        (record("r", record_kind="rumour"), "unsupported_record_kind"),
        (record("r", record_status="superseded"), "invalid_record"),
        (record("r", scope={"tenant_id": "t"}), "invalid_record"),
        ({**record("r"), "record_hash": "0"}, "invalid_record"),
        ({**record("r"), "extensions": {"acme:n": 2**53 + 1}}, "invalid_record"),
    ],
)
def test_what_is_wrong_is_named(document: Any, code: str) -> None:
    only = rejected(document)
    assert only.code == code
    assert only.message


def test_a_rejection_repeats_only_ids_that_are_texts() -> None:
    assert rejected({"record_id": 1, "lineage_id": "", "record_hash": None})[:3] == (None, None, None)


def test_how_long_a_record_may_be() -> None:
    blank = len(json.dumps(record("r", statement="x", extensions={"acme:a": ""}), separators=(",", ":")))
    longest = record("r", statement="x", extensions={"acme:a": "y" * (MAX_RECORD_BYTES - blank)})
    assert isinstance(checked(longest), CheckedRecord)
    longer = record("r", statement="xx", extensions=longest["extensions"])
    assert rejected(longer).code == "payload_too_large"


def test_how_long_a_statement_may_be_in_bytes() -> None:
    assert isinstance(checked(record("r", statement="é" * (MAX_STATEMENT_BYTES // 2))), CheckedRecord)
    assert rejected(record("r", statement="é" * (MAX_STATEMENT_BYTES // 2) + "x")).code == "payload_too_large"


def test_records_that_are_too_long_together_are_refused_whole() -> None:
    long = record("r", extensions={"acme:a": "y" * 100_000})
    with pytest.raises(Refusal) as refused:
        check_request([long] * (MAX_REQUEST_BYTES // 100_000 + 1), None)
    assert refused.value.code == "payload_too_large"


def test_the_digest_of_a_request_is_of_all_that_was_asked() -> None:
    one, other, odd = record("one"), record("other"), {"n": 2**53 + 1}
    requests: list[tuple[list[Any], str | None]] = [
        ([one], None),
        ([one], "P1D"),
        ([other], None),
        ([one, other], None),
        ([other, one], None),
        ([one, one], None),
        ([one, odd], None),
        ([one, {"n": 2**53 + 3}], None),
    ]
    commands = [check_request(*request).command for request in requests]
    assert len(set(commands)) == len(requests)
    assert commands == [check_request(*request).command for request in requests]
    reordered = dict(reversed(one.items()))
    assert check_request([reordered], None).command == commands[0]
