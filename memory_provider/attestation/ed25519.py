"""Ed25519, strictly: a signature that two verifiers may judge differently is none (SPEC 6.5.4).

The library `cryptography` does the signing and the checking, and is imported when it is first needed. It takes public
keys of small order, under which one signature fits any message, and keys written in more ways than one; those are
refused here, and so are signatures that start with such a point.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from .errors import CryptographyMissing

ALGORITHM: Final = "ed25519"
POINT_LENGTH: Final = 32
SIGNATURE_LENGTH: Final = 64

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The y of every point P of the curve with 8P = 0."""


def verifies(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature over a message was made with the private half of a key. Raises `CryptographyMissing`."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise CryptographyMissing from None
    if not is_sound_key(public_key) or _y_of(signature[:POINT_LENGTH]) is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=256)
def is_sound_key(public_key: bytes) -> bool:
    """Whether this is a point of the curve, written in the one way it has, and of no small order."""
    y = _y_of(public_key)
    if y is None:
        return False
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    return pow(x_squared, (_P - 1) // 2, _P) == 1


def _y_of(point: bytes) -> int | None:
    """The y that a point is written as; None if it has another way to be written, or is of small order."""
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return y if len(point) == POINT_LENGTH and y < _P and y not in _SMALL_ORDER else None
