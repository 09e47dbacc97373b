"""The plan of appending: what becomes of each record, from what stands. Pure, so that it can be retried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...store.contract import Changes, Loaded, Needs
from ...store.records import ContextRecord, IdempotencyRecord, IndexedRecord
from ...temporal.clock import next_transaction_time
from ...temporal.instants import LAST, OPEN, Instant, now, to_datetime
from ...temporal.shown import shown
from ..rendering import digest
from ..text.analysis import document_terms
from ..times import moment_or_none
from .checking import AppendRecord
from .context_records import RecordReceipt
from .refusals import IDENTITY, INVALID, KEY_OVER, KEY_SPENT, SOMEBODY_ELSES
from .sharing import Sees


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """What a batch is done under, as keyed hashes."""

    key: str
    command: str
    lifetime: int | None
    """After how many microseconds it may no longer be used; None for never."""


def record_terms(record: ContextRecord) -> str:
    """The search terms of a record: of its statement, if it is served."""
    return document_terms(record.statement or "") if record.frame else ""


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
