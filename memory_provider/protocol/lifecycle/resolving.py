"""From the handle of a compact or reference frame to its content: `context/resolve`, an extension of this project.

The protocol names the operation and lets a provider advertise it (`resolve`), and gives it no envelope. These have
types under this project's name, like those of the lifecycle profile. A handle that leads nowhere is answered with an
error: `reference_not_found`, `reference_expired` or `content_hash_mismatch` (`codes`).
"""

from typing import ClassVar

from ..digests import digest
from ..frames import ContentRef
from ..wire_objects import ExtensibleObject, TaggedObject


class ResolveRequest(ExtensibleObject):
    """Which content is wanted: the `content_ref` of a frame as it came, and its `canonical_content_hash` if it is to be
    compared once more."""

    content_ref: ContentRef
    canonical_content_hash: str | None = None


class ResolveResponse(ExtensibleObject):
    """The whole content behind a handle, which is repeated as it was asked."""

    content_ref: ContentRef
    content: str
    canonical_content_hash: str

    @property
    def is_intact(self) -> bool:
        """Whether the content has the hash that is said, which a host looks at before it uses any of it (P7)."""

        return self.canonical_content_hash == digest(self.content.encode())


class Resolve(TaggedObject):
    """Host to provider: give out the content behind a handle. Answered with `Resolved` or `Error`."""

    type: ClassVar[str] = "memory-provider:resolve"
    id: str | None = None
    request: ResolveRequest


class Resolved(TaggedObject):
    """Provider to host: the answer to `Resolve`."""

    type: ClassVar[str] = "memory-provider:resolved"
    id: str | None = None
    response: ResolveResponse
