"""Records that a host wants kept, looked at one by one before anything is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..protocol import ProtocolError, digest
from ..protocol.lifecycle.codes import INVALID_RECORD, PAYLOAD_TOO_LARGE
from ..protocol.lifecycle.hashing import (
    RECORD_HASH,
    CanonicalizationError,
    canonical_and_hash,
    canonical_json,
)
from ..protocol.lifecycle.records import RecordError, read_record
from .lifecycle import MAX_RECORD_BYTES, MAX_REQUEST_BYTES, MAX_STATEMENT_BYTES
from .refusals import Refusal

if TYPE_CHECKING:
    from ..protocol.lifecycle.records import ContextRecord


class CheckedRecord(NamedTuple):
    """A record of the profile's shape, whose hash is what it says."""

    record: ContextRecord
    body: str
    """Its canonical JSON."""


class Rejection(NamedTuple):
    """Why a document is not kept, and what it says of its ids, as far as it does."""

    record_id: str | None
    lineage_id: str | None
    record_hash: str | None
    code: str
    message: str


class CheckedRequest(NamedTuple):
    """All records of a request, in order, and a digest of what was asked (LH4)."""

    records: list[CheckedRecord | Rejection]
    command: str


def check_request(documents: Sequence[Any], requested_retention: str | None) -> CheckedRequest:
    """Look at the records of a request. Raises `Refusal` where they are too long together.

    It takes time in proportion to their size; call it where that holds nobody up.
    """
    records: list[CheckedRecord | Rejection] = []
    said: list[str] = []
    total = 0
    for document in documents:
        try:
            body, right = canonical_and_hash(document)
        except CanonicalizationError as problem:
            records.append(rejection(document, problem))
            said.append(digest(json.dumps(document, sort_keys=True).encode()))
            continue
        total += len(body)
        if total > MAX_REQUEST_BYTES:
            message = f"the records are longer than {MAX_REQUEST_BYTES} bytes together; send fewer at a time"
            raise Refusal(PAYLOAD_TOO_LARGE, message)
        records.append(_checked(document, body, right))
        said.append(digest(body))
    return CheckedRequest(records, digest(canonical_json([said, requested_retention])))


def rejection(document: Any, problem: ProtocolError) -> Rejection:
    """That a document is not kept, and why."""
    return Rejection(
        _text(document, "record_id"),
        _text(document, "lineage_id"),
        _text(document, RECORD_HASH),
        problem.code,
        problem.message,
    )


def _checked(document: Any, body: bytes, right: str) -> CheckedRecord | Rejection:
    try:
        if len(body) > MAX_RECORD_BYTES:
            raise RecordError(
                PAYLOAD_TOO_LARGE, f"the record has {len(body)} bytes; at most {MAX_RECORD_BYTES} are kept"
            )
        record = read_record(document)
        if record.said is not None and len(record.said.encode()) > MAX_STATEMENT_BYTES:
            raise RecordError(PAYLOAD_TOO_LARGE, f"statement: at most {MAX_STATEMENT_BYTES} bytes are kept")
        if record.record_hash != right:
            raise RecordError(
                INVALID_RECORD, f"{RECORD_HASH}: the record's is {right}, not what it says (LH1)"
            )
    except RecordError as problem:
        return rejection(document, problem)
    return CheckedRecord(record, body.decode())


def _text(document: Any, name: str) -> str | None:
    value = document.get(name)
    return value if isinstance(value, str) and value else None
