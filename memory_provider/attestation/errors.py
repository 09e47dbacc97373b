"""What can go wrong with keys. What is wrong with an attestation is a verdict, never an error."""

from __future__ import annotations

from ..temporal.errors import InvalidInput


class KeyFileError(InvalidInput):
    """A key file cannot be made, or holds no key that may be used. The message never shows what is in it."""


class CryptographyMissing(InvalidInput):
    """Something is to be signed, and the library that signs is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "signing needs the library cryptography: pip install 'memory-provider[attestation]', or leave the key out"
        )
