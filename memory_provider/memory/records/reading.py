"""Reading context records by id and by lineage, as they were known at an instant."""

from __future__ import annotations

from collections.abc import Sequence

from ...store import records
from ...store.contract import Moment, Store, record_tombstone
from ...temporal.errors import InvalidInput
from ...temporal.instants import OPEN, Instant, now, to_datetime
from ...temporal.shown import shown
from ..errors import NotFound
from ..times import moment_or_none
from ..values import is_unicode
from .context_records import ContextRecord, RecordLookup


async def look_up(
    store: Store, scope: str, ids: Sequence[str], known_at: Instant | None
) -> list[RecordLookup]:
    """What each id names, in order. One call of the store, and one more where some name nothing."""
    if (
        isinstance(ids, str)
        or not isinstance(ids, Sequence)
        or not all(isinstance(each, str) for each in ids)
    ):
        raise InvalidInput(f"records takes a list of record ids, not {shown(ids)}")
    asked = [each for each in ids if is_unicode(each)]
    moment = Moment(None, known_at, now())
    answer = await store.records(scope, moment, asked, ())
    found = {each.id: each for each in answer.found}
    missing = [record_tombstone(each) for each in asked if each not in found]
    erased = {each.id for each in await store.tombstones(scope, missing)} if missing else set()
    return [_told(each, found.get(each), erased, moment.now, answer.known_at) for each in ids]


async def one_record(store: Store, scope: str, record_id: str, known_at: Instant | None) -> ContextRecord:
    """One record. Raises `NotFound` saying why it is not there."""
    (found,) = await look_up(store, scope, [record_id], known_at)
    if found.record is None:
        why = {"erased": "was erased", "expired": "was kept until its retention ended"}.get(found.status)
        raise NotFound(
            f"the record {shown(record_id)} {why}" if why else f"this scope has no record {shown(record_id)}"
        )
    return found.record


async def lineage_of(store: Store, scope: str, lineage: str, known_at: Instant | None) -> list[ContextRecord]:
    """The records of a lineage, oldest first, but for those whose retention has ended."""
    if not isinstance(lineage, str):
        raise InvalidInput(f"lineage takes the id of a lineage, not {shown(lineage)}")
    if not is_unicode(lineage):
        return []
    moment = Moment(None, known_at, now())
    answer = await store.records(scope, moment, (), [lineage])
    return [record_of(each, answer.known_at) for each in answer.found if each.expires_at > moment.now]


def record_of(row: records.ContextRecord, known_at: Instant = OPEN) -> ContextRecord:
    """A stored row as a record, as far as it was known at an instant."""
    return ContextRecord(
        record_id=row.id,
        lineage_id=row.lineage,
        kind=row.kind,
        status=row.status,
        statement=row.statement,
        body=row.body,
        digest=row.digest,
        observed_at=to_datetime(row.observed_at),
        valid_from=moment_or_none(row.valid_from),
        valid_to=moment_or_none(row.valid_to),
        recorded_at=to_datetime(row.recorded_at),
        superseded_at=moment_or_none(row.superseded_at) if row.superseded_at <= known_at else None,
        sharing_scope=row.sharing,
        subject_scope=dict(row.subjects),
        retention=row.retention,
        expires_at=moment_or_none(row.expires_at),
        client=row.client,
        by=row.by,
        original_recorded_at=None
        if row.original_recorded_at is None
        else to_datetime(row.original_recorded_at),
    )


def _told(
    asked: str, row: records.ContextRecord | None, erased: set[str], wall: Instant, known_at: Instant
) -> RecordLookup:
    if row is None:
        gone = is_unicode(asked) and record_tombstone(asked) in erased
        return RecordLookup(asked, "erased" if gone else "unknown")
    if row.expires_at <= wall:
        return RecordLookup(asked, "expired")
    return RecordLookup(asked, "found", record_of(row, known_at))
