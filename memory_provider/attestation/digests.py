"""Digests as the protocol writes them, `sha256:` and 64 lower-case hexadecimal digits, and as raw bytes."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from ..protocol.digests import is_digest

PREFIX: Final = "sha256:"

_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})*")


def hashed(*parts: bytes) -> bytes:
    """SHA-256 over the parts, one after the other."""
    return sha256(b"".join(parts)).digest()


def written(digest: bytes) -> str:
    """A digest as text."""
    return f"{PREFIX}{digest.hex()}"


def read_digest(text: str) -> bytes | None:
    """The 32 bytes of a digest; None for any other text, upper case too."""
    return bytes.fromhex(text[len(PREFIX) :]) if is_digest(text) else None


def read_hexadecimal(text: str, length: int) -> bytes | None:
    """Exactly `length` bytes written in lower-case hexadecimal; None for any other text."""
    if len(text) != 2 * length or not _HEXADECIMAL.fullmatch(text):
        return None
    return bytes.fromhex(text)
