"""The `lifecycle` block of a provider's capabilities: which operations on records it offers, and within what limits.

The profile says what the block tells and not how its members are called (its section 2.1); these names are this
project's. The block of another provider may look otherwise and is no error: `lifecycle_of` then finds none.
"""

from typing import Final

from ..frames import Representation
from ..handshakes import Capabilities
from ..shapes import Mismatch, read
from ..wire_objects import U32, U64, ExtensibleObject

LIFECYCLE: Final = "lifecycle"
"""The member of the capabilities that the block is."""

APPEND: Final = "context/records/append"
GET: Final = "context/records/get"
ERASE: Final = "memory-provider:records/erase"
RESOLVE: Final = "context/resolve"


class LifecycleOperation(ExtensibleObject):
    """One operation: its name in the profile, and the types of the messages that ask and answer."""

    operation: str
    request: str
    answer: str


class RecordLimits(ExtensibleObject):
    """How much a request may hold: records or ids, bytes of a record's canonical JSON, of its statement, of all."""

    max_records: U32
    max_record_bytes: U32
    max_statement_bytes: U32
    max_request_bytes: U32


class RetentionClass(ExtensibleObject):
    """A class of retention that can be asked for: how long a record is kept, without end if it says nothing."""

    name: str
    lifetime_seconds: U64 | None = None


class LifecycleCapability(ExtensibleObject):
    """What a provider offers of the profile. `unknown_members` is `ignore`: they are kept and never acted on (U1).

    `consent_class` says where consent comes from. That an operation stands here is none (LO-ID4).
    """

    profile: str
    operations: tuple[LifecycleOperation, ...]
    record_kinds: tuple[str, ...]
    representations: tuple[Representation, ...]
    known_at: bool
    resolve: bool
    limits: RecordLimits
    retention_classes: tuple[RetentionClass, ...]
    default_retention: str
    idempotency_key_seconds: U64
    consent_class: str
    unknown_members: str


def lifecycle_of(capabilities: Capabilities) -> LifecycleCapability | None:
    """The block of a provider's capabilities; None where there is none, or one with other members."""
    try:
        return read(LifecycleCapability, capabilities.extra.get(LIFECYCLE))
    except Mismatch:
        return None
