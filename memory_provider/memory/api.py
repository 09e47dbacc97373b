"""The memory of one scope: the class that applications use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from types import TracebackType
from typing import cast

from ..store.contract import Moment, Pattern, Selection, Store
from ..store.opening import store_at
from ..store.records import Key, Predicate
from ..temporal.errors import InvalidInput
from ..temporal.instants import LAST, PAST, now
from ..temporal.shown import shown
from . import changes as change_log
from .connection import Connection
from .errors import ContentMismatch
from .evidence import explaining, resolving, verifying
from .evidence.frames import Frame
from .evidence.resolving import Content
from .evidence.verifying import HeldFrame, Verdict
from .facts import Fact, Page, fact_of
from .paging import encode, page
from .records import appending, reading
from .records.checking import check_records
from .records.context_records import ContextRecord, NewContextRecord, RecordLookup, RecordReceipt
from .records.sharing import Sees, SharedRecords
from .timeline import Stretch
from .times import moment_or_none
from .values import Object, check_name, from_object_value, to_object_value
from .view import View, view_instant
from .writing.erasing import ErasePlan
from .writing.operations import UNSET, File, Unset, When, check_optional
from .writing.predicates import Declaration, check_predicate_name
from .writing.receipts import EraseReport, Receipt
from .writing.transaction import OperationBuffer, Transaction, combine, commit, supplied_time


class Memory:
    """Long-term memory of one scope, with valid time and recorded time.

    Open one with `Memory.open` and use it as an async context manager. Every call may raise `StoreUnavailable` when
    the store cannot be reached; bad input raises a subclass of `InvalidInput` and changes nothing.
    """

    def __init__(self, store: Store, scope: str) -> None:
        self._connection = Connection(store)
        self._owner = True
        self._sees: Sees | None = None
        self._scope = check_name(scope, "the scope's name")
        self._known: dict[str, Predicate] = {}

    @classmethod
    def open(cls, url: str | None = None, *, scope: str = "default") -> Memory:
        """The memory of a scope in the store at `url`; connects when entered (`async with`) or first used.

        `url` is `sqlite:///path`, `memory:`, `neo4j://…`, `bolt://…` or `neo4j+s://…`; left out, a file in the user's
        data directory. Raises `InvalidAddress` for any other.
        """
        return cls(store_at(url), scope)

    @property
    def scope(self) -> str:
        """The name of the scope this memory is opened on."""
        return self._scope

    @property
    def store(self) -> Store:
        """The store beneath, shared with whoever else holds it."""
        return self._connection.store

    def scoped(self, scope: str, *, sees: Sees | None = None) -> Memory:
        """The memory of another scope over the same connection, which stays this one's to close.

        With `sees`, context records that it refuses (given whom they are about, and with whom they are shared) are as
        if they were not there for recall, verify, resolve, explain and reading records, and no record takes the place
        of one of them.
        """
        other = Memory(self.store, scope)
        other._connection, other._owner, other._sees = self._connection, False, sees
        return other

    async def __aenter__(self) -> Memory:
        await self._ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the store. Nothing is lost: every write was durable when it returned."""
        if self._owner:
            await self._connection.close()

    async def _ready(self) -> Store:
        store = await self._connection.ready()
        return store if self._sees is None else cast(Store, SharedRecords(store, self._sees))

    # --- writing

    async def define_predicate(
        self,
        name: str,
        *,
        cardinality: str = "many",
        object: str | None = None,
        label: str | None = None,
        inverse_label: str | None = None,
    ) -> None:
        """Declare a predicate: `one` or `many` objects at a time, their type, and labels for people.

        `object` is one of text, integer, number, boolean, date, instant, entity; left out, the first write fixes it.
        Raises `PredicateConflict` when it contradicts what stands, listing the facts in the way.
        """
        declaration = Declaration(name, cardinality, object, label, inverse_label)
        await (await self._ready()).write(self._scope, declaration.needs(), declaration)

    async def add_episode(
        self,
        text: str,
        *,
        occurred_at: When | None = None,
        source: str | None = None,
        speaker: str | None = None,
        session: str | None = None,
        recorded_at: When | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Keep something that happened or was said, verbatim; `occurred_at` left out is when it is recorded."""
        buffer = OperationBuffer()
        buffer.add_episode(
            text,
            occurred_at=occurred_at,
            source=source,
            speaker=speaker,
            session=session,
            idempotency_key=idempotency_key,
        )
        return await self._commit(buffer, recorded_at)

    async def assert_fact(
        self,
        subject: str,
        predicate: str,
        object: Object,
        *,
        valid_from: When | Unset | None = UNSET,
        valid_to: When | Unset | None = UNSET,
        episode: str | None = None,
        file: File | None = None,
        by: str | None = None,
        confidence: float | None = None,
        recorded_at: When | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Say that a fact holds over `[valid_from, valid_to)`.

        `valid_from` left out: when the cited episode occurred, else the recorded time. `valid_to` left out: until the
        next standing window of the key begins, for a `one` predicate, else open. None is unbounded. The receipt lists
        what was closed. `recorded_at` is for replay and import only.
        """
        buffer = OperationBuffer()
        buffer.assert_fact(
            subject,
            predicate,
            object,
            valid_from=valid_from,
            valid_to=valid_to,
            episode=episode,
            file=file,
            by=by,
            confidence=confidence,
            idempotency_key=idempotency_key,
        )
        return await self._commit(buffer, recorded_at)

    async def correct_fact(
        self,
        subject: str,
        predicate: str,
        object: Object,
        *,
        valid_from: When | Unset | None = UNSET,
        valid_to: When | Unset | None = UNSET,
        replaces: Object | None = None,
        episode: str | None = None,
        file: File | None = None,
        by: str | None = None,
        confidence: float | None = None,
        recorded_at: When | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Say that the window holds exactly this object, whatever the cardinality; with `replaces` only that yields.

        `valid_from` must be given (None: it always was so); `valid_to` left out is an open end.
        """
        buffer = OperationBuffer()
        buffer.correct_fact(
            subject,
            predicate,
            object,
            valid_from=valid_from,
            valid_to=valid_to,
            replaces=replaces,
            episode=episode,
            file=file,
            by=by,
            confidence=confidence,
            idempotency_key=idempotency_key,
        )
        return await self._commit(buffer, recorded_at)

    async def retract_fact(
        self,
        subject: str,
        predicate: str,
        object: Object | None = None,
        *,
        valid_from: When | Unset | None = UNSET,
        valid_to: When | Unset | None = UNSET,
        recorded_at: When | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Say that the window holds nothing of the key, or no longer this object. Nothing comes back in its place.

        `valid_from` must be given (None: it always was wrong); `valid_to` left out is an open end.
        """
        buffer = OperationBuffer()
        buffer.retract_fact(
            subject,
            predicate,
            object,
            valid_from=valid_from,
            valid_to=valid_to,
            idempotency_key=idempotency_key,
        )
        return await self._commit(buffer, recorded_at)

    async def erase(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: Object | None = None,
        episode: str | None = None,
        entity: str | None = None,
        record: str | None = None,
        reason: str,
        by: str | None = None,
        dry_run: bool = False,
        recorded_at: When | None = None,
    ) -> EraseReport:
        """Remove every trace of what matches, at every known_at; what it had overridden stays overridden.

        By any of subject, predicate and object; or by `episode` (its source links go, and what no other link covers);
        or by `entity` (facts at both ends, aliases, the episodes it spoke); or a context record by its id. `dry_run`
        reports and changes nothing.
        """
        filters = [subject, predicate, object]
        others = [episode is not None, entity is not None, record is not None]
        chosen = [any(each is not None for each in filters), *others]
        if sum(chosen) != 1:
            raise InvalidInput(
                "erase takes a filter (subject, predicate, object), or an episode, or an entity, or a record; "
                + (
                    "none was given: to empty a scope, erase the scope"
                    if not any(chosen)
                    else "give only one of them"
                )
            )
        if not isinstance(reason, str) or not reason.strip():
            raise InvalidInput("erase needs a reason: the tombstone keeps it")
        if not isinstance(dry_run, bool):
            raise InvalidInput(f"dry_run is True or False, not {shown(dry_run)}")
        selection = Selection(
            subject=check_name(subject, "the subject") if subject is not None else None,
            predicate=check_predicate_name(predicate) if predicate is not None else None,
            object=to_object_value(object) if object is not None else None,
            episode=check_name(episode, "the episode's id") if episode is not None else None,
            entity=check_name(entity, "the entity's name") if entity is not None else None,
            record=check_name(record, "the record's id") if record is not None else None,
        )
        store = await self._ready()
        plan = ErasePlan(
            reason=check_name(reason, "the reason"),
            by=check_optional(by, "by"),
            recorded_at=supplied_time(recorded_at),
            dry_run=dry_run,
        )
        await store.erase(self._scope, selection, plan, dry_run=dry_run)
        # Only now is it known what this erase could not reach.
        return replace(plan.report, residue=store.residue)

    def transaction(self, *, recorded_at: When | None = None) -> Transaction:
        """Several operations with one recorded time: `async with memory.transaction() as tx: tx.assert_fact(…)`."""
        return Transaction(self._ready, self._scope, supplied_time(recorded_at), self._known)

    async def append_records(
        self,
        records: Sequence[NewContextRecord],
        *,
        client: str,
        idempotency_key: str | None = None,
        command: str | None = None,
        key_lifetime: timedelta | None = None,
        recorded_at: When | None = None,
    ) -> list[RecordReceipt]:
        """Append immutable records in one transaction; a receipt for each, in order. Some may be rejected.

        A record on a known lineage takes the place of the one before it. An id that is there already is a `duplicate`
        with the same digest and rejected with another. An `idempotency_key` belongs to the `client` and stands for the
        whole batch, or for `command` where that says more (a hash of the request): with the same one the receipts come
        again as duplicates, with another everything is rejected, and so it is once `key_lifetime` is over.
        """
        return await appending.append(
            await self._ready(),
            self._scope,
            check_records(records, client),
            client=client,
            idempotency_key=idempotency_key,
            command=command,
            key_lifetime=key_lifetime,
            recorded_at=supplied_time(recorded_at),
            sees=self._sees,
        )

    async def records(self, ids: Sequence[str], *, known_at: When | None = None) -> list[RecordLookup]:
        """Records by id, each as it was known at an instant; one answer for each id, in order."""
        known = view_instant(known_at, "known_at")
        return await reading.look_up(await self._ready(), self._scope, ids, known)

    async def record(self, record_id: str, *, known_at: When | None = None) -> ContextRecord:
        """One record by id. Raises `NotFound` when it is unknown, was erased, or its retention has ended."""
        known = view_instant(known_at, "known_at")
        return await reading.one_record(await self._ready(), self._scope, record_id, known)

    async def lineage(self, lineage_id: str, *, known_at: When | None = None) -> list[ContextRecord]:
        """The records of a lineage known at an instant, oldest first; none where there is no such lineage."""
        known = view_instant(known_at, "known_at")
        return await reading.lineage_of(await self._ready(), self._scope, lineage_id, known)

    async def _commit(self, buffer: OperationBuffer, recorded_at: When | None) -> Receipt:
        supplied = supplied_time(recorded_at)
        store = await self._ready()
        return combine(await commit(store, self._scope, buffer.operations, supplied, self._known))

    # --- reading

    def at(self, as_of: When | None = None, known_at: When | None = None) -> View:
        """The memory as of one instant, according to what was known at another; both default to the latest."""
        return View(
            self._ready, self._scope, view_instant(as_of, "as_of"), view_instant(known_at, "known_at")
        )

    async def timeline(self, subject: str, predicate: str, *, known_at: When | None = None) -> list[Stretch]:
        """What held of a key over all of valid time, as `(object, valid_from, valid_to)`, ordered by start."""
        key = Key(check_name(subject, "the subject"), check_predicate_name(predicate))
        moment = Moment(None, view_instant(known_at, "known_at"), now())
        answer = await (await self._ready()).standing(self._scope, moment, key)
        return [
            Stretch(
                from_object_value(each.object), moment_or_none(each.valid_from), moment_or_none(each.valid_to)
            )
            for each in answer.found
        ]

    async def history(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        *,
        limit: int = 1000,
        after: str | None = None,
    ) -> Page[Fact]:
        """Every version ever recorded with both clocks, oldest recorded first; erased ones are gone."""
        pattern = Pattern(
            check_name(subject, "the subject") if subject is not None else None,
            check_predicate_name(predicate) if predicate is not None else None,
        )
        rows = await (await self._ready()).history(self._scope, pattern, page(limit, after, (int, int, str)))
        found: Page[Fact] = Page(fact_of(row) for row in rows[:limit])
        if len(rows) > limit:
            last = rows[limit - 1].version
            found.cursor = encode(last.recorded_at, last.valid_from, last.id)
        return found

    async def changes(
        self,
        *,
        since: When | None = None,
        until: When | None = None,
        limit: int = 1000,
        after: str | None = None,
    ) -> Page[change_log.Change]:
        """What was learned, corrected, retracted and erased with since < recorded_at <= until, oldest first."""
        begin = view_instant(since, "since")
        end = view_instant(until, "until")
        return await change_log.changes(
            await self._ready(),
            self._scope,
            PAST if begin is None else begin,
            LAST if end is None else end,
            limit,
            after,
        )

    async def explain(self, frame: str | Frame | Fact) -> explaining.Explanation:
        """Who asserted it, from which episode, what it replaced, what replaced it. Raises `NotFound`."""
        given = frame.id if isinstance(frame, Frame | Fact) else frame
        if not isinstance(given, str):
            raise InvalidInput(f"explain takes a frame, a fact or an id, not {shown(given)}")
        return await explaining.explain(await self._ready(), self._scope, given)

    async def verify(
        self,
        frames: Sequence[Frame | Fact | HeldFrame | tuple[str, str | None]],
        *,
        known_at: When | None = None,
    ) -> list[Verdict]:
        """Whether evidence held earlier still stands: one verdict for each frame, in order.

        One round trip, or two where an episode's digest is not that of its whole text: it may be that of an extract.
        Frames and facts from this memory, or pairs of frame id and content digest. An id without a digest is
        `unknown`: there is nothing to compare.
        """
        held = verifying.held_frames(frames)
        moment = Moment(None, view_instant(known_at, "known_at"), now())
        return await verifying.verify(await self._ready(), self._scope, moment, held)

    async def resolve(self, reference: Frame | str, *, digest: str | None = None) -> Content:
        """The whole content of a compact or reference frame, by the frame or by its handle (`frame.canonical.uri`).

        It is what the frame said when it was recalled, to the byte, or there is none: raises `ReferenceNotFound` for a
        handle this scope never issued, `ReferenceExpired` when what it led to was erased or no longer stands, and
        `ContentMismatch` when that says something else now, or `digest` is given and is another than the handle's.
        """
        key = resolving.content_key(reference)
        if digest is not None and digest != key.digest:
            raise ContentMismatch(f"the handle leads to {key.digest}, not to {shown(digest)}")
        return await resolving.resolve(await self._ready(), self._scope, key)
