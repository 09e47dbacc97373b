"""What checking an attestation can end in.

A verdict speaks of what was signed and of the key that it was checked with. What else an attestation says, who issued
it and when, no signature covers (F18), so no verdict repeats it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ..protocol import AttesterKey


class Status(StrEnum):
    """How far evidence can be relied upon. None of these is a reason to drop a frame (F9)."""

    VALID = "valid"
    """Signed with the key, the content too."""
    VALID_IDENTITY_ONLY = "valid_identity_only"
    """Signed with the key, but not the content: the frame has no `content_digest` (F15)."""
    INVALID = "invalid"
    """Not what was signed, or not signed with that key."""
    UNCHECKABLE = "uncheckable"
    """Nothing is known: it cannot be checked with the keys or the algorithms there are here (F8)."""
    UNATTESTED = "unattested"
    """There is no evidence."""


class Finding(StrEnum):
    """Why evidence is not valid."""

    COMMITMENT_MISMATCH = "commitment_mismatch"
    """Something else was signed: the frame, its provenance or the result was changed after that."""
    CONTENT_MISMATCH = "content_mismatch"
    """The content is not what the frame's own digest says."""
    BAD_SIGNATURE = "bad_signature"
    """What was signed is this, but not with this key."""
    MALFORMED_COMMITMENT = "malformed_commitment"
    """What was signed is not written as a digest."""
    MALFORMED_SIGNATURE = "malformed_signature"
    """The signature is not written as 64 bytes."""
    MALFORMED_PROOF = "malformed_proof"
    """No tree of its size has such a proof, or it comes from another tree than the result's."""
    MALFORMED_RECORD = "malformed_record"
    """The record has no canonical JSON, so it has no hash that could have been signed."""
    UNKNOWN_ALGORITHM = "unknown_algorithm"
    """The algorithm is none that is known here."""
    UNKNOWN_KEY = "unknown_key"
    """No key of that id is at hand."""
    MALFORMED_KEY = "malformed_key"
    """The key of that id is no public key that could be used."""
    NO_EVIDENCE = "no_evidence"
    """The frame is named, but with neither a signature nor a proof under a signed root."""
    LIBRARY_MISSING = "library_missing"
    """The library that checks signatures is not installed."""


_UNCHECKABLE = frozenset(
    {
        Finding.UNKNOWN_ALGORITHM,
        Finding.UNKNOWN_KEY,
        Finding.MALFORMED_KEY,
        Finding.NO_EVIDENCE,
        Finding.LIBRARY_MISSING,
    }
)


class Verdict(NamedTuple):
    """The end of a check: how far to rely on it, why no further, and the key it was checked with."""

    status: Status
    finding: Finding | None = None
    key: AttesterKey | None = None

    @classmethod
    def of(cls, finding: Finding, key: AttesterKey | None = None) -> Verdict:
        """The verdict that a finding leads to."""
        status = Status.UNCHECKABLE if finding in _UNCHECKABLE else Status.INVALID
        return cls(status, finding, key)

    @property
    def signature_verifies(self) -> bool:
        """Whether the key's owner signed this, whatever of it the signature covers."""
        return self.status in (Status.VALID, Status.VALID_IDENTITY_ONLY)

    @property
    def covers_content(self) -> bool:
        """Whether the content is what was signed (F16)."""
        return self.status is Status.VALID


UNATTESTED = Verdict(Status.UNATTESTED)


class ResultVerdicts(NamedTuple):
    """The verdict on the result as a whole, and one on each of its frames, in their order."""

    result: Verdict
    frames: tuple[Verdict, ...]
