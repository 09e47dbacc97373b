"""Appending context records: as one transaction, with a receipt for each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ...store.contract import Store
from ...temporal.instants import Instant
from ..writing.idempotency import check_key, hash_command, hash_record_key
from .checking import AppendRecord, microseconds
from .context_records import RecordReceipt
from .planning import AppendPlan, IdempotencyKey
from .sharing import Sees


async def append(
    store: Store,
    scope: str,
    checked: Sequence[AppendRecord | RecordReceipt],
    *,
    client: str,
    idempotency_key: str | None,
    command: str | None,
    key_lifetime: timedelta | None,
    recorded_at: Instant | None,
    sees: Sees | None = None,
) -> list[RecordReceipt]:
    """Write what may be written as one transaction; a receipt for each record, in order. Durable when it returns."""
    records = [each for each in checked if isinstance(each, AppendRecord)]
    key = None
    if check_key(idempotency_key) is not None and records:
        assert idempotency_key is not None
        secret = await store.secret()
        key = IdempotencyKey(
            hash_record_key(secret, scope, client, idempotency_key),
            hash_command(secret, command if command is not None else _said(records), recorded_at),
            microseconds(key_lifetime),
        )
    plan = AppendPlan(records, key, recorded_at, sees)
    if records:
        await store.write(scope, plan.needs(), plan)
    decided = iter(plan.receipts)
    return [each if isinstance(each, RecordReceipt) else next(decided) for each in checked]


def _said(records: Sequence[AppendRecord]) -> list[list[object]]:
    """What a batch asks for: its records, and how long they are to be kept."""
    return [[each.id, each.digest, each.retention, each.lifetime] for each in records]
