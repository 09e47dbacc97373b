"""Appending context records: checked one by one, decided under the scope's lock, a receipt for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from ..store.contract import Changes, Loaded, Needs, Store
from ..store.records import ContextRecord, IdempotencyRecord, IndexedRecord
from ..temporal.clock import next_transaction_time
from ..temporal.errors import InvalidInput
from ..temporal.instants import LAST, OPEN, Instant, now, to_datetime, to_instant
from ..temporal.shown import shown
from . import operations as ops
from .analysis import document_terms
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
from .idempotency import check_key, hash_command, hash_record_key
from .rendering import digest
from .shared_records import Sees
from .times import moment_or_none
from .values import check_name, check_text

_MICROSECOND = timedelta(microseconds=1)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

INVALID = "invalid_record"
IDENTITY = "record_identity_conflict"
SOMEBODY_ELSES = "scope_denied"
KEY_SPENT = "idempotency_conflict"
KEY_OVER = "idempotency_expired"


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


def record_terms(record: ContextRecord) -> str:
    """The search terms of a record: of its statement, if it is served."""
    return document_terms(record.statement or "") if record.frame else ""


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """What a batch is done under, as keyed hashes."""

    key: str
    command: str
    lifetime: int | None
    """After how many microseconds it may no longer be used; None for never."""


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


class AppendPlan:
    """Called by the store under the lock, perhaps several times; keeps the last receipts."""

    def __init__(
        self,
        records: Sequence[AppendRecord],
        key: IdempotencyKey | None,
        recorded_at: Instant | None,
        sees: Sees | None = None,
    ) -> None:
        self._records = records
        self._key = key
        self._supplied = recorded_at
        self._sees = sees
        self.receipts: list[RecordReceipt] = []

    def needs(self) -> Needs:
        """The records and lineages named, and what was done under the key."""
        return Needs(
            records={each.id for each in self._records},
            lineages={each.lineage for each in self._records},
            idempotency=[self._key.key] if self._key else [],
        )

    def __call__(self, loaded: Loaded) -> Changes:
        wall = now()
        done = loaded.idempotency.get(self._key.key) if self._key else None
        if done is not None:
            assert self._key is not None
            self.receipts = _Replay(loaded, done, self._key, wall, self._sees).receipts(self._records)
            return Changes(None)
        batch = _Batch(loaded, lambda: next_transaction_time(loaded.clock, wall, self._supplied), self._sees)
        self.receipts = [batch.add(each) for each in self._records]
        return batch.changes(self._key, loaded.clock)


class _Batch:
    """Records of one transaction, taking effect in order."""

    def __init__(self, loaded: Loaded, recorded_at: Callable[[], Instant], sees: Sees | None) -> None:
        self._loaded = loaded
        self._sees = sees
        self._recorded_at = recorded_at
        self._at: Instant | None = None
        self._new: dict[str, ContextRecord] = {}
        self._last = dict(loaded.lineages)
        self._superseded: list[str] = []
        self._there: list[str] = []

    def add(self, given: AppendRecord) -> RecordReceipt:
        """Decide about one record."""
        refused = _refused(given, self._loaded)
        if refused:
            return refused
        known = self._new.get(given.id) or self._loaded.records.get(given.id)
        if known is not None:
            return self._known(given, known)
        last = self._last.get(given.lineage)
        if last is not None and self._denied(last):
            message = (
                f"the lineage {shown(given.lineage)} is somebody else's: give the record a lineage of its own"
            )
            return _rejection(given, SOMEBODY_ELSES, message)
        if last is not None and last.kind != given.kind:
            return _rejection(
                given,
                INVALID,
                f"the lineage {shown(given.lineage)} is of kind {last.kind}, and this record of kind {given.kind}: "
                "give it a lineage of its own",
            )
        if self._at is None:
            self._at = self._recorded_at()
        record = _recorded(given, self._at, len(self._new))
        replaced = last if last is not None and last.stands else None
        if replaced is not None:
            self._replace(replaced)
        self._new[given.id] = self._last[given.lineage] = record
        return RecordReceipt(
            given.id,
            given.lineage,
            "accepted",
            to_datetime(self._at),
            superseded_id=replaced.id if replaced else None,
            expires_at=moment_or_none(record.expires_at),
        )

    def _denied(self, record: ContextRecord) -> bool:
        return self._sees is not None and not self._sees(dict(record.subjects), record.sharing)

    def _known(self, given: AppendRecord, known: ContextRecord) -> RecordReceipt:
        if self._denied(known):
            message = f"the record id {shown(given.id)} is taken: give the record one of its own"
            return _rejection(given, IDENTITY, message)
        if known.digest != given.digest or known.lineage != given.lineage:
            return _rejection(
                given,
                IDENTITY,
                f"the record {shown(given.id)} is there with other content, and records never change: "
                f"give the correction an id of its own on the lineage {shown(known.lineage)}",
            )
        self._there.append(given.id)
        return _duplicate(known)

    def _replace(self, record: ContextRecord) -> None:
        assert self._at is not None
        if record.id in self._new:  # of this transaction: it was never visible
            self._new[record.id] = record._replace(superseded_at=self._at)
        else:
            self._superseded.append(record.id)

    def changes(self, key: IdempotencyKey | None, clock: Instant) -> Changes:
        """What is to be written."""
        done: list[IdempotencyRecord] = []
        ids = tuple(dict.fromkeys([*self._new, *self._there]))
        if key is not None and ids:  # a batch of which nothing was accepted leaves its key unspent
            at = clock if self._at is None else self._at
            over = OPEN if key.lifetime is None else _later(at, key.lifetime)
            done.append(IdempotencyRecord(key.key, key.command, at, None, None, (), (), False, ids, over))
        return Changes(
            self._at,
            idempotency=done,
            superseded_records=self._superseded,
            records=[IndexedRecord(each, record_terms(each)) for each in self._new.values()],
        )


class _Replay:
    """A batch whose key was used before."""

    def __init__(
        self, loaded: Loaded, done: IdempotencyRecord, key: IdempotencyKey, wall: Instant, sees: Sees | None
    ) -> None:
        self._loaded = loaded
        self._sees = sees
        self._done = done
        self._refusal: tuple[str, str] | None = None
        if done.expires_at <= max(wall, loaded.clock):
            self._refusal = KEY_OVER, "the time of this idempotency key is over: append under a fresh one"
        elif not done.erased and done.arguments != key.command:
            self._refusal = (
                KEY_SPENT,
                "this idempotency key was used for another request: append under a fresh one",
            )

    def receipts(self, records: Sequence[AppendRecord]) -> list[RecordReceipt]:
        """What the first request was answered, as far as it was accepted."""
        if self._refusal:
            return [_rejection(each, *self._refusal) for each in records]
        # Rejections are found again by the same rules.
        batch = _Batch(self._loaded, lambda: self._done.recorded_at, self._sees)
        return [self._again(each, batch) for each in records]

    def _again(self, given: AppendRecord, batch: _Batch) -> RecordReceipt:
        receipt = batch.add(given)
        if receipt.status != "accepted":
            return receipt
        return _rejection(
            given,
            KEY_SPENT,
            "this record was not accepted when this idempotency key was first used: append it under a fresh one",
        )


def _refused(given: AppendRecord, loaded: Loaded) -> RecordReceipt | None:
    if given.id not in loaded.erased:
        return None
    return RecordReceipt(
        given.id,
        given.lineage,
        "rejected",
        code=IDENTITY,
        message=f"the record {shown(given.id)} was erased, and its id is not used again: give it a new one",
        erased=True,
    )


def _rejection(given: AppendRecord, code: str, message: str) -> RecordReceipt:
    return RecordReceipt(given.id, given.lineage, "rejected", code=code, message=message)


def _duplicate(known: ContextRecord) -> RecordReceipt:
    return RecordReceipt(
        known.id,
        known.lineage,
        "duplicate",
        to_datetime(known.recorded_at),
        expires_at=moment_or_none(known.expires_at),
    )


def _recorded(given: AppendRecord, at: Instant, position: int) -> ContextRecord:
    expires_at = given.expires_at
    if expires_at is None:
        expires_at = OPEN if given.lifetime is None else _later(at, given.lifetime)
    frame = given.frame
    return ContextRecord(
        id=given.id,
        lineage=given.lineage,
        kind=given.kind,
        status=given.status,
        statement=given.statement,
        body=given.body,
        digest=given.digest,
        observed_at=given.observed_at,
        valid_from=given.valid_from,
        valid_to=given.valid_to,
        recorded_at=at,
        superseded_at=OPEN,
        expires_at=expires_at,
        position=position,
        frame=frame,
        frame_digest=digest(given.statement or "") if frame else None,
        sharing=given.sharing,
        subjects=given.subjects,
        retention=given.retention,
        client=given.client,
        by=given.by,
        original_recorded_at=given.original_recorded_at,
    )


def _later(at: Instant, lifetime: int) -> Instant:
    return min(at + lifetime, LAST)
