"""What can go wrong with one provider. Another's frames never suffer from it (R4)."""

from __future__ import annotations

from typing import Final

from ..protocol import Error
from ..temporal.errors import InvalidInput, MemoryProviderError

LONGEST_PEER_TEXT: Final = 512
"""How many bytes of what a peer wrote may stand in an error."""


class HostError(MemoryProviderError):
    """Base of every error of an exchange; `provider_id` is what this host calls the provider."""

    def __init__(self, provider_id: str, message: str) -> None:
        self.provider_id = provider_id
        super().__init__(f"provider {provider_id}: {message}")


class TransportError(HostError):
    """The message did not get through, or what came back is no answer of the binding."""


class WireError(TransportError):
    """The provider sent something that is no envelope."""


class ProviderCrashed(TransportError):
    """The provider ended, or could not be started."""


class ConnectionClosed(TransportError):
    """The connection is not open: it was closed here, or failed and is not yet opened again."""


class HandshakeTimeout(HostError):
    """The provider did not acknowledge the handshake in time."""


class AnswerTimeout(HostError):
    """The provider did not answer in time."""


class VersionMismatch(HostError):
    """The provider speaks another family of the protocol; never ask it again (H3)."""


class CorrelationMismatch(HostError):
    """The answer names another question, or none. It was given to nobody (H4)."""


class UnexpectedAnswer(HostError):
    """The answer is an envelope that does not answer the question."""


class NotOffered(HostError):
    """The provider does not do what it was to be asked, so it was not asked."""


class Unauthorized(HostError):
    """The provider wants a credential, or another one."""

    def __init__(self, provider_id: str) -> None:
        super().__init__(provider_id, "it refused the credential (HTTP 401)")


class PlaintextRefused(HostError, InvalidInput):
    """The address would send questions unencrypted over a network; nothing was sent (C7)."""


class ProviderError(HostError):
    """The provider answered with an error envelope; act on `code`."""

    def __init__(self, provider_id: str, error: Error) -> None:
        self.code = error.effective_code
        """The code to act on: an unknown or absent one means `internal` (X1, X2)."""
        said = "" if error.code is None else f"{peer_text(error.code)}: "
        super().__init__(provider_id, f"it answered {said}{peer_text(error.message)}")


class ConsentFileError(InvalidInput):
    """The file of consents cannot be read or written. Nobody is asked on the strength of it."""


class InvalidConsent(InvalidInput):
    """A consent that is not fit to be kept."""


def peer_text(text: str | bytes) -> str:
    """What a peer wrote, cut and on one line, with what a terminal would obey escaped."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    shown = data[:LONGEST_PEER_TEXT].decode("utf-8", "replace")
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in shown)
    return f"{line}…" if len(data) > LONGEST_PEER_TEXT else line
