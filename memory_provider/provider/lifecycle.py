"""What this provider offers of the lifecycle profile, and the limits it keeps: the `lifecycle` block it advertises."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from ..protocol import (
    AppendRecords,
    EraseRecords,
    GetRecords,
    Records,
    RecordsAppended,
    RecordsErased,
    Representation,
    Resolve,
    Resolved,
)
from ..protocol.encoding import plain
from ..protocol.lifecycle.capability import (
    APPEND,
    ERASE,
    GET,
    RESOLVE,
    LifecycleCapability,
    LifecycleOperation,
    RecordLimits,
    RetentionClass,
)

PROFILE: Final = "contextgraph/lifecycle/1.0-draft"

RECORD_KINDS: Final = (
    *("observation", "knowledge", "memory", "directive", "record_proposal", "evidence", "artifact_contract"),
    *("contract_validation", "outcome_assessment", "promotion_event", "context_use", "context_use_feedback"),
)
"""All twelve; the same as `protocol.lifecycle.records.RECORD_KINDS`, which a handshake does not load."""

MAX_RECORDS: Final = 100
"""The most records appended, or ids asked for or erased, in one request."""

MAX_RECORD_BYTES: Final = 131_072
"""The longest record, as canonical JSON. A hundred of them fit one answer."""

MAX_STATEMENT_BYTES: Final = 65_536
"""The longest statement."""

MAX_REQUEST_BYTES: Final = 1_048_576
"""The most bytes of records in one request, as canonical JSON."""

INDEFINITE: Final = "indefinite"
"""Until somebody erases it; what a record gets for which nothing is asked."""

RETENTION: Final[dict[str, timedelta | None]] = {
    INDEFINITE: None,
    "P1D": timedelta(days=1),
    "P7D": timedelta(days=7),
    "P30D": timedelta(days=30),
    "P365D": timedelta(days=365),
}
"""The retention classes by name. From its end on, a record is neither read nor served."""

KEY_LIFETIME: Final = timedelta(days=7)
"""How long an idempotency key is good for. Then it is refused, never taken for a new one."""

CONSENT_CLASS: Final = "granted_rights"
"""Consent is the right that the operator granted to whoever asks; without it the answer is `consent_required`."""


def lifecycle_block(representations: tuple[Representation, ...]) -> dict[str, Any]:
    """The `lifecycle` member of the capabilities, as plain JSON."""
    block: dict[str, Any] = plain(
        LifecycleCapability(
            profile=PROFILE,
            operations=(
                LifecycleOperation(operation=APPEND, request=AppendRecords.type, answer=RecordsAppended.type),
                LifecycleOperation(operation=GET, request=GetRecords.type, answer=Records.type),
                LifecycleOperation(operation=ERASE, request=EraseRecords.type, answer=RecordsErased.type),
                LifecycleOperation(operation=RESOLVE, request=Resolve.type, answer=Resolved.type),
            ),
            record_kinds=RECORD_KINDS,
            representations=representations,
            known_at=True,
            resolve=True,
            limits=RecordLimits(
                max_records=MAX_RECORDS,
                max_record_bytes=MAX_RECORD_BYTES,
                max_statement_bytes=MAX_STATEMENT_BYTES,
                max_request_bytes=MAX_REQUEST_BYTES,
            ),
            retention_classes=tuple(
                RetentionClass(
                    name=name, lifetime_seconds=None if lifetime is None else int(lifetime.total_seconds())
                )
                for name, lifetime in RETENTION.items()
            ),
            default_retention=INDEFINITE,
            idempotency_key_seconds=int(KEY_LIFETIME.total_seconds()),
            consent_class=CONSENT_CLASS,
            unknown_members="ignore",
        )
    )
    return block
