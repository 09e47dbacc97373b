"""What a request about records asks: as much of it looked at as takes no time and loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..protocol import BAD_REQUEST, AppendRecords, EraseRecords, GetRecords
from ..protocol.lifecycle.codes import BATCH_TOO_LARGE, RETENTION_REJECTED
from .lifecycle import INDEFINITE, MAX_RECORDS, RETENTION
from .questions import asked_known_at
from .refusals import Refusal

MAX_KEY_BYTES: Final = 1024
"""The longest idempotency key."""


class AppendQuestion(NamedTuple):
    """Documents to keep, not looked at yet; what is asked for all of them was."""

    documents: tuple[Mapping[str, Any], ...]
    idempotency_key: str | None
    requested_retention: str | None

    def ids(self) -> Iterator[str]:
        """The ids that the documents give themselves."""
        found = (document.get("record_id") for document in self.documents)
        return (id for id in found if isinstance(id, str))


class GetQuestion(NamedTuple):
    """Which records to read. The instant is microseconds since the Unix epoch, None being the latest."""

    ids: tuple[str, ...]
    known_at: int | None


class EraseQuestion(NamedTuple):
    """Which records to erase, and why."""

    ids: tuple[str, ...]
    reason: str
    dry_run: bool


def append_question(append: AppendRecords) -> AppendQuestion:
    """What is asked to be kept. Raises `Refusal`."""
    request = append.request
    _check_batch(len(request.records))
    key = request.idempotency_key
    if key is not None and not 1 <= len(key.encode()) <= MAX_KEY_BYTES:
        raise Refusal(BAD_REQUEST, f"idempotency_key: expected a text of 1 to {MAX_KEY_BYTES} bytes")
    retention = request.requested_retention
    if retention is not None and retention not in RETENTION:
        message = f"requested_retention: expected one of {', '.join(RETENTION)}; left out it is {INDEFINITE}"
        raise Refusal(RETENTION_REJECTED, message)
    return AppendQuestion(request.records, key, retention)


def get_question(get: GetRecords) -> GetQuestion:
    """What is asked to be read. Raises `Refusal`."""
    _check_batch(len(get.request.record_ids))
    return GetQuestion(get.request.record_ids, asked_known_at(get.request.extra))


def erase_question(erase: EraseRecords) -> EraseQuestion:
    """What is asked to be erased. Raises `Refusal`."""
    request = erase.request
    _check_batch(len(request.record_ids))
    if not request.reason.strip():
        raise Refusal(BAD_REQUEST, "reason: expected a text that says why; it is kept with the tombstone")
    return EraseQuestion(request.record_ids, request.reason, request.dry_run)


def _check_batch(size: int) -> None:
    if size > MAX_RECORDS:
        raise Refusal(BATCH_TOO_LARGE, f"at most {MAX_RECORDS} records at a time, got {size}")
