"""Messages as they are sent: plain JSON, so that there is nothing that cannot be said."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

from ...protocol import VERSION

Message: TypeAlias = dict[str, Any]

MAX_FRAMES: Final = 8
MAX_TOKENS: Final = 4096
"""What an ordinary question asks for."""

JUNK: Final[Message] = {"inspection:unknown": {"any": [1, None, "thing"]}}
"""Members that nobody knows."""


def written(message: Any) -> bytes:
    """One line of JSON, without its end."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def handshake(version: str = VERSION, **members: Any) -> Message:
    """A greeting."""
    return {"type": "handshake", "protocol_version": version, **members}


def query(**members: Any) -> Message:
    """The inside of a question, with ordinary limits unless others are given."""
    return {"max_frames": MAX_FRAMES, "max_tokens": MAX_TOKENS, **members}


def verify(*frames: Message, **members: Any) -> Message:
    """A request for verdicts."""
    return {"type": "verify", "request": {"frames": list(frames)}, **members}


def identity(provider: str, frame_id: str, digest: str | None = None) -> Message:
    """Which bytes of which frame."""
    named: Message = {"provider_id": provider, "frame_id": frame_id}
    return named if digest is None else named | {"content_digest": digest}
