"""A request that is understood and not served."""

from __future__ import annotations

from ..protocol import ProtocolError


class Refusal(ProtocolError):
    """A well-formed request that cannot be served as asked, or not to whoever asks."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
