"""The Context Graph Protocol on the wire: its messages as types, a strict decoder, an encoder. No I/O.

`decode` turns bytes into an `Envelope` or raises `DecodeError`; `encode` turns an `Envelope` into bytes. What
a message means, and who may send it when, is for the provider and the host to say: this package knows shapes
only. It imports nothing else of the project, and nothing but the standard library until Pydantic asks a
type for its schema, so that a provider can answer its handshake before anything heavy is loaded.
"""

from .attestations import (
    AttesterKey,
    FrameAttestation,
    InclusionProof,
    InclusionStep,
    ProvenanceAttestation,
    RecordAttestation,
)
from .decoding import decode
from .encoding import encode
from .envelopes import (
    Envelope,
    Error,
    Frames,
    Handshake,
    HandshakeAck,
    Query,
    Shutdown,
    Verified,
    Verify,
)
from .errors import (
    BAD_REQUEST,
    BUDGET_UNSATISFIABLE,
    ERROR_CODES,
    INCOMPATIBLE_VERSION,
    INTERNAL,
    SHUTTING_DOWN,
    UNAVAILABLE,
    UNSUPPORTED_KIND,
    UNSUPPORTED_REPRESENTATION,
    DecodeError,
    EncodeError,
    IncompatibleVersion,
    InvalidMember,
    ProtocolError,
    TimestampError,
    UnknownTypeError,
    known_code,
)
from .frames import (
    FRAME_KINDS,
    ContentFidelity,
    ContentRef,
    ContextFrame,
    FrameEmbedding,
    InlineContentRequirement,
    ProvenanceLink,
    Relation,
    Representation,
    Transform,
)
from .handshakes import (
    BASE_EGRESS_SCOPES,
    LOCAL_ONLY,
    Capabilities,
    DataFlow,
    ProviderInfo,
    QueryCapability,
)
from .identities import FrameId
from .queries import ContextQuery, ContextQueryResult
from .strict_json import MAX_BYTES, MAX_DEPTH
from .timestamps import MAX_TIMESTAMP, MIN_TIMESTAMP, format_timestamp, parse_timestamp
from .verification import FrameVerdict, VerdictStatus, VerifyRequest, VerifyResponse
from .versions import DRAFT_VERSION, FAMILY, VERSION, answer_version, family, is_compatible
from .wire_objects import U32, U32_MAX, U64, ExtensibleObject, TaggedObject, WireObject

__all__ = [
    "BAD_REQUEST",
    "BASE_EGRESS_SCOPES",
    "BUDGET_UNSATISFIABLE",
    "DRAFT_VERSION",
    "ERROR_CODES",
    "FAMILY",
    "FRAME_KINDS",
    "INCOMPATIBLE_VERSION",
    "INTERNAL",
    "LOCAL_ONLY",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_TIMESTAMP",
    "MIN_TIMESTAMP",
    "SHUTTING_DOWN",
    "U32",
    "U32_MAX",
    "U64",
    "UNAVAILABLE",
    "UNSUPPORTED_KIND",
    "UNSUPPORTED_REPRESENTATION",
    "VERSION",
    "AttesterKey",
    "Capabilities",
    "ContentFidelity",
    "ContentRef",
    "ContextFrame",
    "ContextQuery",
    "ContextQueryResult",
    "DataFlow",
    "DecodeError",
    "EncodeError",
    "Envelope",
    "Error",
    "ExtensibleObject",
    "FrameAttestation",
    "FrameEmbedding",
    "FrameId",
    "FrameVerdict",
    "Frames",
    "Handshake",
    "HandshakeAck",
    "InclusionProof",
    "InclusionStep",
    "IncompatibleVersion",
    "InlineContentRequirement",
    "InvalidMember",
    "ProtocolError",
    "ProvenanceAttestation",
    "ProvenanceLink",
    "ProviderInfo",
    "Query",
    "QueryCapability",
    "RecordAttestation",
    "Relation",
    "Representation",
    "Shutdown",
    "TaggedObject",
    "TimestampError",
    "Transform",
    "UnknownTypeError",
    "VerdictStatus",
    "Verified",
    "Verify",
    "VerifyRequest",
    "VerifyResponse",
    "WireObject",
    "answer_version",
    "decode",
    "encode",
    "family",
    "format_timestamp",
    "is_compatible",
    "known_code",
    "parse_timestamp",
]
