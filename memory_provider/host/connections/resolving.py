"""What a handle is exchanged for: the content that it names, and no other (P7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...protocol import Capabilities, ContextFrame, Resolve, Resolved, ResolveRequest
from ...protocol.lifecycle.capability import lifecycle_of
from ..errors import NotOffered, UnexpectedAnswer


def gives_out_content(capabilities: Capabilities) -> bool:
    """Whether a provider names the message that asks for content: the protocol's own `resolve` comes with none."""
    block = lifecycle_of(capabilities)
    return (
        capabilities.resolve
        and block is not None
        and any(each.request == Resolve.type for each in block.operations)
    )


def request_for(
    provider_id: str, frame: ContextFrame, capabilities: Capabilities, extra: Mapping[str, Any]
) -> ResolveRequest:
    """The question for a frame's content, with those extensions that the provider names. Raises `NotOffered`."""
    if not gives_out_content(capabilities):
        raise NotOffered(provider_id, f"it gives out no content ({Resolve.type})")
    if frame.content_ref is None or frame.canonical_content_hash is None:
        raise NotOffered(provider_id, "the frame is a handle to nothing")
    known = {name: value for name, value in extra.items() if capabilities.extra.get(name)}
    return ResolveRequest(
        content_ref=frame.content_ref, canonical_content_hash=frame.canonical_content_hash, extra=known
    )


def content_of(provider_id: str, request: ResolveRequest, answer: Resolved) -> str:
    """The content of an answer. Raises `UnexpectedAnswer` where it is not what the handle was to."""
    asked, response = request.content_ref, answer.response
    if (response.content_ref.provider_id, response.content_ref.uri) != (asked.provider_id, asked.uri):
        raise UnexpectedAnswer(provider_id, "it answered with the content behind another handle")
    if response.canonical_content_hash != request.canonical_content_hash or not response.is_intact:
        raise UnexpectedAnswer(provider_id, "the content is not what the frame is a handle to (P7)")
    return response.content
