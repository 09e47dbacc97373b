"""Attestations of context records: a signature over a record's hash, under a domain of its own (lifecycle profile 7).

A record's hash is a plain SHA-256, which other systems sign too. The domain in front of it keeps such a signature, or
one over a frame, from being shown as a record's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..protocol import AttesterKey, RecordAttestation
from .digests import read_digest
from .keys import SigningKey
from .signatures import Signature
from .verdicts import Finding, Verdict

RECORD: Final = b"contextgraph/attest/1/record"


def sign_record_hash(
    record_hash: str, key: SigningKey, *, attester_id: str, issued_at: str
) -> RecordAttestation:
    """The attestation of a record with this hash. Raises `ValueError` if it is no digest."""
    digest = read_digest(record_hash)
    if digest is None:
        raise ValueError(f"expected sha256: and 64 lower-case hexadecimal digits, got {record_hash!r}")
    return RecordAttestation(
        signed_record_hash=record_hash,
        key_id=key.public.key_id,
        algorithm=key.public.algorithm,
        attester_id=attester_id,
        signature=key.sign(RECORD + digest),
        issued_at=issued_at,
    )


def verify_record_hash(
    record_hash: str, attestation: RecordAttestation, keys: Iterable[AttesterKey]
) -> Verdict:
    """Whether an attestation signs this hash.

    It has to be recomputed from the record in hand (LC5): what the record says of its own hash proves nothing.
    """
    digest = read_digest(record_hash)
    if digest is None:
        return Verdict.of(Finding.MALFORMED_COMMITMENT)
    return Signature(
        attestation.signed_record_hash,
        attestation.key_id,
        attestation.algorithm,
        attestation.signature,
        keys,
        domain=RECORD,
    ).over(digest)
