"""The chain that ties each line of an archive to the line before it.

A line is a JSON object with two members: what it holds, and `chain`, the first 16 hexadecimal digits of the SHA-256 of
the previous line's chain (16 zeros before the first) followed by the line's bytes up to the comma before `"chain"`. A
line that was changed, moved, repeated or lost therefore shows at that line, and not only at the end of the file.
"""

from __future__ import annotations

from hashlib import sha256

START = "0" * 16
"""What stands for the chain of the line before the first."""

_BEFORE = b',"chain":"'
_AFTER = b'"}\n'
_TAIL = len(_BEFORE) + len(START) + len(_AFTER)


def chained(previous: str, body: bytes) -> tuple[str, bytes]:
    """The next chain, and the whole line. `body` is the line's object without its closing brace."""
    chain = _chain(previous, body)
    return chain, body + _BEFORE + chain.encode() + _AFTER


def unchained(previous: str, line: bytes) -> tuple[str, bytes] | None:
    """The line's chain and its object without `chain`; None when the line does not follow the one before."""
    body, tail = line[:-_TAIL], line[-_TAIL:]
    chain = _chain(previous, body)
    return (chain, body + b"}") if tail == _BEFORE + chain.encode() + _AFTER else None


def _chain(previous: str, body: bytes) -> str:
    return sha256(previous.encode() + body).hexdigest()[: len(START)]
