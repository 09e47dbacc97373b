"""Signed provenance: that a frame, a result or a record is what the holder of a key vouched for (SPEC 6.5).

`commitments` and `trees` are hashing only; what signs or checks a signature needs the library `cryptography` (extra
`attestation`), which is imported by the first call that does. Nothing here does I/O but `key_files`, and a verifier
never raises for anything a peer may send: it answers a `Verdict`.
"""

from .commitments import chain_head, frame_commitment, identity_of
from .errors import CryptographyMissing, KeyFileError
from .key_files import create_key_file, read_key_file
from .keys import SigningKey
from .records import sign_record_hash, verify_record, verify_record_hash
from .retaining import retain
from .signing import Attester
from .trees import MerkleTree, root_from_proof
from .verdicts import Finding, ResultVerdicts, Status, Verdict
from .verifying import verify_commitment, verify_frame, verify_inclusion, verify_result

__all__ = [
    "Attester",
    "CryptographyMissing",
    "Finding",
    "KeyFileError",
    "MerkleTree",
    "ResultVerdicts",
    "SigningKey",
    "Status",
    "Verdict",
    "chain_head",
    "create_key_file",
    "frame_commitment",
    "identity_of",
    "read_key_file",
    "retain",
    "root_from_proof",
    "sign_record_hash",
    "verify_commitment",
    "verify_frame",
    "verify_inclusion",
    "verify_record",
    "verify_record_hash",
    "verify_result",
]
