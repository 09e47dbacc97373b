"""A frame together with the provider that offered it."""

from __future__ import annotations

from typing import NamedTuple

from ..protocol import ContextFrame, FrameId


class Offered(NamedTuple):
    """A frame that a provider answered with."""

    provider_id: str
    """What this host calls the provider; the name that the provider declares stays at the connection (D5)."""
    frame: ContextFrame

    @property
    def identity(self) -> FrameId:
        """The identity of the frame in this host."""
        frame = self.frame
        return FrameId(provider_id=self.provider_id, frame_id=frame.id, content_digest=frame.content_digest)
