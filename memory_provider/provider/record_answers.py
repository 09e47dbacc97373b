"""Requests about records put to the memory, and what it says as answers of the wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import anyio.to_thread

from ..memory.records.context_records import NewContextRecord, Retention
from ..protocol import (
    AppendReceipt,
    AppendResponse,
    EraseResponse,
    ErasureReceipt,
    GetResponse,
    RecordLookup,
    parse_timestamp,
)
from ..protocol.lifecycle.codes import (
    IDEMPOTENCY_CONFLICT,
    IDEMPOTENCY_EXPIRED,
    PARTIAL_FAILURE,
    REFERENCE_EXPIRED,
    REFERENCE_NOT_FOUND,
)
from .instants import FIRST, moment, written
from .lifecycle import INDEFINITE, KEY_LIFETIME, RETENTION
from .record_access import check_access
from .record_checks import CheckedRecord, Rejection, check_request
from .refusals import Refusal

if TYPE_CHECKING:
    from ..access import Principal
    from ..memory.api import Memory
    from ..memory.records import context_records
    from .record_questions import AppendQuestion, EraseQuestion, GetQuestion

_OF_THE_WHOLE_REQUEST: Final = frozenset({IDEMPOTENCY_CONFLICT, IDEMPOTENCY_EXPIRED})


async def append(memory: Memory, principal: Principal, question: AppendQuestion) -> AppendResponse:
    """Keep what may be kept, in one transaction; a receipt for each document. Raises `Refusal`."""
    checked = await anyio.to_thread.run_sync(check_request, question.documents, question.requested_retention)
    outcomes = [_allowed(each, principal) for each in checked.records]
    new = [_new(each, question.requested_retention) for each in outcomes if isinstance(each, CheckedRecord)]
    kept: list[context_records.RecordReceipt] = []
    if new:
        kept = await memory.append_records(
            new,
            client=principal.name,
            idempotency_key=question.idempotency_key,
            command=checked.command,
            key_lifetime=KEY_LIFETIME if question.idempotency_key is not None else None,
        )
        _refuse_key(kept)
    taken = iter(kept)
    receipts = tuple(
        _rejected(each) if isinstance(each, Rejection) else _receipt(each, next(taken), question)
        for each in outcomes
    )
    return _response(receipts)


async def get(memory: Memory, principal: Principal, question: GetQuestion) -> GetResponse:
    """What the ids name, as far as the principal has part in it."""
    if question.known_at is not None and question.known_at < FIRST:
        return GetResponse(records=tuple(map(_unknown, question.ids)))  # in year 0 nothing was known yet
    found = await memory.records(question.ids, known_at=moment(question.known_at))
    return GetResponse(records=tuple(_looked_up(each, principal) for each in found))


async def erase(memory: Memory, principal: Principal, question: EraseQuestion) -> EraseResponse:
    """Erase what the ids name, each in a transaction of its own, as far as the principal has part in it."""
    receipts: dict[str, ErasureReceipt] = {}
    for lookup in await memory.records(tuple(dict.fromkeys(question.ids))):
        receipts[lookup.record_id] = await _erased(memory, principal, question, lookup)
    return EraseResponse(
        receipts=tuple(receipts[record_id] for record_id in question.ids), dry_run=question.dry_run
    )


def _allowed(checked: CheckedRecord | Rejection, principal: Principal) -> CheckedRecord | Rejection:
    if isinstance(checked, CheckedRecord):
        record = checked.record
        try:
            check_access(principal, record.scope.keys, record.sharing_scope)
        except Refusal as problem:
            return Rejection(
                record.record_id, record.lineage_id, record.record_hash, problem.code, problem.message
            )
    return checked


def _new(checked: CheckedRecord, requested_retention: str | None) -> NewContextRecord:
    record = checked.record
    retention = INDEFINITE if requested_retention is None else requested_retention
    provenance = record.provenance
    observed_at = moment(parse_timestamp(record.observed_at))
    assert observed_at is not None
    valid_from = None if record.valid_from is None else parse_timestamp(record.valid_from)
    return NewContextRecord(
        record_id=record.record_id,
        lineage_id=record.lineage_id,
        kind=record.record_kind,
        status=record.record_status,
        observed_at=observed_at,
        sharing_scope=record.sharing_scope,
        digest=record.record_hash,
        body=checked.body,
        statement=record.said,
        # What began in year 0, which the memory's calendar lacks, began before all it has.
        valid_from=None if valid_from is None or valid_from < FIRST else moment(valid_from),
        subject_scope=record.scope.keys,
        retention=Retention(retention, RETENTION[retention]),
        by=provenance.producer_ref or f"{provenance.producer_kind} at {provenance.origin_provider_id}",
    )


def _refuse_key(kept: Sequence[context_records.RecordReceipt]) -> None:
    """Raise `Refusal` where the idempotency key was refused, and all records with it."""
    codes = {each.code for each in kept}
    if len(codes) == 1 and codes <= _OF_THE_WHOLE_REQUEST:
        raise Refusal(kept[0].code or "", kept[0].message or "the idempotency key is taken")


def _receipt(
    checked: CheckedRecord, receipt: context_records.RecordReceipt, question: AppendQuestion
) -> AppendReceipt:
    record = checked.record
    if receipt.status == "rejected":
        code, message = receipt.code or "", receipt.message or ""
        return _rejected(Rejection(record.record_id, record.lineage_id, record.record_hash, code, message))
    return AppendReceipt(
        record_id=record.record_id,
        lineage_id=record.lineage_id,
        record_hash=record.record_hash,
        status="accepted" if receipt.status == "accepted" else "duplicate",
        recorded_at=written(receipt.recorded_at),
        superseded_record_id=receipt.superseded_id,
        retention=question.requested_retention or INDEFINITE if receipt.status == "accepted" else None,
        expires_at=written(receipt.expires_at),
    )


def _rejected(why: Rejection) -> AppendReceipt:
    return AppendReceipt(status="rejected", **why._asdict())


def _response(receipts: tuple[AppendReceipt, ...]) -> AppendResponse:
    rejected = sum(each.status == "rejected" for each in receipts)
    if not rejected:
        return AppendResponse(receipts=receipts)
    message = f"{rejected} of {len(receipts)} records were rejected; their receipts say why"
    return AppendResponse(receipts=receipts, code=PARTIAL_FAILURE, message=message)


def _looked_up(lookup: context_records.RecordLookup, principal: Principal) -> RecordLookup:
    record = lookup.record
    if record is None:
        return _absent(lookup)
    try:
        check_access(principal, record.subject_scope, record.sharing_scope)
    except Refusal as problem:
        return RecordLookup(
            record_id=lookup.record_id, status="denied", code=problem.code, message=problem.message
        )
    return RecordLookup(
        record_id=record.record_id,
        status="found",
        record=json.loads(record.body),
        recorded_at=written(record.recorded_at),
        superseded_at=written(record.superseded_at),
        retention=record.retention,
        expires_at=written(record.expires_at),
    )


def _absent(lookup: context_records.RecordLookup) -> RecordLookup:
    match lookup.status:
        case "erased":
            message = "a record of this id was erased"
            return RecordLookup(
                record_id=lookup.record_id, status="erased", code=REFERENCE_NOT_FOUND, message=message
            )
        case "expired":
            message = "the record's retention has ended"
            return RecordLookup(
                record_id=lookup.record_id, status="expired", code=REFERENCE_EXPIRED, message=message
            )
    return _unknown(lookup.record_id)


def _unknown(record_id: str) -> RecordLookup:
    message = "no record of this id is known here"
    return RecordLookup(record_id=record_id, status="not_found", code=REFERENCE_NOT_FOUND, message=message)


async def _erased(
    memory: Memory, principal: Principal, question: EraseQuestion, lookup: context_records.RecordLookup
) -> ErasureReceipt:
    record = lookup.record
    if record is not None:
        try:
            check_access(principal, record.subject_scope, record.sharing_scope)
        except Refusal as problem:
            return ErasureReceipt(
                record_id=lookup.record_id, status="denied", code=problem.code, message=problem.message
            )
    elif lookup.status != "expired" or principal.labels:
        # Of one whose retention has ended nothing is told, also not whether somebody with labels had part in it.
        return _not_there(lookup.record_id)
    report = await memory.erase(
        record=lookup.record_id, reason=question.reason, by=principal.name, dry_run=question.dry_run
    )
    return (
        _not_there(lookup.record_id)
        if report.empty
        else ErasureReceipt(record_id=lookup.record_id, status="erased")
    )


def _not_there(record_id: str) -> ErasureReceipt:
    message = "no record of this id is here"
    return ErasureReceipt(record_id=record_id, status="not_found", code=REFERENCE_NOT_FOUND, message=message)
