"""A record that somebody wants appended: checked as far as it can be without the store."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from ...temporal.errors import InvalidInput
from ...temporal.instants import Instant, to_instant
from ...temporal.shown import shown
from ..values import check_name, check_text
from ..writing import operations as ops
from .context_records import (
    BODY_BYTES,
    FRAME_KINDS,
    STATEMENT_BYTES,
    STATUSES,
    NewContextRecord,
    RecordReceipt,
    Retention,
    served_as,
)
from .refusals import INVALID

_MICROSECOND: Final = timedelta(microseconds=1)
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class AppendRecord:
    """A record to append: checked, but before anything that needs the store."""

    id: str
    lineage: str
    kind: str
    status: str
    statement: str | None
    body: str
    digest: str
    observed_at: Instant
    valid_from: Instant
    valid_to: Instant
    sharing: str
    subjects: tuple[tuple[str, str], ...]
    retention: str | None
    lifetime: int | None
    """How many microseconds it is kept; None for ever."""
    by: str | None
    client: str
    expires_at: Instant | None = None
    """When its retention ends, whenever it is recorded: for what another memory had recorded before."""
    original_recorded_at: Instant | None = None

    @property
    def frame(self) -> str | None:
        """The kind of frame it is served as."""
        return served_as(self.kind, self.status)


def check_records(records: Sequence[NewContextRecord], client: str) -> list[AppendRecord | RecordReceipt]:
    """Each record checked; a receipt instead, where it is refused."""
    if isinstance(records, str | Mapping) or not isinstance(records, Sequence):
        raise InvalidInput(f"append_records takes a list of NewContextRecord, not {shown(records)}")
    client = check_name(client, "the client's name")
    return [_check_record(each, client) for each in records]


def _check_record(given: NewContextRecord, client: str) -> AppendRecord | RecordReceipt:
    if not isinstance(given, NewContextRecord):
        raise InvalidInput(f"append_records takes a list of NewContextRecord, not one of {shown(given)}")
    try:
        return _checked(given, client)
    except InvalidInput as problem:
        record, lineage = (
            each if isinstance(each, str) else "" for each in (given.record_id, given.lineage_id)
        )
        return RecordReceipt(record, lineage, "rejected", code=INVALID, message=str(problem))


def _checked(given: NewContextRecord, client: str) -> AppendRecord:
    kind = check_name(given.kind, "the record's kind")
    if given.status not in STATUSES:
        raise InvalidInput(f"a record's status is one of {', '.join(STATUSES)}, not {shown(given.status)}")
    if not isinstance(given.digest, str) or not _DIGEST.fullmatch(given.digest):
        raise InvalidInput(
            f"a record's digest is sha256: and 64 lower-case hexadecimal digits, not {shown(given.digest)}"
        )
    statement = _optional_text(given.statement, "the record's statement", STATEMENT_BYTES)
    if kind in FRAME_KINDS and (statement is None or not statement.strip()):
        raise InvalidInput(f"a record of kind {kind} has a statement that is not blank")
    start, end = ops.window_start(given.valid_from), ops.window_end(given.valid_to)
    ops.check_window(start, end)
    assert isinstance(start, int) and isinstance(end, int)
    retention = _check_retention(given.retention)
    return AppendRecord(
        check_name(given.record_id, "the record's id"),
        check_name(given.lineage_id, "the record's lineage id"),
        kind,
        given.status,
        statement,
        _text(given.body, "the record's body", BODY_BYTES),
        given.digest,
        to_instant(given.observed_at),
        start,
        end,
        check_name(given.sharing_scope, "the record's sharing scope"),
        _check_subjects(given.subject_scope),
        retention.name if retention else None,
        microseconds(retention.lifetime) if retention else None,
        ops.check_optional(given.by, "by"),
        client,
    )


def _text(given: object, what: str, most: int) -> str:
    text = check_text(given, what)
    size = len(text.encode())
    if not text or size > most:
        raise InvalidInput(f"{what} is {size} bytes long; it has 1 to {most}")
    return text


def _optional_text(given: object, what: str, most: int) -> str | None:
    return None if given is None else _text(given, what, most)


def _check_subjects(given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, Mapping):
        raise InvalidInput(f"a record's subject scope is a mapping of names to texts, not {shown(given)}")
    named = [(check_name(name, "a name of the subject scope"), value) for name, value in given.items()]
    if any("=" in name for name, _ in named):
        raise InvalidInput("a name of the subject scope has no equals sign in it")
    return tuple(sorted((name, check_text(value, f"the subject's {name}")) for name, value in named))


def _check_retention(given: Retention | None) -> Retention | None:
    if given is None:
        return None
    if not isinstance(given, Retention):
        raise InvalidInput(f"retention is a Retention(name, lifetime), not {shown(given)}")
    check_name(given.name, "the retention's name")
    return given


def microseconds(lifetime: timedelta | None) -> int | None:
    """A lifetime that is longer than nothing, in microseconds."""
    if lifetime is None:
        return None
    if not isinstance(lifetime, timedelta) or lifetime <= timedelta(0):
        raise InvalidInput(f"a lifetime is a timedelta that is longer than nothing, not {shown(lifetime)}")
    return lifetime // _MICROSECOND
