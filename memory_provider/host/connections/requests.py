"""A request as it goes over a wire."""

from __future__ import annotations

from ...protocol import EncodeError, Envelope, encode
from ..errors import NotOffered


def encoded(provider_id: str, request: Envelope) -> bytes:
    """The bytes of a request. Raises `NotOffered` for one that cannot be said on the wire."""
    try:
        return encode(request)
    except EncodeError as error:
        raise NotOffered(provider_id, f"the question cannot be sent: {error}") from None
