"""One signature, checked at most once whatever it is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ..protocol import AttesterKey
from . import ed25519
from .digests import read_digest, read_hexadecimal
from .errors import CryptographyMissing
from .verdicts import Finding, Status, Verdict


class Signature:
    """A signature over a digest, and the keys that a verifier holds.

    `domain` stands before the digest in what is signed.
    """

    def __init__(
        self,
        digest: str,
        key_id: str,
        algorithm: str,
        signature: str,
        keys: Iterable[AttesterKey],
        *,
        domain: bytes = b"",
    ) -> None:
        self._digest = read_digest(digest)
        self._algorithm = algorithm
        self._signature = signature
        self._domain = domain
        self._key = next((key for key in keys if key.key_id == key_id), None)

    def over(self, digest: bytes) -> Verdict:
        """Whether this digest was signed. It is compared first: a change is told from a forgery (SPEC 6.5.4)."""
        if self._algorithm != ed25519.ALGORITHM:
            return Verdict.of(Finding.UNKNOWN_ALGORITHM)
        if self._key is None:
            return Verdict.of(Finding.UNKNOWN_KEY)
        if self._digest is None:
            return Verdict.of(Finding.MALFORMED_COMMITMENT, self._key)
        if self._digest != digest:
            return Verdict.of(Finding.COMMITMENT_MISMATCH, self._key)
        return self._checked

    @cached_property
    def _checked(self) -> Verdict:
        assert self._key is not None
        assert self._digest is not None
        if self._key.algorithm != ed25519.ALGORITHM:
            return Verdict.of(Finding.UNKNOWN_ALGORITHM, self._key)
        public_key = read_hexadecimal(self._key.public_key, ed25519.POINT_LENGTH)
        if public_key is None or not ed25519.is_sound_key(public_key):
            return Verdict.of(Finding.MALFORMED_KEY, self._key)
        signature = read_hexadecimal(self._signature, ed25519.SIGNATURE_LENGTH)
        if signature is None:
            return Verdict.of(Finding.MALFORMED_SIGNATURE, self._key)
        try:
            good = ed25519.verifies(public_key, signature, self._domain + self._digest)
        except CryptographyMissing:
            return Verdict.of(Finding.LIBRARY_MISSING, self._key)
        return Verdict(Status.VALID, key=self._key) if good else Verdict.of(Finding.BAD_SIGNATURE, self._key)
