"""Keys: the private one that signs here, and what others may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..protocol import AttesterKey
from .digests import hashed
from .ed25519 import ALGORITHM
from .errors import CryptographyMissing

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_ID_DIGITS: Final = 16


class SigningKey:
    """An Ed25519 private key. It is neither shown nor pickled; `public` is all that others learn of it."""

    __slots__ = ("_private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = attester_key(private.public_key().public_bytes_raw())

    @classmethod
    def generate(cls) -> SigningKey:
        """A new key. Raises `CryptographyMissing`."""
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError:
            raise CryptographyMissing from None
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """The key of 32 bytes that are kept elsewhere. Raises `ValueError` for any other number of them."""
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError:
            raise CryptographyMissing from None
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @classmethod
    def from_pem(cls, text: bytes) -> SigningKey:
        """The key in a PEM text that no password protects. Raises `ValueError` for everything else."""
        try:
            from cryptography.exceptions import UnsupportedAlgorithm
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
            from cryptography.hazmat.primitives.serialization import load_pem_private_key
        except ImportError:
            raise CryptographyMissing from None
        try:
            private = load_pem_private_key(text, password=None)
        except TypeError:
            raise ValueError(
                "its key is protected by a password, and there is nobody to ask for it"
            ) from None
        except (ValueError, UnsupportedAlgorithm):
            raise ValueError("it holds no private key in PEM") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise ValueError("its key is for another algorithm than Ed25519")
        return cls(private)

    def to_pem(self) -> bytes:
        """The private key as PKCS #8 in PEM: what nobody else may see."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, message: bytes) -> str:
        """The signature over a message, as the protocol writes it."""
        return self._private.sign(message).hex()

    def __repr__(self) -> str:
        return f"SigningKey({self.public.key_id})"

    def __reduce__(self) -> str:
        raise TypeError("a signing key stays in its process")


def attester_key(public_key: bytes) -> AttesterKey:
    """A public key as a handshake publishes it.

    Its id is made of the key itself, so that another key always has another id.
    """
    key_id = f"{ALGORITHM}-{hashed(public_key).hex()[:_ID_DIGITS]}"
    return AttesterKey(key_id=key_id, algorithm=ALGORITHM, public_key=public_key.hex())
