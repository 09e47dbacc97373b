"""Between what this host calls a provider and the name that the provider declares for itself (D5, V5)."""

from __future__ import annotations

from collections.abc import Iterable

from ...protocol import FrameId, FrameVerdict


def outward(frames: Iterable[FrameId], declared: str) -> tuple[FrameId, ...]:
    """The identities as they go to the provider that declared this name."""
    return tuple(frame.replace(provider_id=declared) for frame in frames)


def inward(verdicts: Iterable[FrameVerdict], declared: str, provider_id: str) -> tuple[FrameVerdict, ...]:
    """The verdicts as they are known here. Those on frames of another name are left out: no provider has a say there.

    Only the provider's own declared name is translated, at its own connection; names are never looked up.
    """
    return tuple(
        verdict.replace(frame=verdict.frame.replace(provider_id=provider_id))
        for verdict in verdicts
        if verdict.frame.provider_id == declared
    )
