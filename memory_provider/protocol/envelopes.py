"""The messages of the protocol: one JSON object each, told apart by its member `type` (SPEC 2).

`id` is the correlation id: the answer repeats the request's (H4). A host sends one only to a provider that
declared `correlation` (H6). On `Verify` and `Verified` it is outside the schema, accepted and echoed if a
peer uses it.
"""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeAlias

from .attestations import AttesterKey
from .errors import ProtocolError, known_code
from .handshakes import Capabilities, ProviderInfo
from .lifecycle.envelopes import (
    AppendRecords,
    EraseRecords,
    GetRecords,
    Records,
    RecordsAppended,
    RecordsErased,
)
from .lifecycle.resolving import Resolve, Resolved
from .queries import ContextQuery, ContextQueryResult
from .verification import VerifyRequest, VerifyResponse
from .wire_objects import TaggedObject

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


class Handshake(TaggedObject):
    """Host to provider, first: the version the host speaks. Answered with `HandshakeAck`."""

    type: ClassVar[str] = "handshake"
    protocol_version: str


class HandshakeAck(TaggedObject):
    """Provider to host: its version, who it is and what it can do."""

    type: ClassVar[str] = "handshake_ack"
    protocol_version: str
    provider: ProviderInfo
    capabilities: Capabilities
    attester_keys: tuple[AttesterKey, ...] = ()


class Query(TaggedObject):
    """Host to provider: a question. Answered with `Frames` or `Error`."""

    type: ClassVar[str] = "query"
    id: str | None = None
    query: ContextQuery


class Frames(TaggedObject):
    """Provider to host: the answer to a `Query`."""

    type: ClassVar[str] = "frames"
    id: str | None = None
    result: ContextQueryResult


class Verify(TaggedObject):
    """Host to provider: are these frames still what you serve? Answered with `Verified` or `Error`."""

    type: ClassVar[str] = "verify"
    id: str | None = None
    request: VerifyRequest


class Verified(TaggedObject):
    """Provider to host: the answer to a `Verify`."""

    type: ClassVar[str] = "verified"
    id: str | None = None
    response: VerifyResponse


class Shutdown(TaggedObject):
    """Host to provider: no more requests. Not answered; over stdio the provider exits (R2)."""

    type: ClassVar[str] = "shutdown"


class Error(TaggedObject):
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


class ByType:
    """Annotation of the union of all envelopes: Pydantic, too, tells them apart by their `type`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from .pydantic_support import envelope_schema

        return envelope_schema(handler)


Envelope: TypeAlias = Annotated[
    Handshake
    | HandshakeAck
    | Query
    | Frames
    | Verify
    | Verified
    | Shutdown
    | Error
    | AppendRecords
    | RecordsAppended
    | GetRecords
    | Records
    | EraseRecords
    | RecordsErased
    | Resolve
    | Resolved,
    ByType(),
]
"""Any message of the protocol, or of this project's extensions of it."""

ENVELOPES: Final[dict[str, type[Envelope]]] = {
    envelope.type: envelope
    for envelope in (
        *(Handshake, HandshakeAck, Query, Frames, Verify, Verified, Shutdown, Error),
        *(AppendRecords, RecordsAppended, GetRecords, Records, EraseRecords, RecordsErased),
        *(Resolve, Resolved),
    )
}
"""The envelope of each `type`."""
