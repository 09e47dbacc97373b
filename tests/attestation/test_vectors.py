"""The values that the protocol publishes, reproduced: encodings, commitments, trees, signatures."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from memory_provider.attestation import (
    Finding,
    MerkleTree,
    SigningKey,
    Status,
    chain_head,
    frame_commitment,
    root_from_proof,
    sign_record_hash,
    verify_commitment,
    verify_frame,
    verify_inclusion,
    verify_record_hash,
    verify_result,
)
from memory_provider.attestation.commitments import encoded_link
from memory_provider.attestation.ed25519 import is_sound_key, verifies
from memory_provider.protocol import (
    AttesterKey,
    ContextFrame,
    Frames,
    ProvenanceAttestation,
    ProvenanceLink,
    RecordAttestation,
    decode,
)

from .signed import as_read, frame

DATA = Path(__file__).parents[1] / "data" / "protocol"


@cache
def load(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_bytes())


VECTORS = load("attestation-vectors")
LINKS = {name: ProvenanceLink(**link) for name, link in VECTORS["links"].items()}
LINKS |= {"empty_uri": ProvenanceLink(type="file", uri=""), "absent_uri": ProvenanceLink(type="file")}


def digest(raw: bytes) -> str:
    return f"sha256:{raw.hex()}"


def frame_of(described: dict[str, Any]) -> ContextFrame:
    """Without content: the digests of the vectors are of none."""
    provenance = tuple(LINKS[name] for name in described["provenance"])
    return frame(described["id"], None, content_digest=described["content_digest"], provenance=provenance)


@pytest.mark.parametrize("name", VECTORS["link_encodings_hex"])
def test_link_encodings(name: str) -> None:
    assert encoded_link(LINKS[name]).hex() == VECTORS["link_encodings_hex"][name]


@pytest.mark.parametrize(
    ("names", "head"),
    [
        ([], VECTORS["chain_heads"]["empty"]),
        (["file"], VECTORS["chain_heads"]["file"]),
        (["file", "derivation"], VECTORS["chain_heads"]["file_then_derivation"]),
        (["unicode"], VECTORS["chain_heads"]["unicode"]),
        (["empty_uri"], load("crate-vectors")["chain_heads"]["empty_uri"]),
        (["absent_uri"], load("crate-vectors")["chain_heads"]["absent_uri"]),
    ],
)
def test_chain_heads(names: list[str], head: str) -> None:
    assert digest(chain_head(LINKS[name] for name in names)) == head


def test_the_frame_commitment() -> None:
    vector = VECTORS["frame_commitment"]
    assert digest(frame_commitment(vector["provider_id"], frame_of(vector["frame"]))) == vector["commitment"]


def leaves(count: int) -> list[bytes]:
    merkle = VECTORS["merkle"]
    return [frame_commitment(merkle["provider_id"], frame_of(each)) for each in merkle["leaf_frames"][:count]]


@pytest.mark.parametrize("count", VECTORS["merkle"]["roots_by_leaf_count"])
def test_roots(count: str) -> None:
    assert digest(MerkleTree(leaves(int(count))).root) == VECTORS["merkle"]["roots_by_leaf_count"][count]


def test_the_inclusion_proof() -> None:
    vector = VECTORS["merkle"]["inclusion_proof"]
    tree = MerkleTree(leaves(vector["leaf_count"]))
    proof = tree.proof(vector["leaf_index"])
    assert proof.leaf_count == vector["leaf_count"]
    assert [(step.sibling, step.sibling_is_left) for step in proof.path] == [
        (step["sibling"], step["sibling_is_left"]) for step in vector["path"]
    ]
    assert root_from_proof(leaves(7)[vector["leaf_index"]], proof) == tree.root


def test_the_signature() -> None:
    vector = VECTORS["signature"]
    key = SigningKey.from_seed(bytes.fromhex(vector["signing_key_seed_hex"]))
    assert key.public.public_key == vector["public_key_hex"]
    attestation = ProvenanceAttestation(**vector["attestation"])
    commitment = bytes.fromhex(attestation.signed_commitment.removeprefix("sha256:"))
    assert key.sign(commitment) == attestation.signature
    published = AttesterKey(key_id="key-1", algorithm="ed25519", public_key=vector["public_key_hex"])
    assert verify_commitment(commitment, attestation, [published]).status is Status.VALID
    signed = frame_of(VECTORS["frame_commitment"]["frame"])
    assert verify_frame("repo-graph", signed, attestation, [published]).status is Status.VALID
    assert verify_frame("repo-grapH", signed, attestation, [published]).finding is Finding.COMMITMENT_MISMATCH


@pytest.mark.parametrize(
    "public_key",
    VECTORS["verifier_strictness"]["small_order_public_keys_hex"]
    + VECTORS["verifier_strictness"]["non_canonical_public_keys_hex"],
)
def test_keys_that_more_than_their_owner_can_sign_with_are_refused(public_key: str) -> None:
    assert not is_sound_key(bytes.fromhex(public_key))
    weak = AttesterKey(key_id="key-1", algorithm="ed25519", public_key=public_key)
    commitment = bytes(32)
    # Under the identity this signature fits any message, by the library's own judgement.
    attestation = ProvenanceAttestation(
        signed_commitment=digest(commitment),
        key_id="key-1",
        algorithm="ed25519",
        attester_id="anybody",
        signature=(b"\x01" + bytes(63)).hex(),
        issued_at="2026-08-27T00:00:00Z",
    )
    verdict = verify_commitment(commitment, attestation, [weak])
    assert (verdict.status, verdict.finding) == (Status.UNCHECKABLE, Finding.MALFORMED_KEY)
    assert not verifies(bytes.fromhex(public_key), b"\x01" + bytes(63), commitment)


def test_the_library_alone_would_take_a_key_of_small_order() -> None:
    """Why there is a check of ours: the day this fails it has become superfluous."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    identity = b"\x01" + bytes(31)
    Ed25519PublicKey.from_public_bytes(identity).verify(identity + bytes(32), b"any message")


def test_a_signature_that_begins_with_a_point_of_small_order_is_refused() -> None:
    """The owner of a key can make one, and strict verifiers refuse it: two of them must not disagree."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    seed, message, point = bytes([7] * 32), bytes(32), b"\x01" + bytes(31)
    public_key = bytes.fromhex(VECTORS["signature"]["public_key_hex"])
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = (int.from_bytes(sha512(seed).digest()[:32], "little") & (2**254 - 8)) | 2**254
    challenge = int.from_bytes(sha512(point + public_key + message).digest(), "little") % order
    signature = point + (challenge * scalar % order).to_bytes(32, "little")
    Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    assert not verifies(public_key, signature, message)


def test_a_signed_answer_on_the_wire() -> None:
    envelope = decode((DATA / "signed-frames.json").read_bytes())
    assert isinstance(envelope, Frames)
    result = envelope.result
    public = SigningKey.from_seed(b"\x2a" * 32).public.replace(key_id="repo-graph-2026-08")
    verdicts = verify_result("repo-graph", result, [public])
    assert verdicts.result.status is Status.VALID
    # Its digests are placeholders, not those of its contents: signed as they are, and found out.
    assert {each.finding for each in verdicts.frames} == {Finding.CONTENT_MISMATCH}
    bare = [as_read(each, content=None) for each in result.frames]
    verdicts = verify_result("repo-graph", result.replace(frames=tuple(bare)), [public])
    assert {each.status for each in verdicts.frames} == {Status.VALID}
    assert result.result_attestation is not None
    for each, entry in zip(bare, result.frame_attestations, strict=True):
        assert entry.inclusion_proof is not None
        proof, root = entry.inclusion_proof, result.result_attestation
        assert verify_inclusion("repo-graph", each, proof, root, [public]).status is Status.VALID


def test_the_record_attestation() -> None:
    described = load("record-attestation-key")
    attestation = RecordAttestation(**load("crate-vectors")["record_attestation"])
    key = SigningKey.from_seed(bytes.fromhex(described["signing_key_seed"]))
    assert key.public.public_key == described["public_key"]
    record_hash = attestation.signed_record_hash
    assert key.sign(bytes.fromhex(described["signed_message_hex"])) == attestation.signature
    made = sign_record_hash(
        record_hash, key, attester_id=attestation.attester_id, issued_at=attestation.issued_at
    )
    assert made == attestation.replace(key_id=key.public.key_id)
    public = key.public.replace(key_id=attestation.key_id)
    assert verify_record_hash(record_hash, attestation, [public]).status is Status.VALID
    placeholder = "3045022100c0ffee02207a1753754b6e334dc7e782562dfe52fb54eb67a66d01ecffe499"
    old = attestation.replace(signature=placeholder)
    assert verify_record_hash(record_hash, old, [public]).finding is Finding.MALFORMED_SIGNATURE
