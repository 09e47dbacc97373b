"""Signing what a provider answers: each frame, and the result as a whole (SPEC 6.5.5)."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..protocol import (
    AttesterKey,
    ContextQueryResult,
    FrameAttestation,
    GetResponse,
    ProvenanceAttestation,
    RecordLookup,
    format_timestamp,
)
from .commitments import frame_commitment, identity_of
from .digests import written
from .keys import SigningKey
from .records import sign_record_hash
from .trees import MerkleTree
from .verifying import result_order


def _now() -> str:
    return format_timestamp(time.time_ns() // 1_000_000_000 * 1_000_000)


class Attester:
    """Signs results in the name that a provider declares in its handshake."""

    def __init__(self, key: SigningKey, provider: str, *, now: Callable[[], str] = _now) -> None:
        self._key = key
        self._provider = provider
        self._now = now

    @property
    def keys(self) -> tuple[AttesterKey, ...]:
        """What the handshake publishes."""
        return (self._key.public,)

    def attest(self, result: ContextQueryResult) -> ContextQueryResult:
        """The result with its attestations, whatever it had before; its frames stay as they are (F6).

        The root covers every frame. A frame without a digest has no entry of its own: a signature on it would not be
        one on its content (F14). A result without frames is left unsigned, since its root is the same for everybody.
        """
        frames = result_order(self._provider, result.frames)
        commitments = [frame_commitment(self._provider, frame) for frame in frames]
        tree = MerkleTree(commitments)
        issued_at = self._now()
        entries = tuple(
            FrameAttestation(
                frame=identity_of(self._provider, frame),
                attestation=self._signed(commitment, issued_at),
                inclusion_proof=tree.proof(leaf),
            )
            for leaf, (frame, commitment) in enumerate(zip(frames, commitments, strict=True))
            if frame.content_digest is not None
        )
        whole = self._signed(tree.root, issued_at) if frames else None
        return result.replace(frame_attestations=entries, result_attestation=whole)

    def attest_records(self, response: GetResponse) -> GetResponse:
        """The answer with an attestation beside each record that is given out; the records stay as they are (LH3)."""
        issued_at = self._now()
        return response.replace(
            records=tuple(self._attested(lookup, issued_at) for lookup in response.records)
        )

    def _attested(self, lookup: RecordLookup, issued_at: str) -> RecordLookup:
        if lookup.record is None:
            return lookup
        signed = sign_record_hash(
            lookup.record["record_hash"], self._key, attester_id=self._provider, issued_at=issued_at
        )
        return lookup.replace(attestation=signed)

    def _signed(self, commitment: bytes, issued_at: str) -> ProvenanceAttestation:
        return ProvenanceAttestation(
            signed_commitment=written(commitment),
            key_id=self._key.public.key_id,
            algorithm=self._key.public.algorithm,
            attester_id=self._provider,
            signature=self._key.sign(commitment),
            issued_at=issued_at,
        )
