"""Records over the wire: appended, read, erased; what is refused before anything is written, and to whom."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.access import ALL_RIGHTS, Principal, Right
from memory_provider.attestation import SigningKey, Status, verify_record
from memory_provider.protocol import RecordAttestation, parse_timestamp
from memory_provider.provider import KNOWN_AT, SCOPE, Provider, data_flow, record_answers
from memory_provider.provider.lifecycle import MAX_RECORDS

from .records import append, erase, fixtures, get, record

pytestmark = pytest.mark.anyio

OWN, FOREIGN, MISSING = "acme/alice", "acme/bob", "acme/nobody"
ALICE = Principal("alice", OWN, rights=ALL_RIGHTS)
BOB = Principal("bob", FOREIGN, rights=ALL_RIGHTS)
COLLEAGUE = Principal("colleague", OWN, rights=ALL_RIGHTS)


@pytest.fixture
async def memory(anyio_backend: str) -> AsyncIterator[Memory]:
    async with Memory.open("memory:", scope=OWN) as opened:
        yield opened


@pytest.fixture
def provider(memory: Memory) -> Provider:
    return Provider(memory, data_flow=data_flow(local=True))


async def say(provider: Provider, message: Any, principal: Principal | None = ALICE) -> Any:
    reply = await provider.handle(json.dumps(message).encode(), principal)
    assert reply.data is not None
    answer = json.loads(reply.data)
    assert answer.get("id") == message.get("id")
    return answer


async def appended(
    provider: Provider, *records: Any, principal: Principal | None = ALICE, **members: Any
) -> Any:
    answer = await say(provider, append(*records, **members), principal)
    assert answer["type"] == "memory-provider:records_appended", answer
    assert len(answer["response"]["receipts"]) == len(records)
    return answer["response"]


async def accepted(
    provider: Provider, *records: Any, principal: Principal | None = ALICE, **members: Any
) -> Any:
    response = await appended(provider, *records, principal=principal, **members)
    assert [each["status"] for each in response["receipts"]] == ["accepted"] * len(records), response
    assert "code" not in response
    return response["receipts"]


async def found(provider: Provider, *ids: str, principal: Principal | None = ALICE, **members: Any) -> Any:
    answer = await say(provider, get(*ids, **members), principal)
    assert answer["type"] == "memory-provider:records", answer
    assert [each["record_id"] for each in answer["response"]["records"]] == list(ids)
    return answer["response"]["records"]


async def outcomes(
    provider: Provider, *ids: str, principal: Principal | None = ALICE, **members: Any
) -> list[str]:
    return [each["status"] for each in await found(provider, *ids, principal=principal, **members)]


def statuses(response: Any) -> list[tuple[str, str | None]]:
    return [(each["status"], each.get("code")) for each in response["receipts"]]


# --- appended and read ------------------------------------------------------------------------------------------


async def test_records_of_every_kind_come_back_as_they_were(provider: Provider) -> None:
    records = fixtures()
    receipts = await accepted(provider, *records)
    for document, receipt in zip(records, receipts, strict=True):
        assert receipt["record_hash"] == document["record_hash"]
        assert receipt["lineage_id"] == document["lineage_id"]
        assert receipt["retention"] == "indefinite"
        assert "expires_at" not in receipt
    looked_up = await found(provider, *(each["record_id"] for each in records))
    assert [each["record"] for each in looked_up] == records
    assert {each["recorded_at"] for each in looked_up} == {each["recorded_at"] for each in receipts}
    assert all("superseded_at" not in each for each in looked_up)


async def test_what_nobody_knows_comes_back_too(provider: Provider) -> None:
    odd = record(
        "odd",
        mood={"is": [1.5, 1e20, None, "é\u0000"]},
        extensions={"acme:a": {"record_hash": "x"}},
        sensitivity=None,
    )
    await accepted(provider, odd)
    [lookup] = await found(provider, "odd")
    assert lookup["record"] == odd


async def test_ids_are_any_text_and_found_exactly(provider: Provider) -> None:
    ids = ("a%b", "A%B", " a%b", "a_b", "é", "e\u0301", "' OR 1=1 --", "x" * 1000)
    await accepted(provider, *(record(each) for each in ids))
    looked_up = await found(provider, *ids)
    assert [each["record"]["record_id"] for each in looked_up] == list(ids)
    assert await outcomes(provider, "a%", "%", "*", "") == ["not_found"] * 4


async def test_an_id_that_is_too_long_is_no_good_record(provider: Provider) -> None:
    response = await appended(provider, record("x" * 1025), record("good"))
    assert statuses(response) == [("rejected", "invalid_record"), ("accepted", None)]


async def test_a_record_again_is_a_duplicate(provider: Provider) -> None:
    [first] = await accepted(provider, record("r"))
    response = await appended(provider, record("r"))
    [again] = response["receipts"]
    assert (again["status"], again["recorded_at"]) == ("duplicate", first["recorded_at"])
    assert "code" not in response


async def test_an_id_belongs_to_one_content(provider: Provider) -> None:
    await accepted(provider, record("r"))
    response = await appended(provider, record("r", statement="Something else."))
    assert statuses(response) == [("rejected", "record_identity_conflict")]
    [lookup] = await found(provider, "r")
    assert lookup["record"] == record("r")


async def test_LR2_a_correction_is_a_new_record_of_the_lineage(provider: Provider) -> None:
    before = record("first", lineage_id="kettle")
    after = record("second", lineage_id="kettle", statement="The kettle is green.")
    [first] = await accepted(provider, before)
    [second] = await accepted(provider, after)
    assert second["superseded_record_id"] == "first"
    [old, new] = await found(provider, "first", "second")
    assert (old["record"], new["record"]) == (before, after)
    assert old["superseded_at"] == second["recorded_at"]
    assert "superseded_at" not in new
    # As it was known before.
    [old, new] = await found(provider, "first", "second", **{KNOWN_AT: first["recorded_at"]})
    assert old["record"] == before
    assert "superseded_at" not in old
    assert new["status"] == "not_found"
    assert await outcomes(provider, "first", **{KNOWN_AT: "2000-01-01T00:00:00Z"}) == ["not_found"]
    assert await outcomes(provider, "first", **{KNOWN_AT: "0000-01-01T00:00:00Z"}) == ["not_found"]


async def test_instants_beyond_the_memory_s_calendar_are_kept_as_written(provider: Provider) -> None:
    odd = record("odd", observed_at="0000-02-29T23:59:60Z", valid_from="0000-01-01T00:00:00.000000001Z")
    late = record("late", observed_at="9999-12-31T23:59:60Z", valid_from="9999-12-31T23:59:60Z")
    await accepted(provider, odd, late)
    assert [each["record"] for each in await found(provider, "odd", "late")] == [odd, late]


async def test_what_a_record_says_is_served_as_a_frame(provider: Provider) -> None:
    await accepted(provider, record("r", statement="The kettle stands on the shelf."))
    query = {"goal": "kettle", "kinds": ["fact"], "max_frames": 9, "max_tokens": 900}
    answer = await say(provider, {"type": "query", "id": "q", "query": query})
    assert [each["content"] for each in answer["result"]["frames"]] == ["The kettle stands on the shelf."]


async def test_LC4_a_record_is_attested_beside_itself(memory: Memory) -> None:
    key = SigningKey.from_seed(bytes([7] * 32))
    provider = Provider(memory, data_flow=data_flow(local=True), key=key)
    await accepted(provider, record("r"))
    [lookup, missing] = await found(provider, "r", "missing")
    attestation = RecordAttestation(**lookup["attestation"])
    assert lookup["record"] == record("r")
    assert verify_record(lookup["record"], attestation, [key.public]).status is Status.VALID
    edited = {**lookup["record"], "statement": "edited"}
    assert verify_record(edited, attestation, [key.public]).status is Status.INVALID
    assert "attestation" not in missing


# --- a batch ----------------------------------------------------------------------------------------------------


async def test_what_is_wrong_with_one_record_spoils_no_other(provider: Provider) -> None:
    await accepted(provider, record("there"))
    batch: list[tuple[Any, tuple[str, str | None]]] = [
        (record("good"), ("accepted", None)),
        ({}, ("rejected", "invalid_record")),
        (record("kind", record_kind="rumour"), ("rejected", "unsupported_record_kind")),
        ({**record("hash"), "statement": "edited"}, ("rejected", "invalid_record")),
        (record("long", statement="x" * 65_537), ("rejected", "payload_too_large")),
        (record("there"), ("duplicate", None)),
        (record("there", statement="edited"), ("rejected", "record_identity_conflict")),
        (record("better"), ("accepted", None)),
    ]
    response = await appended(provider, *(each for each, _ in batch))
    assert statuses(response) == [outcome for _, outcome in batch]
    assert response["code"] == "partial_failure"
    for receipt, (_, (status, _)) in zip(response["receipts"], batch, strict=True):
        assert ("message" in receipt) == (status == "rejected")
    assert await outcomes(provider, "good", "better", "kind", "hash", "long") == [
        *("found", "found", "not_found", "not_found", "not_found")
    ]


async def test_a_batch_has_one_recorded_time(provider: Provider) -> None:
    receipts = await accepted(provider, *(record(f"r{number}") for number in range(MAX_RECORDS)))
    assert len({each["recorded_at"] for each in receipts}) == 1


async def test_no_records_are_no_error(provider: Provider) -> None:
    assert await appended(provider) == {"receipts": []}
    assert await found(provider) == []


async def test_a_batch_that_is_too_large_is_refused_whole(provider: Provider) -> None:
    many = [f"r{number}" for number in range(MAX_RECORDS + 1)]
    for message in (append(*map(record, many)), get(*many), erase(*many)):
        answer = await say(provider, message)
        assert (answer["type"], answer["code"]) == ("error", "batch_too_large")
    long = [record(each, extensions={"acme:a": "x" * 100_000}) for each in many[:30]]
    answer = await say(provider, append(*long))
    assert (answer["type"], answer["code"]) == ("error", "payload_too_large")
    assert await outcomes(provider, "r0") == ["not_found"]


async def test_a_hundred_of_the_longest_records_fit_an_answer(provider: Provider) -> None:
    blank = len(
        json.dumps(record("r00", extensions={"acme:a": ""}), separators=(",", ":"), ensure_ascii=False)
    )
    records = [
        record(f"r{number:02}", extensions={"acme:a": "\u0001" * ((131_072 - blank) // 6)})
        for number in range(MAX_RECORDS)
    ]
    for start in range(0, MAX_RECORDS, 5):
        await accepted(provider, *records[start : start + 5])
    looked_up = await found(provider, *(each["record_id"] for each in records))
    assert [each["record"] for each in looked_up] == records


@pytest.mark.parametrize(
    "request_",
    [
        None,
        {},
        {"records": None},
        {"records": [1]},
        {"records": [], "idempotency_key": ""},
        {"records": [], "idempotency_key": "x" * 1025},
        {"records": [], "idempotency_key": 1},
    ],
)
async def test_a_request_of_another_shape_is_a_bad_request(provider: Provider, request_: Any) -> None:
    answer = await say(provider, {"type": "memory-provider:records_append", "id": "a", "request": request_})
    assert (answer["type"], answer["code"]) == ("error", "bad_request")


async def test_a_reason_and_an_instant_have_to_be_some(provider: Provider) -> None:
    for message in (erase("r", reason=" "), get("r", **{KNOWN_AT: "yesterday"}), get("r", **{KNOWN_AT: 7})):
        assert (await say(provider, message))["code"] == "bad_request"


async def test_without_an_id_the_answer_has_none(provider: Provider) -> None:
    answer = await say(provider, append(record("r"), id=None))
    assert "id" not in answer


# --- idempotency (LO-ID1) ---------------------------------------------------------------------------------------


async def test_LO_ID1_the_same_request_under_its_key_is_done_once(provider: Provider) -> None:
    batch = [record("r"), record("s"), {"no": "record"}]
    first = await appended(provider, *batch, idempotency_key="k")
    again = await appended(provider, *batch, idempotency_key="k")
    assert statuses(first) == [("accepted", None), ("accepted", None), ("rejected", "invalid_record")]
    assert statuses(again) == [("duplicate", None), ("duplicate", None), ("rejected", "invalid_record")]
    for one, other in zip(first["receipts"], again["receipts"], strict=True):
        assert one.get("recorded_at") == other.get("recorded_at")


@pytest.mark.parametrize(
    ("records", "retention"),
    [
        ([record("s")], None),
        ([record("r"), record("s")], None),
        ([record("r")], "P1D"),
        ([record("r"), {"no": "record"}], None),
    ],
)
async def test_LO_ID1_a_key_stands_for_one_request(provider: Provider, records: Any, retention: Any) -> None:
    await accepted(provider, record("r"), idempotency_key="k")
    members = (
        {"idempotency_key": "k"}
        if retention is None
        else {"idempotency_key": "k", "requested_retention": retention}
    )
    answer = await say(provider, append(*records, **members))
    assert (answer["type"], answer["code"]) == ("error", "idempotency_conflict")
    assert await outcomes(provider, "s") == ["not_found"]


async def test_LO_ID1_a_key_is_one_client_s_in_one_scope(provider: Provider) -> None:
    await accepted(provider, record("r"), idempotency_key="k")
    await accepted(provider, record("s"), idempotency_key="k", principal=COLLEAGUE)
    await accepted(provider, record("s"), idempotency_key="k", principal=BOB)


async def test_LO_ID1_an_old_key_is_refused(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_answers, "KEY_LIFETIME", timedelta(microseconds=1))
    await accepted(provider, record("r"), idempotency_key="k")
    await accepted(provider, record("s"))  # later by a microsecond at least
    answer = await say(provider, append(record("r"), idempotency_key="k"))
    assert (answer["type"], answer["code"]) == ("error", "idempotency_expired")


# --- retention (LO-ID2) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("retention", ["forever", "", "P2D", "p1d"])
async def test_LO_ID2_retention_that_is_not_kept_is_refused_before_anything_is(
    provider: Provider, retention: str
) -> None:
    answer = await say(provider, append(record("r"), requested_retention=retention))
    assert (answer["type"], answer["code"]) == ("error", "retention_rejected")
    assert "P30D" in answer["message"]
    assert await outcomes(provider, "r") == ["not_found"]


async def test_LO_ID2_retention_is_kept_as_asked(provider: Provider) -> None:
    [receipt] = await accepted(provider, record("r"), requested_retention="P1D")
    assert receipt["retention"] == "P1D"
    lasts = parse_timestamp(receipt["expires_at"]) - parse_timestamp(receipt["recorded_at"])
    assert timedelta(microseconds=lasts) == timedelta(days=1)
    [lookup] = await found(provider, "r")
    assert (lookup["retention"], lookup["expires_at"]) == ("P1D", receipt["expires_at"])


async def test_LO_ID2_after_its_retention_a_record_is_read_no_more(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(record_answers.RETENTION, "P1D", timedelta(microseconds=1))
    [receipt] = await accepted(provider, record("r"), requested_retention="P1D")
    [lookup] = await found(provider, "r")
    assert (lookup["status"], lookup["code"]) == ("expired", "reference_expired")
    assert "record" not in lookup
    assert await outcomes(provider, "r", **{KNOWN_AT: receipt["recorded_at"]}) == ["expired"]


# --- who may (LO-ID3, LO-ID4) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "right"),
    [(append(record("new")), Right.WRITE), (get("r"), Right.READ), (erase("r"), Right.ERASE)],
)
async def test_LO_ID4_that_something_is_offered_does_not_grant_it(
    provider: Provider, message: Any, right: Right
) -> None:
    await accepted(provider, record("r"))
    answer = await say(provider, message, ALICE._replace(rights=ALL_RIGHTS - {right}))
    assert (answer["type"], answer["code"]) == ("error", "consent_required")
    assert right in answer["message"]
    only = await say(provider, message, ALICE._replace(rights=frozenset({right})))
    assert only["type"] != "error"
    assert await outcomes(provider, "new") == ["found" if right is Right.WRITE else "not_found"]


@pytest.mark.parametrize("message", [append, get, erase])
async def test_LO_ID3_a_scope_out_of_reach_is_denied_whatever_it_is(provider: Provider, message: Any) -> None:
    await accepted(provider, record("theirs"), principal=BOB)
    what = record("theirs") if message is append else "theirs"
    answers = [await say(provider, message(what, **{SCOPE: scope})) for scope in (FOREIGN, MISSING, "", "*")]
    assert (answers[0]["type"], answers[0]["code"]) == ("error", "scope_denied")
    assert all(each == answers[0] for each in answers)
    assert await outcomes(provider, "theirs", principal=BOB) == ["found"]


async def test_LO_ID3_another_scope_s_records_are_not_there(provider: Provider) -> None:
    await accepted(provider, record("theirs"), principal=BOB)
    [foreign, missing] = await found(provider, "theirs", "missing")
    assert {**foreign, "record_id": ""} == {**missing, "record_id": ""}
    answer = await say(provider, erase("theirs", "missing"))
    assert {each["status"] for each in answer["response"]["receipts"]} == {"not_found"}
    # An id is its scope's alone, whatever stands under it elsewhere.
    await accepted(provider, record("theirs", statement="Mine."))
    [lookup] = await found(provider, "theirs", principal=BOB)
    assert lookup["record"] == record("theirs")


async def test_LO_ID3_a_granted_scope_can_be_named(provider: Provider) -> None:
    both = ALICE._replace(scopes=frozenset({FOREIGN}))
    await accepted(provider, record("r"), principal=both, **{SCOPE: FOREIGN})
    assert await outcomes(provider, "r", principal=BOB) == ["found"]
    assert await outcomes(provider, "r", principal=both) == ["not_found"]


async def test_LO_ID3_labels_decide_before_anything_is_written(provider: Provider) -> None:
    labelled = ALICE._replace(labels=frozenset({("user_id", "alice"), ("repository_id", "kettle")}))
    response = await appended(
        provider,
        record("mine"),
        record("bob", scope={"user_id": "bob"}),
        record("everybody", scope={"organization_id": "acme"}, sharing_scope="organization"),
        record("nobody", scope={}),
        principal=labelled,
    )
    assert statuses(response) == [
        ("accepted", None),
        ("rejected", "scope_denied"),
        ("rejected", "sharing_denied"),
        ("rejected", "sharing_denied"),
    ]
    assert await outcomes(provider, "mine", "bob", "everybody", "nobody") == ["found", *["not_found"] * 3]


async def test_LO_ID3_labels_decide_on_every_read(provider: Provider) -> None:
    kettle = record("kettle", scope={"repository_id": "kettle"}, sharing_scope="repository")
    await accepted(provider, record("alice"), kettle)
    bob = ALICE._replace(name="bob", labels=frozenset({("user_id", "bob"), ("repository_id", "kettle")}))
    [alices, shared] = await found(provider, "alice", "kettle", principal=bob)
    assert (alices["status"], alices["code"]) == ("denied", "scope_denied")
    assert alices.keys() == {"record_id", "status", "code", "message"}
    assert shared["record"] == kettle
    answer = await say(provider, erase("alice"), bob)
    assert answer["response"]["receipts"][0]["code"] == "scope_denied"
    assert await outcomes(provider, "alice") == ["found"]


async def test_LO_ID3_labels_decide_on_frames_too(provider: Provider) -> None:
    def said(user: str, statement: str) -> Any:
        return record(f"of {user}", scope={"user_id": user}, statement=statement)

    await accepted(
        provider, said("alice", "The kettle is in the attic."), said("bob", "The kettle is in the cellar.")
    )
    bob = ALICE._replace(name="bob", labels=frozenset({("user_id", "bob")}))
    query: dict[str, Any] = {
        "type": "query",
        "id": "q",
        "query": {"goal": "kettle attic cellar", "kinds": ["fact"], "max_frames": 9, "max_tokens": 900},
    }
    whole = {frame["content"]: frame for frame in (await say(provider, query))["result"]["frames"]}
    assert len(whole) == 2
    [shown] = (await say(provider, query, bob))["result"]["frames"]
    assert shown["content"] == "The kettle is in the cellar."
    # Nor is it told by anchor, or verified: it is as if it had never been.
    hidden = whole["The kettle is in the attic."]
    anchored = {**query, "query": {**query["query"], "query_text": "nothing", "anchors": [hidden["uri"]]}}
    assert len((await say(provider, anchored))["result"]["frames"]) == 1
    assert (await say(provider, anchored, bob))["result"]["frames"] == []
    held = [
        {"provider_id": "p", "frame_id": frame["id"], "content_digest": frame["content_digest"]}
        for frame in (hidden, shown)
    ]
    verify = {"type": "verify", "id": "v", "request": {"frames": held}}
    assert [each["status"] for each in (await say(provider, verify))["response"]["verdicts"]] == [
        "valid",
        "valid",
    ]
    verdicts = (await say(provider, verify, bob))["response"]["verdicts"]
    assert [each["status"] for each in verdicts] == ["unknown", "valid"]
    assert "replacement_digest" not in verdicts[0]
    # Nor does a handle lead to it.
    reference = {**query, "query": {**query["query"], "representation_preferences": ["reference"]}}
    refs = {frame["id"]: frame for frame in (await say(provider, reference))["result"]["frames"]}
    resolve = {
        "type": "memory-provider:resolve",
        "id": "r",
        "request": {"content_ref": refs[hidden["id"]]["content_ref"]},
    }
    assert (await say(provider, resolve))["response"]["content"] == "The kettle is in the attic."
    assert (await say(provider, resolve, bob))["code"] == "reference_not_found"


async def test_LO_ID3_labels_decide_on_what_is_corrected(provider: Provider) -> None:
    """Nobody takes the place of a record on whose lineage they have no part."""
    bob = ALICE._replace(name="bob", labels=frozenset({("user_id", "bob")}))
    await accepted(provider, record("r", lineage_id="l"))
    of_bob = record("of bob", lineage_id="l", scope={"user_id": "bob"})
    assert statuses(await appended(provider, of_bob, principal=bob)) == [("rejected", "scope_denied")]
    [lookup] = await found(provider, "r")
    assert "superseded_at" not in lookup
    assert statuses(await appended(provider, of_bob)) == [("accepted", None)]  # who speaks for the scope may


async def test_what_a_record_says_of_its_origin_is_nobody_s_authority(provider: Provider) -> None:
    labelled = ALICE._replace(labels=frozenset({("user_id", "alice")}))
    claims = record(
        "claims",
        scope={"user_id": "bob"},
        provenance={
            **record("x")["provenance"],
            "origin_authority_id": "bob",
            "producer_ref": "bob",
        },
    )
    assert statuses(await appended(provider, claims, principal=labelled)) == [("rejected", "scope_denied")]


async def test_whoever_started_the_process_may_do_all(provider: Provider) -> None:
    await accepted(provider, record("r"), principal=None)
    assert await outcomes(provider, "r", principal=None) == ["found"]
    assert await outcomes(provider, "r") == ["found"]
    answer = await say(provider, erase("r"), None)
    assert answer["response"]["receipts"] == [{"record_id": "r", "status": "erased"}]


# --- erased -----------------------------------------------------------------------------------------------------


async def test_an_erased_record_leaves_its_id_and_nothing_else(provider: Provider) -> None:
    [receipt] = await accepted(provider, record("r"))
    dry = await say(provider, erase("r", "missing", dry_run=True))
    assert dry["response"]["dry_run"] is True
    assert [each["status"] for each in dry["response"]["receipts"]] == ["erased", "not_found"]
    assert await outcomes(provider, "r") == ["found"]
    answer = await say(provider, erase("r", "r", "missing"))
    assert [each["status"] for each in answer["response"]["receipts"]] == ["erased", "erased", "not_found"]
    for members in ({}, {KNOWN_AT: receipt["recorded_at"]}):
        [lookup] = await found(provider, "r", **members)
        assert lookup["status"] == "erased"
        assert lookup["code"] == "reference_not_found"
        assert record("r")["record_hash"] not in json.dumps(lookup)
    again = await say(provider, erase("r"))
    assert again["response"]["receipts"][0]["status"] == "not_found"


async def test_an_erased_record_does_not_come_back(provider: Provider) -> None:
    await accepted(provider, record("r"), idempotency_key="k")
    await say(provider, erase("r"))
    for members in ({}, {"idempotency_key": "k"}, {"idempotency_key": "other"}):
        answer = await say(provider, append(record("r"), **members))
        text = json.dumps(answer)
        assert "accepted" not in text
        assert "duplicate" not in text
    assert await outcomes(provider, "r") == ["erased"]
