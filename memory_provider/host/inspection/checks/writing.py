"""What only writing shows of the lifecycle profile. It is tried where it was asked for, and taken back afterwards."""

from __future__ import annotations

from secrets import token_hex
from typing import Any, Final

from ....protocol import AppendRecords, EraseRecords, GetRecords, Records, RecordsAppended, RecordsErased
from ....protocol.lifecycle.codes import IDEMPOTENCY_CONFLICT, RECORD_IDENTITY_CONFLICT, RETENTION_REJECTED
from ....protocol.lifecycle.hashing import hashed
from ...errors import peer_text
from ..answers import Answer
from ..messages import Message
from ..subject import Subject
from .lifecycle import NO_MESSAGES, WRITES, correlated, offers

_RETENTION: Final = "inspection:no-such-class"


async def appending(subject: Subject) -> None:
    """Append a record twice, others in its place, one that is to be kept in no way there is, and a correction."""
    if subject.lifecycle is None or not subject.writes:
        return
    observations = subject.observations
    if not offers(subject, AppendRecords.type, RecordsAppended.type):
        observations.not_seen(WRITES, NO_MESSAGES)
        return
    name = f"inspection-{token_hex(8)}"
    first, correction = _record(name, name, "It was so."), _record(f"{name}-b", name, "It is otherwise.")
    unkeepable = _record(f"{name}-c", f"{name}-c", "Nobody keeps this.")
    try:
        answer = await _append(subject, first, idempotency_key=name)
        if _status(answer) != "accepted":
            observations.not_seen(WRITES, f"it takes no record: {_said(answer)}")
            return
        await _repeated(subject, name, first)
        answer = await _append(subject, unkeepable, requested_retention=_RETENTION)
        kept = await _read(subject, unkeepable)
        observations.holds(
            "LO-ID2",
            _code(answer) == RETENTION_REJECTED and kept is None,
            "retention that is not offered is rejected, and nothing is kept",
            f"retention that is not offered gets {_said(answer)}{', and the record is kept' if kept else ''}",
            answer.exchange,
        )
        answer = await _append(subject, correction)
        if offers(subject, GetRecords.type, Records.type):
            observations.holds(
                "LR2",
                _status(answer) == "accepted" and await _read(subject, first) == first,
                "a correction is another record, and leaves the first as it was",
                "after a correction the first record is not what it was",
                answer.exchange,
            )
        else:
            observations.not_seen("LR2", NO_MESSAGES)
    finally:
        await _erase(subject, [each["record_id"] for each in (first, correction, unkeepable)])


async def _repeated(subject: Subject, key: str, first: Message) -> None:
    """The same again, something else under its key, and something else under its id."""
    other = _record(f"{key}-d", f"{key}-d", "Something else.")
    renamed = _record(first["record_id"], first["lineage_id"], "Something else.")
    again = await _append(subject, first, idempotency_key=key)
    _looked_at(subject, "the same again", again, _status(again) == "duplicate")
    keyed = await _append(subject, other, idempotency_key=key)
    _looked_at(subject, "something else under its key", keyed, _code(keyed) == IDEMPOTENCY_CONFLICT)
    named = await _append(subject, renamed)
    _looked_at(subject, "something else under its id", named, _code(named) == RECORD_IDENTITY_CONFLICT)


def _looked_at(subject: Subject, what: str, answer: Answer, is_right: bool) -> None:
    subject.observations.holds(
        "LO-ID1",
        is_right,
        "the same is a duplicate, and other things under its key or its id are conflicts",
        f"{what} gets {_said(answer)}",
        answer.exchange,
    )


def _record(id: str, lineage: str, statement: str) -> Message:
    return hashed(
        {
            "schema_version": "contextgraph/lifecycle/1.0-draft",
            "record_id": id,
            "lineage_id": lineage,
            "record_kind": "observation",
            "record_status": "active",
            "scope": {"workspace_id": "inspection"},
            "sharing_scope": "workspace",
            "observed_at": "2026-01-01T00:00:00Z",
            "origin": "observed",
            "provenance": {"origin_provider_id": "inspection", "producer_kind": "system"},
            "statement": statement,
        }
    )


async def _append(subject: Subject, record: Message, **members: Any) -> Answer:
    request = {"records": [record], **members}
    return await subject.ask({"type": AppendRecords.type, **correlated(subject), "request": request})


async def _read(subject: Subject, record: Message) -> Any:
    """The document as it is given out now; None where there is none."""
    if not offers(subject, GetRecords.type, Records.type):
        return None
    request = {"record_ids": [record["record_id"]]}
    answer = await subject.ask({"type": GetRecords.type, **correlated(subject), "request": request})
    return _first(answer, "records").get("record")


async def _erase(subject: Subject, ids: list[str]) -> None:
    if offers(subject, EraseRecords.type, RecordsErased.type):
        request = {"record_ids": ids, "reason": "it was an inspection"}
        await subject.ask({"type": EraseRecords.type, **correlated(subject), "request": request})


def _first(answer: Answer, member: str) -> Message:
    response = (answer.message or {}).get("response")
    found = response.get(member) if isinstance(response, dict) else None
    first = found[0] if isinstance(found, list) and found else None
    return first if isinstance(first, dict) else {}


def _status(answer: Answer) -> Any:
    return _first(answer, "receipts").get("status")


def _code(answer: Answer) -> Any:
    """Of the error, or of the receipt."""
    code = answer.code or _first(answer, "receipts").get("code")
    return code if isinstance(code, str) else None


def _said(answer: Answer) -> str:
    return peer_text(str(_code(answer) or _status(answer) or answer))
