"""Why a record is not taken: the codes of receipts."""

from __future__ import annotations

from typing import Final

INVALID: Final = "invalid_record"
IDENTITY: Final = "record_identity_conflict"
SOMEBODY_ELSES: Final = "scope_denied"
KEY_SPENT: Final = "idempotency_conflict"
KEY_OVER: Final = "idempotency_expired"
