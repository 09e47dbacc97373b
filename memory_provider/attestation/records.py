"""Attestations of context records: a signature over a record's hash, under a domain of its own (LC4).

A record's hash is a plain SHA-256, which other systems sign too. The domain in front of it keeps such a signature, or
one over a frame, from being shown as a record's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ..protocol import AttesterKey, ProtocolError, RecordAttestation
from ..protocol.lifecycle import hashing as record_hashing
from .digests import read_digest
from .keys import SigningKey
from .signatures import Signature
from .verdicts import Finding, Verdict

RECORD: Final = b"contextgraph/attest/1/record"


def sign_record_hash(
    record_hash: str, key: SigningKey, *, attester_id: str, issued_at: str
) -> RecordAttestation:
    """The attestation of a record with this hash; it stays apart from the record.

    Raises `ValueError` if that is no digest.
    """
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


def verify_record(
    record: Mapping[str, Any], attestation: RecordAttestation, keys: Iterable[AttesterKey]
) -> Verdict:
    """Whether a record, as plain JSON, is what an attestation signs.

    Its hash is computed from what it holds; what it says of its own hash proves nothing (LC5).
    """
    try:
        found = record_hashing.record_hash(record)
    except ProtocolError:
        return Verdict.of(Finding.MALFORMED_RECORD)
    return verify_record_hash(found, attestation, keys)


def verify_record_hash(
    record_hash: str, attestation: RecordAttestation, keys: Iterable[AttesterKey]
) -> Verdict:
    """Whether an attestation signs this hash, for those who have the hash and not the record."""
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
