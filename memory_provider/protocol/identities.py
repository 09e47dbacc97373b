"""The identity of a frame's exact bytes (SPEC, "context reuse" 1)."""

from .wire_objects import WireObject


class FrameId(WireObject):
    """Which provider, which frame, and which bytes of it.

    `provider_id` is the name the sender of the message knows the provider by. `content_digest` is opaque
    here; a frame without one cannot be verified, only asked for again. An identity is these three members and
    nothing else: what a peer adds is dropped on reading, so that echoing an identity can never carry a
    frame's body (V1, V4).
    """

    provider_id: str
    frame_id: str
    content_digest: str | None = None

    def __hash__(self) -> int:  # written out: identities are what hosts look frames up by
        return hash((self.provider_id, self.frame_id, self.content_digest))

    @property
    def sort_key(self) -> tuple[bytes, bytes, bool, bytes]:
        """Orders identities canonically: by UTF-8 bytes, an absent digest before any other (CR-D2)."""
        digest = self.content_digest
        return self.provider_id.encode(), self.frame_id.encode(), digest is not None, (digest or "").encode()
