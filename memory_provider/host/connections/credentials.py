"""A credential that a peer sends back, on purpose or not: it goes no further."""

from __future__ import annotations

from typing import Final

LEAST: Final = 16
"""A credential of so many bytes is taken out of what peers answer; a shorter one may be a word that is meant."""
INSTEAD: Final = "…"


def text_without(token: str | None, text: str) -> str:
    """What an error says, without the credential."""
    return text if token is None else text.replace(token, INSTEAD)


def body_without(token: str | None, body: bytes) -> bytes:
    """What a peer answered, without the credential if that cannot be meant otherwise."""
    if token is None or len(token) < LEAST:
        return body
    return body.replace(token.encode(), INSTEAD.encode())
