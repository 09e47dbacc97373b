"""The error codes that the profile `contextgraph/lifecycle/1.0-draft` adds to the protocol's own (its section 8)."""

from typing import Final

UNSUPPORTED_CAPABILITY: Final = "unsupported_capability"
"""The operation is not advertised here; do not retry."""
UNSUPPORTED_RECORD_KIND: Final = "unsupported_record_kind"
"""No such kind of record is taken here."""
INVALID_RECORD: Final = "invalid_record"
"""The record is not of the profile's shape, or its hash is another; do not retry it unchanged."""
IDEMPOTENCY_CONFLICT: Final = "idempotency_conflict"
"""The idempotency key stands for another request; it is spent."""
IDEMPOTENCY_EXPIRED: Final = "idempotency_expired"
"""The idempotency key is too old to be sure; retry with a fresh one."""
RECORD_IDENTITY_CONFLICT: Final = "record_identity_conflict"
"""Another record has this id; give it a new one on the same lineage."""
RETENTION_REJECTED: Final = "retention_rejected"
"""Records cannot be kept as asked; ask for an advertised retention class."""
CONSENT_REQUIRED: Final = "consent_required"
"""The operation is offered, and not granted to this principal; obtain the grant first."""
SCOPE_DENIED: Final = "scope_denied"
"""The principal may not act in the record's scope; do not retry."""
SHARING_DENIED: Final = "sharing_denied"
"""The record is shared with others than the principal; do not retry."""
REFERENCE_NOT_FOUND: Final = "reference_not_found"
"""The reference names nothing that could be resolved."""
REFERENCE_EXPIRED: Final = "reference_expired"
"""The reference is past its time; query again for a fresh one."""
CONTENT_HASH_MISMATCH: Final = "content_hash_mismatch"
"""The content is not what the hash says."""
PAYLOAD_TOO_LARGE: Final = "payload_too_large"
"""A record, or all of a request, is longer than advertised; split it."""
BATCH_TOO_LARGE: Final = "batch_too_large"
"""A request holds more items than advertised; split it."""
PARTIAL_FAILURE: Final = "partial_failure"
"""Some items of a batch were rejected; the receipts say which and why."""

LIFECYCLE_CODES: Final = frozenset(
    {
        UNSUPPORTED_CAPABILITY,
        UNSUPPORTED_RECORD_KIND,
        INVALID_RECORD,
        IDEMPOTENCY_CONFLICT,
        IDEMPOTENCY_EXPIRED,
        RECORD_IDENTITY_CONFLICT,
        RETENTION_REJECTED,
        CONSENT_REQUIRED,
        SCOPE_DENIED,
        SHARING_DENIED,
        REFERENCE_NOT_FOUND,
        REFERENCE_EXPIRED,
        CONTENT_HASH_MISMATCH,
        PAYLOAD_TOO_LARGE,
        BATCH_TOO_LARGE,
        PARTIAL_FAILURE,
    }
)
"""Every code of the profile that is not one of the protocol's."""
