"""Messages for the operations of the profile `contextgraph/lifecycle/1.0-draft`: an extension of this project.

The profile says what appending and getting records does, and gives it no envelope. These have types under this
project's name, `memory-provider:…`, and are read by the same strict decoder. A provider that takes them says so in its
`lifecycle` block (`lifecycle_capability`); without it a host sends none (LP-ID3).
"""

from typing import ClassVar, Literal, TypeAlias

from ..attestations import RecordAttestation
from ..wire_objects import ExtensibleObject, JsonObject, TaggedObject

ReceiptStatus: TypeAlias = Literal["accepted", "duplicate", "rejected"]
"""What became of a record: it is kept now, it was already, or it is not."""

LookupStatus: TypeAlias = Literal["found", "not_found", "erased", "expired", "denied"]
"""What an id that was asked for names."""

ErasureStatus: TypeAlias = Literal["erased", "not_found", "denied"]
"""What became of an id that was to be erased."""


class AppendRequest(ExtensibleObject):
    """Records to keep, in order, and how.

    The records are plain JSON here and are looked at one by one, so that one that is wrong spoils no other.
    `idempotency_key` stands for the whole request: sent again, it is answered again and done once. The class of
    `requested_retention` is for all of the records.
    """

    records: tuple[JsonObject, ...]
    idempotency_key: str | None = None
    requested_retention: str | None = None


class AppendReceipt(ExtensibleObject):
    """What became of one record. `record_id`, `lineage_id` and `record_hash` are the record's own, where it has them.

    `recorded_at` is when it was first kept; `superseded_record_id` the record whose place on the lineage it took.
    `code` and `message` say why it was rejected.
    """

    record_id: str | None = None
    lineage_id: str | None = None
    record_hash: str | None = None
    status: ReceiptStatus
    recorded_at: str | None = None
    superseded_record_id: str | None = None
    retention: str | None = None
    expires_at: str | None = None
    code: str | None = None
    message: str | None = None


class AppendResponse(ExtensibleObject):
    """A receipt for each record, in the order of the request; `code` is `partial_failure` if any was rejected."""

    receipts: tuple[AppendReceipt, ...]
    code: str | None = None
    message: str | None = None


class GetRequest(ExtensibleObject):
    """Which records are asked for, by their exact ids."""

    record_ids: tuple[str, ...]


class RecordLookup(ExtensibleObject):
    """What one id names. `record` is the document as it came, if it is `found`.

    `superseded_at` is when a later record of the lineage took its place. `attestation` is a signature over the
    record's hash, beside the record (LH3).
    """

    record_id: str
    status: LookupStatus
    record: JsonObject | None = None
    attestation: RecordAttestation | None = None
    recorded_at: str | None = None
    superseded_at: str | None = None
    retention: str | None = None
    expires_at: str | None = None
    code: str | None = None
    message: str | None = None


class GetResponse(ExtensibleObject):
    """An answer for each id, in the order of the request."""

    records: tuple[RecordLookup, ...]


class EraseRequest(ExtensibleObject):
    """Which records are to be gone, and why. With `dry_run` it is only said what would go."""

    record_ids: tuple[str, ...]
    reason: str
    dry_run: bool = False


class ErasureReceipt(ExtensibleObject):
    """What became of one id."""

    record_id: str
    status: ErasureStatus
    code: str | None = None
    message: str | None = None


class EraseResponse(ExtensibleObject):
    """A receipt for each id, in the order of the request."""

    receipts: tuple[ErasureReceipt, ...]
    dry_run: bool = False


class AppendRecords(TaggedObject):
    """Host to provider: keep these records. Answered with `RecordsAppended` or `Error`."""

    type: ClassVar[str] = "memory-provider:records_append"
    id: str | None = None
    request: AppendRequest


class RecordsAppended(TaggedObject):
    """Provider to host: the answer to `AppendRecords`."""

    type: ClassVar[str] = "memory-provider:records_appended"
    id: str | None = None
    response: AppendResponse


class GetRecords(TaggedObject):
    """Host to provider: what are these records? Answered with `Records` or `Error`."""

    type: ClassVar[str] = "memory-provider:records_get"
    id: str | None = None
    request: GetRequest


class Records(TaggedObject):
    """Provider to host: the answer to `GetRecords`."""

    type: ClassVar[str] = "memory-provider:records"
    id: str | None = None
    response: GetResponse


class EraseRecords(TaggedObject):
    """Host to provider: forget these records. Answered with `RecordsErased` or `Error`."""

    type: ClassVar[str] = "memory-provider:records_erase"
    id: str | None = None
    request: EraseRequest


class RecordsErased(TaggedObject):
    """Provider to host: the answer to `EraseRecords`."""

    type: ClassVar[str] = "memory-provider:records_erased"
    id: str | None = None
    response: EraseResponse
