"""Checking frames and results against their attestations: offline, pure, and never raising (SPEC 6.5.4).

`keys` are those that a verifier holds. Keys out of a provider's handshake say whether its evidence is consistent; only
keys that were pinned by other means say who signed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..protocol import (
    AttesterKey,
    ContextFrame,
    ContextQueryResult,
    FrameAttestation,
    FrameId,
    InclusionProof,
    ProvenanceAttestation,
    digest,
)
from .commitments import frame_commitment, identity_of
from .signatures import Signature
from .trees import MerkleTree, root_from_proof
from .verdicts import UNATTESTED, Finding, ResultVerdicts, Status, Verdict


def verify_commitment(
    commitment: bytes, attestation: ProvenanceAttestation, keys: Iterable[AttesterKey]
) -> Verdict:
    """Whether a commitment, a frame's or the root of a result, is what an attestation signs."""
    return _signature(attestation, keys).over(commitment)


def verify_frame(
    provider: str, frame: ContextFrame, attestation: ProvenanceAttestation, keys: Iterable[AttesterKey]
) -> Verdict:
    """Whether a frame is what an attestation signs. `provider` is the name declared in the handshake."""
    return _on_frame(frame, verify_commitment(frame_commitment(provider, frame), attestation, keys))


def verify_inclusion(
    provider: str,
    frame: ContextFrame,
    proof: InclusionProof,
    result_attestation: ProvenanceAttestation,
    keys: Iterable[AttesterKey],
) -> Verdict:
    """Whether a frame was in a signed result, which need not be at hand any more."""
    return _included(provider, frame, proof, _signature(result_attestation, keys))


def verify_result(
    provider: str, result: ContextQueryResult, keys: Iterable[AttesterKey], *, complete: bool = True
) -> ResultVerdicts:
    """A verdict on a result and on each of its frames.

    All evidence that a frame has must hold: a proof that leads elsewhere is found although the frame's own signature is
    good. `complete=False` is for what was retained of a result: its frames are fewer than those signed, so the result
    as a whole has no verdict.
    """
    held = tuple(keys)
    root = None if result.result_attestation is None else _signature(result.result_attestation, held)
    # The first entry of each identity counts: whatever else a peer sends buys it no work.
    entries: dict[FrameId, FrameAttestation] = {}
    for entry in result.frame_attestations:
        entries.setdefault(entry.frame, entry)
    verdicts = []
    for frame in result.frames:
        entry_of_frame = entries.get(identity_of(provider, frame))
        verdicts.append(
            UNATTESTED
            if entry_of_frame is None
            else _by_entry(
                provider, frame, entry_of_frame, root, held, len(result.frames) if complete else None
            )
        )
    whole = root.over(result_tree(provider, result).root) if root is not None and complete else UNATTESTED
    return ResultVerdicts(whole, tuple(verdicts))


def result_order(provider: str, frames: Iterable[ContextFrame]) -> list[ContextFrame]:
    """Frames in the order of their identities, which is that of the leaves whatever order they came in."""
    return sorted(frames, key=lambda frame: identity_of(provider, frame).sort_key)


def result_tree(provider: str, result: ContextQueryResult) -> MerkleTree:
    """The tree over exactly the frames of a result (F12)."""
    return MerkleTree(frame_commitment(provider, frame) for frame in result_order(provider, result.frames))


def _by_entry(
    provider: str,
    frame: ContextFrame,
    entry: FrameAttestation,
    root: Signature | None,
    keys: tuple[AttesterKey, ...],
    leaves: int | None,
) -> Verdict:
    proof = entry.inclusion_proof
    included = None
    if proof is not None and root is not None:
        included = (
            Verdict.of(Finding.MALFORMED_PROOF)
            if leaves is not None and proof.leaf_count != leaves
            else _included(provider, frame, proof, root)
        )
    if entry.attestation is None:
        return Verdict.of(Finding.NO_EVIDENCE) if included is None else included
    own = verify_frame(provider, frame, entry.attestation, keys)
    wrong = (Finding.MALFORMED_PROOF, Finding.COMMITMENT_MISMATCH)
    return included if included is not None and own.signature_verifies and included.finding in wrong else own


def _included(provider: str, frame: ContextFrame, proof: InclusionProof, root: Signature) -> Verdict:
    found = root_from_proof(frame_commitment(provider, frame), proof)
    return Verdict.of(Finding.MALFORMED_PROOF) if found is None else _on_frame(frame, root.over(found))


def _on_frame(frame: ContextFrame, verdict: Verdict) -> Verdict:
    """What a good signature over a frame's commitment says of the frame: its content counts by its digest only."""
    if verdict.status is not Status.VALID:
        return verdict
    if frame.content_digest is None:
        return verdict._replace(status=Status.VALID_IDENTITY_ONLY)
    content = frame.content
    if content is not None and digest(content.encode()) != frame.content_digest:
        return Verdict.of(Finding.CONTENT_MISMATCH, verdict.key)
    return verdict


def _signature(attestation: ProvenanceAttestation, keys: Iterable[AttesterKey]) -> Signature:
    return Signature(
        attestation.signed_commitment,
        attestation.key_id,
        attestation.algorithm,
        attestation.signature,
        keys,
    )
