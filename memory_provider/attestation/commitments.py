"""What a signature over a frame covers: its identity and where it comes from, in 32 bytes (SPEC 6.5.1, 6.5.2).

Every text is written with its length before it, so that no two different frames give the same bytes, and an absent
text is told from an empty one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..protocol import ContextFrame, FrameId, ProvenanceLink
from .digests import hashed

GENESIS: Final = b"contextgraph/attest/1/genesis"
LINK: Final = b"contextgraph/attest/1/link"
FRAME: Final = b"contextgraph/attest/1/frame"

_ABSENT = b"\x00"
_PRESENT = b"\x01"


def identity_of(provider: str, frame: ContextFrame) -> FrameId:
    """The identity a frame is attested under. `provider` is the name that the provider declares in its handshake."""
    return FrameId(provider_id=provider, frame_id=frame.id, content_digest=frame.content_digest)


def frame_commitment(provider: str, frame: ContextFrame) -> bytes:
    """The commitment of a frame: 32 bytes over the provider's declared name, its id, its digest and its provenance.

    Without a `content_digest` nothing of the content is in it.
    """
    digest = _optional(frame.content_digest)
    return hashed(FRAME, _text(provider), _text(frame.id), digest, chain_head(frame.provenance))


def chain_head(links: Iterable[ProvenanceLink]) -> bytes:
    """The head of the hash chain over provenance links, in the order they are served, closest to the source first."""
    head = hashed(GENESIS)
    for link in links:
        head = hashed(LINK, head, encoded_link(link))
    return head


def encoded_link(link: ProvenanceLink) -> bytes:
    """The bytes of one link. The order of its members is part of the protocol."""
    options = (link.uri, link.range, link.digest, link.method, link.by)
    return _text(link.type) + b"".join(map(_optional, options))


def _text(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(4, "big") + encoded


def _optional(text: str | None) -> bytes:
    return _ABSENT if text is None else _PRESENT + _text(text)
