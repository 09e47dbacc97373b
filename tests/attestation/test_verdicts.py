"""Every verdict there is, and that nothing a peer may send brings anything else."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.attestation import (
    Finding,
    Status,
    frame_commitment,
    identity_of,
    retain,
    sign_record_hash,
    verify_commitment,
    verify_frame,
    verify_record,
    verify_record_hash,
    verify_result,
)
from memory_provider.attestation import signatures as signatures_module
from memory_provider.protocol import (
    AttesterKey,
    ContextFrame,
    ContextQueryResult,
    FrameAttestation,
    InclusionProof,
    InclusionStep,
    ProvenanceAttestation,
    RecordAttestation,
)
from memory_provider.protocol.lifecycle.hashing import record_hash

from .signed import ATTESTER, KEY, KEYS, PROVIDER, as_read, frame, frames, result, signed

FRAME = frame("mem:42")
SIGNED = signed(FRAME, frame("mem:7"))
ENTRY = next(each for each in SIGNED.frame_attestations if each.frame.frame_id == "mem:42")


def attestation(**changes: Any) -> ProvenanceAttestation:
    assert ENTRY.attestation is not None
    return ENTRY.attestation.replace(**changes)


GOOD = attestation()


@pytest.mark.parametrize(
    ("changes", "status", "finding"),
    [
        ({}, Status.VALID, None),
        ({"algorithm": "dilithium3"}, Status.UNCHECKABLE, Finding.UNKNOWN_ALGORITHM),
        ({"algorithm": "Ed25519"}, Status.UNCHECKABLE, Finding.UNKNOWN_ALGORITHM),
        ({"key_id": "another"}, Status.UNCHECKABLE, Finding.UNKNOWN_KEY),
        ({"signed_commitment": "sha256:00"}, Status.INVALID, Finding.MALFORMED_COMMITMENT),
        (
            {"signed_commitment": GOOD.signed_commitment.upper()},
            Status.INVALID,
            Finding.MALFORMED_COMMITMENT,
        ),
        (
            {"signed_commitment": GOOD.signed_commitment + "\n"},
            Status.INVALID,
            Finding.MALFORMED_COMMITMENT,
        ),
        ({"signed_commitment": "sha256:" + "00" * 32}, Status.INVALID, Finding.COMMITMENT_MISMATCH),
        ({"signature": GOOD.signature.upper()}, Status.INVALID, Finding.MALFORMED_SIGNATURE),
        ({"signature": GOOD.signature[:-2]}, Status.INVALID, Finding.MALFORMED_SIGNATURE),
        ({"signature": " " + GOOD.signature[1:]}, Status.INVALID, Finding.MALFORMED_SIGNATURE),
        ({"signature": "00" * 64}, Status.INVALID, Finding.BAD_SIGNATURE),
    ],
)
def test_the_verdict_on_a_frame(changes: dict[str, Any], status: Status, finding: Finding | None) -> None:
    verdict = verify_frame(PROVIDER, FRAME, attestation(**changes), KEYS)
    assert (verdict.status, verdict.finding) == (status, finding)
    assert verdict.signature_verifies is verdict.covers_content is (status is Status.VALID)


def test_F18_what_the_signature_does_not_cover_changes_no_verdict_and_is_in_none() -> None:
    """Who issued it and when are claims."""
    forged = attestation(attester_id="somebody else", issued_at="1999-01-01T00:00:00Z")
    verdict = verify_frame(PROVIDER, FRAME, forged, KEYS)
    assert verdict == verify_frame(PROVIDER, FRAME, GOOD, KEYS)
    assert verdict.key == KEY.public
    assert "somebody else" not in repr(verdict)


def test_F14_F15_a_signature_without_a_digest_covers_no_content() -> None:
    """A provider never signs such a frame here, others may."""
    bare = as_read(FRAME, content_digest=None)
    whole = ATTESTER.attest(result(bare))
    assert whole.frame_attestations == (), "F14"
    assert whole.result_attestation is not None, "F12: the root is over every frame"
    alone = whole.result_attestation.replace(
        signed_commitment=commitment_of(bare), signature=KEY.sign(bytes.fromhex(commitment_of(bare)[7:]))
    )
    verdict = verify_frame(PROVIDER, bare, alone, KEYS)
    assert verdict.status is Status.VALID_IDENTITY_ONLY
    assert verdict.signature_verifies
    assert not verdict.covers_content
    other_words = verify_frame(PROVIDER, as_read(bare, content="Anything."), alone, KEYS)
    assert other_words.status is Status.VALID_IDENTITY_ONLY


def commitment_of(each: ContextFrame) -> str:
    return f"sha256:{frame_commitment(PROVIDER, each).hex()}"


@pytest.mark.parametrize(
    ("key", "finding"),
    [
        (KEY.public.replace(public_key=KEY.public.public_key.upper()), Finding.MALFORMED_KEY),
        (KEY.public.replace(public_key="00"), Finding.MALFORMED_KEY),
        (KEY.public.replace(public_key="02" + "00" * 31), Finding.MALFORMED_KEY),  # no point of the curve
        (KEY.public.replace(algorithm="x25519"), Finding.UNKNOWN_ALGORITHM),
    ],
)
def test_a_key_that_cannot_be_used_makes_nothing_invalid(key: AttesterKey, finding: Finding) -> None:
    verdict = verify_frame(PROVIDER, FRAME, GOOD, [key])
    assert (verdict.status, verdict.finding) == (Status.UNCHECKABLE, finding)


def test_a_frame_without_evidence_is_unattested() -> None:
    nothing = FrameAttestation(frame=identity_of(PROVIDER, FRAME))
    cases: list[tuple[ContextQueryResult, Status]] = [
        (result(FRAME), Status.UNATTESTED),
        (SIGNED.replace(frame_attestations=(), frames=(FRAME,)), Status.UNATTESTED),
        (result(FRAME).replace(frame_attestations=(nothing,)), Status.UNCHECKABLE),
        # A proof under a root that did not come along proves nothing.
        (result(FRAME).replace(frame_attestations=(ENTRY.replace(attestation=None),)), Status.UNCHECKABLE),
        (result(FRAME).replace(frame_attestations=(ENTRY,)), Status.VALID),
        # Of another provider, by its own word.
        (
            result(FRAME).replace(
                frame_attestations=(ENTRY.replace(frame=ENTRY.frame.replace(provider_id="x")),)
            ),
            Status.UNATTESTED,
        ),
    ]
    for answer, status in cases:
        assert verify_result(PROVIDER, answer, KEYS).frames[0].status is status


def test_a_root_is_checked_once_and_one_entry_a_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = []
    verifies = signatures_module.ed25519.verifies

    def counting(*arguments: bytes) -> bool:
        checked.append(arguments)
        return verifies(*arguments)

    monkeypatch.setattr(signatures_module.ed25519, "verifies", counting)
    many = signed(*(frame(f"mem:{number}") for number in range(20)))
    proven = tuple(entry.replace(attestation=None) for entry in many.frame_attestations)
    verdicts = verify_result(PROVIDER, many.replace(frame_attestations=proven), KEYS)
    assert {each.status for each in verdicts.frames} == {Status.VALID}
    assert len(checked) == 1
    checked.clear()
    flood = SIGNED.replace(frame_attestations=(ENTRY,) * 10_000)
    verify_result(PROVIDER, flood, KEYS)
    assert len(checked) == 2


def test_proofs_are_derived_from_the_signed_result_alone() -> None:
    """When a frame is gone already, its root cannot be computed any more; what is left is no forgery for that."""
    bare = SIGNED.replace(frame_attestations=())
    late = retain(PROVIDER, bare.replace(frames=bare.frames[:1]), [identity_of(PROVIDER, FRAME)])
    assert late.frames == (FRAME,)
    assert late.frame_attestations == ()
    in_time = retain(PROVIDER, bare, [identity_of(PROVIDER, FRAME)])
    verdicts = verify_result(PROVIDER, in_time, KEYS, complete=False)
    assert [each.status for each in verdicts.frames] == [Status.VALID]


def test_without_the_library_nothing_is_known_but_changes_are_still_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, name, None)
    verdict = verify_frame(PROVIDER, FRAME, GOOD, KEYS)
    assert (verdict.status, verdict.finding) == (Status.UNCHECKABLE, Finding.LIBRARY_MISSING)
    verdict = verify_frame(PROVIDER, as_read(FRAME, id="mem:43"), GOOD, KEYS)
    assert verdict.finding is Finding.COMMITMENT_MISMATCH


def digests(raw: bytes) -> str:
    return f"sha256:{raw.hex()}"


# As a decoder lets them through: well-formed or not, of a kind that is looked at or not.
raw_32 = st.binary(min_size=32, max_size=32)
anything = st.text(max_size=4)
odd_attestations = st.builds(
    ProvenanceAttestation,
    signed_commitment=raw_32.map(digests) | st.just(GOOD.signed_commitment) | anything,
    key_id=st.sampled_from(["k", KEYS[0].key_id]) | anything,
    algorithm=st.sampled_from(["ed25519", "ed25519", "rsa"]),
    attester_id=anything,
    signature=st.binary(min_size=64, max_size=64).map(bytes.hex) | st.just(GOOD.signature) | anything,
    issued_at=anything,
)
odd_proofs = st.builds(
    InclusionProof,
    leaf_index=st.integers(0, 3) | st.integers(0, 2**64 - 1),
    leaf_count=st.integers(0, 3) | st.integers(0, 2**64 - 1),
    path=st.lists(
        st.builds(InclusionStep, sibling=raw_32.map(digests) | anything, sibling_is_left=st.booleans()),
        max_size=3,
    ).map(tuple),
)
odd_frames = st.builds(
    lambda each, digest, content: as_read(each, content_digest=digest, content=content),
    frames,
    st.none() | raw_32.map(digests) | anything,
    st.none() | anything,
)
odd_keys = st.builds(
    AttesterKey,
    key_id=st.just("k") | anything,
    algorithm=st.just("ed25519") | anything,
    public_key=raw_32.map(bytes.hex) | anything,
)


@given(
    st.lists(odd_frames, max_size=4),
    st.lists(st.tuples(st.none() | odd_attestations, st.none() | odd_proofs), max_size=4),
    st.none() | odd_attestations,
    st.lists(odd_keys, max_size=3),
)
def test_whatever_a_peer_sends_has_a_verdict(
    served: list[ContextFrame],
    evidence: list[tuple[ProvenanceAttestation | None, InclusionProof | None]],
    root: ProvenanceAttestation | None,
    keys: list[AttesterKey],
) -> None:
    entries = tuple(
        FrameAttestation(frame=identity_of("p", frame), attestation=attestation, inclusion_proof=proof)
        for frame, (attestation, proof) in zip(served, evidence, strict=False)
    )
    answer = ContextQueryResult(
        frames=tuple(served), truncated=False, frame_attestations=entries, result_attestation=root
    )
    for complete in (True, False):
        verdicts = verify_result("p", answer, [*keys, *KEYS], complete=complete)
        assert len(verdicts.frames) == len(served)
        assert not any(each.signature_verifies for each in (verdicts.result, *verdicts.frames))
    retain("p", answer, [identity_of("p", frame) for frame in served[:1]])


RECORD_HASH = "sha256:" + "5a" * 32


def record_attestation(**changes: Any) -> RecordAttestation:
    made = sign_record_hash(RECORD_HASH, KEY, attester_id="p", issued_at="2026-08-29T12:00:00Z")
    return made.replace(**changes)


@pytest.mark.parametrize(
    ("hash_", "changes", "finding"),
    [
        (RECORD_HASH, {}, None),
        ("sha256:" + "5b" * 32, {}, Finding.COMMITMENT_MISMATCH),
        ("no digest", {}, Finding.MALFORMED_COMMITMENT),
        (RECORD_HASH, {"signed_record_hash": "x"}, Finding.MALFORMED_COMMITMENT),
        (RECORD_HASH, {"algorithm": "x"}, Finding.UNKNOWN_ALGORITHM),
        (RECORD_HASH, {"key_id": "x"}, Finding.UNKNOWN_KEY),
        (RECORD_HASH, {"signature": "ab" * 64}, Finding.BAD_SIGNATURE),
        # The same digest signed as a frame's commitment.
        (RECORD_HASH, {"signature": KEY.sign(bytes([0x5A] * 32))}, Finding.BAD_SIGNATURE),
    ],
)
def test_the_verdict_on_a_record(hash_: str, changes: dict[str, Any], finding: Finding | None) -> None:
    assert verify_record_hash(hash_, record_attestation(**changes), KEYS).finding is finding


def test_a_record_s_signature_is_none_over_a_commitment() -> None:
    record = record_attestation()
    as_frame = GOOD.replace(signed_commitment=RECORD_HASH, signature=record.signature)
    verdict = verify_commitment(bytes([0x5A] * 32), as_frame, KEYS)
    assert verdict.finding is Finding.BAD_SIGNATURE
    with pytest.raises(ValueError, match="sha256"):
        sign_record_hash("sha256:5a", KEY, attester_id="p", issued_at="2026-08-29T12:00:00Z")


def test_LC5_a_record_is_judged_by_what_it_holds() -> None:
    """Not by what it says of its own hash."""
    record: dict[str, Any] = {"record_id": "r", "statement": "On the shelf.", "record_hash": RECORD_HASH}
    made = sign_record_hash(record_hash(record), KEY, attester_id="p", issued_at="2026-08-29T12:00:00Z")
    assert verify_record(record, made, KEYS).status is Status.VALID
    assert verify_record({**record, "record_hash": "whatever"}, made, KEYS).status is Status.VALID
    edited = {**record, "statement": "In the cupboard.", "record_hash": made.signed_record_hash}
    assert verify_record(edited, made, KEYS).finding is Finding.COMMITMENT_MISMATCH
    for unhashable in ({"n": 2**53 + 1}, {"\ud800": 1}, {"n": float("nan")}):
        assert verify_record(unhashable, made, KEYS).finding is Finding.MALFORMED_RECORD
