"""What came of a message: an answer, or what there was instead of one."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, NamedTuple

from ...protocol import ContextFrame
from ...protocol.shapes import Mismatch, read
from ..errors import peer_text
from .messages import Message
from .observations import Exchange


class Outcome(Enum):
    """How an exchange ended."""

    ANSWERED = auto()
    SILENT = auto()
    """Nothing came in time."""
    NOTHING = auto()
    """The provider said over HTTP that there is no answer."""
    ENDED = auto()
    """The process ended, or the connection did."""


class Answer(NamedTuple):
    """What came of one message. Nothing in it is trusted to be of any shape."""

    sent: bytes
    outcome: Outcome
    raw: bytes | None = None
    message: Message | None = None
    """The object that came, if it was one."""
    status: int | None = None
    detail: str = ""
    """Of no answer: how it ended."""

    @property
    def exchange(self) -> Exchange:
        """For the record."""
        return Exchange(self.sent, self.raw)

    @property
    def type(self) -> str | None:
        """The type of the envelope."""
        type = (self.message or {}).get("type")
        return type if isinstance(type, str) else None

    @property
    def code(self) -> str | None:
        """The code of an error."""
        code = (self.message or {}).get("code")
        return code if self.type == "error" and isinstance(code, str) else None

    @property
    def result(self) -> Message:
        """The result of frames; empty where there is none."""
        result = (self.message or {}).get("result")
        return result if self.type == "frames" and isinstance(result, dict) else {}

    @property
    def plain_frames(self) -> list[Message]:
        """The frames as they came, those that are objects."""
        frames = self.result.get("frames")
        return [each for each in frames if isinstance(each, dict)] if isinstance(frames, list) else []

    @property
    def frames(self) -> list[ContextFrame]:
        """The frames that can be read."""
        found = []
        for each in self.plain_frames:
            try:
                found.append(read(ContextFrame, each))
            except Mismatch:
                continue  # the schema is looked at elsewhere
        return found

    @property
    def is_error(self) -> bool:
        """Whether it is an error envelope."""
        return self.type == "error"

    def __str__(self) -> str:
        """The answer in a few words, fit for a terminal."""
        if self.outcome is not Outcome.ANSWERED:
            return self.detail
        if self.type is None:
            return "what is no envelope"
        if self.is_error:
            return f"error {peer_text(self.code)}" if self.code is not None else "error without a code"
        if self.type == "frames":
            count = len(self.plain_frames)
            return "1 frame" if count == 1 else f"{count} frames"
        return peer_text(self.type)


def text_of(value: Any, default: str | None = None) -> str | None:
    """A member that should be a text."""
    return value if isinstance(value, str) else default
