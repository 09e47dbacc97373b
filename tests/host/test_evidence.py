"""F8, F9, F13, F15, F16, F18: what attests a frame goes with it, is shown, and decides nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.attestation import Attester, Finding, SigningKey, Status
from memory_provider.host.composition import compose_for_prompt
from memory_provider.host.evidence import Evidence, evidence_of
from memory_provider.host.offers import Offered
from memory_provider.protocol import AttesterKey, ContextFrame, ContextQueryResult, FrameId

from .offering import changed, offer, reference

HERE, DECLARED = "tea", "tea-memory"
ATTESTER = Attester(SigningKey.from_seed(bytes([7] * 32)), DECLARED, now=lambda: "2026-08-29T12:00:00Z")
OTHER = Attester(SigningKey.from_seed(bytes([8] * 32)), DECLARED)
KEYS = ATTESTER.keys

OFFERED = [*(offer(HERE, id, f"content of {id}") for id in "abcde"), reference(HERE, "f")]


def signed(*offered: Offered) -> ContextQueryResult:
    return ATTESTER.attest(ContextQueryResult(frames=tuple(each.frame for each in offered), truncated=False))


def evidence(result: ContextQueryResult, keys: tuple[AttesterKey, ...] = KEYS) -> dict[FrameId, Evidence]:
    return evidence_of(HERE, DECLARED, result, keys)


def statuses(found: dict[FrameId, Evidence]) -> dict[str, Status]:
    return {identity.frame_id: each.verdict.status for identity, each in found.items()}


def test_F15_a_signature_over_the_content_is_told_from_one_over_the_identity() -> None:
    assert statuses(evidence(signed(*OFFERED))) == {
        **dict.fromkeys("abcde", Status.VALID),
        "f": Status.VALID_IDENTITY_ONLY,
    }


@given(st.sets(st.sampled_from(OFFERED), min_size=1))
def test_F13_what_is_kept_of_an_answer_keeps_its_proof(kept: set[Offered]) -> None:
    """With the rest of the answer gone, and only the root's signature to go by."""
    result = signed(*OFFERED)
    bare = result.replace(frame_attestations=())
    found = evidence(bare)
    assert {identity.frame_id for identity in found} == set("abcdef")
    for offered in kept:
        each = found[offered.identity]
        assert each.attestation is None and each.inclusion_proof is not None
        assert each.check(offered.frame, KEYS) == each.verdict
        assert each.verdict.signature_verifies
        moved = changed(offered, id="another").frame
        assert each.check(moved, KEYS).finding is Finding.COMMITMENT_MISMATCH
        assert each.check(offered.frame, OTHER.keys).status is Status.UNCHECKABLE


def test_all_evidence_has_to_hold() -> None:
    found = evidence(signed(*OFFERED))[OFFERED[0].identity]
    wrong_proof = found._replace(
        inclusion_proof=evidence(signed(*OFFERED))[OFFERED[1].identity].inclusion_proof
    )
    assert wrong_proof.check(OFFERED[0].frame, KEYS).status is Status.INVALID
    assert found._replace(attestation=None, result_attestation=None).check(OFFERED[0].frame, KEYS).status is (
        Status.UNATTESTED
    )


def test_a_frame_that_comes_twice_is_trusted_as_the_worse_of_the_two() -> None:
    """One identity with two contents: whichever is shown, the evidence of the other is not passed off as its own."""
    good, bad = offer(HERE, "a", "true"), changed(offer(HERE, "a", "true"), content="false")
    for frames in ((good, bad), (bad, good)):
        assert statuses(evidence(signed(*frames))) == {"a": Status.INVALID}


def tampered(result: ContextQueryResult) -> ContextQueryResult:
    entries = tuple(
        entry.replace(attestation=entry.attestation.replace(signature="00" * 64))
        for entry in result.frame_attestations
        if entry.attestation is not None
    )
    return result.replace(frame_attestations=entries)


def of_another_algorithm(result: ContextQueryResult) -> ContextQueryResult:
    entries = tuple(
        entry.replace(attestation=entry.attestation.replace(algorithm="dilithium"), inclusion_proof=None)
        for entry in result.frame_attestations
        if entry.attestation is not None
    )
    return result.replace(frame_attestations=entries, result_attestation=None)


@pytest.mark.parametrize(
    ("answer", "keys", "status"),
    [
        (signed(*OFFERED), KEYS, Status.VALID),
        (signed(*OFFERED), (), Status.UNCHECKABLE),
        (tampered(signed(*OFFERED)), KEYS, Status.INVALID),
        (of_another_algorithm(signed(*OFFERED)), KEYS, Status.UNCHECKABLE),
        (ContextQueryResult(frames=signed(*OFFERED).frames, truncated=False), KEYS, Status.UNATTESTED),
    ],
    ids=["signed", "F8 no key", "tampered", "F8 another algorithm", "unsigned"],
)
def test_F9_no_evidence_and_no_lack_of_it_drops_a_frame(
    answer: ContextQueryResult, keys: tuple[AttesterKey, ...], status: Status
) -> None:
    plain = compose_for_prompt(OFFERED, 1000)
    prompt = compose_for_prompt(OFFERED, 1000, evidence=evidence(answer, keys))
    assert (prompt.text, prompt.frames, prompt.citations) == (plain.text, plain.frames, plain.citations)
    assert {entry.verdict.status for entry in prompt.audit.entries if entry.frame.frame_id != "f"} == {status}


def shown(result: ContextQueryResult) -> dict[str, dict[str, Any]]:
    audit = compose_for_prompt(OFFERED, 1000, evidence=evidence(result)).audit.plain()
    assert json.loads(json.dumps(audit)) == audit
    return {entry["frame"]["frame_id"]: entry["evidence"] for entry in audit["entries"]}


def test_F16_the_audit_shows_verdict_and_proof() -> None:
    result = signed(*OFFERED)
    of_frames = shown(result)
    assert of_frames["a"]["status"] == "valid" and of_frames["a"]["covers_content"]
    assert of_frames["f"]["status"] == "valid_identity_only" and not of_frames["f"]["covers_content"]
    assert result.result_attestation is not None
    for each in of_frames.values():
        assert each["inclusion_proof"]["leaf_count"] == len(OFFERED)
        assert each["root"] == result.result_attestation.signed_commitment
        assert each["checked_with"]["public_key"] == KEYS[0].public_key


def test_F18_nothing_is_shown_that_no_signature_covers() -> None:
    text = json.dumps(shown(signed(*OFFERED)))
    assert "issued_at" not in text and "2026-08-29" not in text and "attester" not in text


def test_an_unsigned_answer_costs_nothing_to_look_at() -> None:
    assert evidence(ContextQueryResult(frames=(OFFERED[0].frame,), truncated=False)) == {}


def test_the_frame_that_is_held_is_the_one_that_is_checked() -> None:
    found = evidence(signed(*OFFERED))[OFFERED[0].identity]
    moved = ContextFrame.trusted({**OFFERED[0].frame.__dict__, "content": "moved"})
    assert found.check(moved, KEYS).finding is Finding.CONTENT_MISMATCH
