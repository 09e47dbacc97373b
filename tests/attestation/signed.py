"""Keys, frames and results to sign, and Hypothesis strategies for them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from hypothesis import strategies as st

from memory_provider.attestation import Attester, SigningKey
from memory_provider.protocol import ContextFrame, ContextQueryResult, ProvenanceLink

KEY = SigningKey.from_seed(bytes([7] * 32))
OTHER_KEY = SigningKey.from_seed(bytes([8] * 32))
PROVIDER = "tea-memory"
ATTESTER = Attester(KEY, PROVIDER, now=lambda: "2026-08-29T12:00:00Z")
KEYS = ATTESTER.keys


def frame(id: str, content: str | None = "On the shelf.", **members: Any) -> ContextFrame:
    digest = None if content is None else f"sha256:{sha256(content.encode()).hexdigest()}"
    given: dict[str, Any] = {
        "id": id,
        "kind": "fact",
        "title": "Kettle",
        "content": content,
        "content_digest": digest,
        "score": 0.5,
        "token_cost": 4,
        "provenance": (ProvenanceLink(type="episode", uri="mem:session/9", method="stated", by="Ada"),),
    }
    return as_read(ContextFrame.trusted(given), **members)


def as_read(frame: ContextFrame, **changes: Any) -> ContextFrame:
    """The frame changed by somebody who keeps to no rules: as a decoder gives it, which is not as it can be built."""
    return ContextFrame.trusted({**frame.__dict__, **changes})


def result(*frames: ContextFrame) -> ContextQueryResult:
    return ContextQueryResult(frames=frames, truncated=False)


def signed(*frames: ContextFrame) -> ContextQueryResult:
    return ATTESTER.attest(result(*frames))


optional_text = st.none() | st.text(max_size=6)
links = st.builds(
    ProvenanceLink,
    type=st.text(max_size=6),
    uri=optional_text,
    range=optional_text,
    digest=optional_text,
    method=optional_text,
    by=optional_text,
)
frames = st.builds(
    lambda id, content, provenance: frame(id, content, provenance=tuple(provenance)),
    st.text(max_size=6),
    st.text(max_size=12),
    st.lists(links, max_size=3),
)
frame_lists = st.lists(frames, min_size=1, max_size=9, unique_by=lambda each: each.id)
