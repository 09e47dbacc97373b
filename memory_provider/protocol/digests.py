"""Digests on the wire: `sha256:` and 64 lower-case hexadecimal digits (F5)."""

import re
from hashlib import sha256
from typing import Final

PATTERN: Final = r"sha256:[0-9a-f]{64}"
"""What a digest looks like, as a regular expression."""

EXPECTED: Final = "sha256: and 64 lower-case hexadecimal digits"
"""What error messages say is expected."""

_DIGEST = re.compile(PATTERN)


def is_digest(text: str) -> bool:
    """Whether a text is a well-formed digest."""
    return _DIGEST.fullmatch(text) is not None


def digest(data: bytes) -> str:
    """The digest of some bytes, such as a frame's content in UTF-8."""
    return f"sha256:{sha256(data).hexdigest()}"
