"""The messages of the protocol: one JSON object each, told apart by its member `type` (SPEC 2).

`id` is the correlation id: the answer repeats the request's (H4). A host sends one only to a provider that
declared `correlation` (H6). On `Verify` and `Verified` it is outside the schema, accepted and echoed if a
peer uses it.
"""

from typing import ClassVar, Final, TypeAlias

from .attestations import AttesterKey
from .errors import ProtocolError, known_code
from .handshakes import Capabilities, ProviderInfo
from .queries import ContextQuery, ContextQueryResult
from .verification import VerifyRequest, VerifyResponse
from .wire_objects import ExtensibleObject


class Handshake(ExtensibleObject):
    """Host to provider, first: the version the host speaks. Answered with `HandshakeAck`."""

    type: ClassVar[str] = "handshake"
    protocol_version: str


class HandshakeAck(ExtensibleObject):
    """Provider to host: its version, who it is and what it can do."""

    type: ClassVar[str] = "handshake_ack"
    protocol_version: str
    provider: ProviderInfo
    capabilities: Capabilities
    attester_keys: tuple[AttesterKey, ...] = ()


class Query(ExtensibleObject):
    """Host to provider: a question. Answered with `Frames` or `Error`."""

    type: ClassVar[str] = "query"
    id: str | None = None
    query: ContextQuery


class Frames(ExtensibleObject):
    """Provider to host: the answer to a `Query`."""

    type: ClassVar[str] = "frames"
    id: str | None = None
    result: ContextQueryResult


class Verify(ExtensibleObject):
    """Host to provider: are these frames still what you serve? Answered with `Verified` or `Error`."""

    type: ClassVar[str] = "verify"
    id: str | None = None
    request: VerifyRequest


class Verified(ExtensibleObject):
    """Provider to host: the answer to a `Verify`."""

    type: ClassVar[str] = "verified"
    id: str | None = None
    response: VerifyResponse


class Shutdown(ExtensibleObject):
    """Host to provider: no more requests. Not answered; over stdio the provider exits (R2)."""

    type: ClassVar[str] = "shutdown"


class Error(ExtensibleObject):
    """Provider to host: why a request got no other answer.

    `code` is open; act on `effective_code`. `message` is for people.
    """

    type: ClassVar[str] = "error"
    id: str | None = None
    code: str | None = None
    message: str

    @property
    def effective_code(self) -> str:
        """The code to act on: an absent or unknown one means `internal` (X1, X2)."""
        return known_code(self.code)

    @classmethod
    def of(cls, error: ProtocolError) -> "Error":
        """The envelope that tells a peer about an error: its code, its message and its correlation id."""
        return cls(id=error.id, code=error.code, message=error.message)


Envelope: TypeAlias = Handshake | HandshakeAck | Query | Frames | Verify | Verified | Shutdown | Error
"""Any message of the protocol."""

ENVELOPES: Final[dict[str, type[Envelope]]] = {
    envelope.type: envelope
    for envelope in (Handshake, HandshakeAck, Query, Frames, Verify, Verified, Shutdown, Error)
}
"""The envelope of each `type`."""
