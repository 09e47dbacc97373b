"""The memory without await: `Memory`, `View` and `Transaction`, run in a background thread.

Written by scripts/generate-sync from memory/api.py, memory/view.py and memory/writing/transaction.py; change those.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from threading import Lock, Thread, main_thread
from types import TracebackType
from typing import TypeVar

from anyio.from_thread import BlockingPortal, BlockingPortalProvider

from .memory import api
from .memory import changes as change_log
from .memory import view as asynchronous_view
from .memory.evidence import explaining
from .memory.evidence.frames import Frame, Representation
from .memory.evidence.resolving import Content
from .memory.evidence.verifying import HeldFrame, Verdict
from .memory.facts import Fact, Page
from .memory.recall.recalling import Recall
from .memory.records.context_records import ContextRecord, NewContextRecord, RecordLookup, RecordReceipt
from .memory.records.sharing import Sees
from .memory.timeline import Stretch
from .memory.values import Object
from .memory.view import Graph
from .memory.writing import transaction as asynchronous_transaction
from .memory.writing.operations import UNSET, File, Operation, Unset, When
from .memory.writing.receipts import EraseReport, Receipt
from .store.contract import Store

Answer = TypeVar("Answer")

_EVENT_LOOP = BlockingPortalProvider("asyncio")
"""One thread with an event loop for the whole process, while any memory is open."""


class _Runner:
    """Runs what would be awaited; holds the event loop from its first use until it is let go."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._portal: BlockingPortal | None = None

    def __call__(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        with self._lock:
            if self._portal is None:
                self._portal = _EVENT_LOOP.__enter__()
                _OPEN.add(self)
                _let_go_at_the_end()
            portal = self._portal
        return portal.call(ask)

    def let_go(self) -> None:
        with self._lock:
            held, self._portal = self._portal, None
        if held is not None:
            _OPEN.discard(self)
            _EVENT_LOOP.__exit__(None, None, None)


_OPEN: set[_Runner] = set()


@cache
def _let_go_at_the_end() -> None:
    """Without this a program that does not close its memory would never end: workers of the loop wait for more."""

    def wait() -> None:
        main_thread().join()
        for runner in list(_OPEN):
            runner.let_go()

    Thread(target=wait, name="memory-closer", daemon=True).start()


class Memory:
    """Long-term memory of one scope, with valid time and recorded time.

    Open one with `Memory.open` and use it as a context manager. Every call may raise `StoreUnavailable` when
    the store cannot be reached; bad input raises a subclass of `InvalidInput` and changes nothing.
    """

    def __init__(self, store: Store, scope: str) -> None:
        self._run = _Runner()
        self._asynchronous = api.Memory(store, scope)
        self._owner = True

    @classmethod
    def open(cls, url: str | None = None, *, scope: str = "default") -> Memory:
        """The memory of a scope in the store at `url`; connects when entered (`with`) or first used.

        `url` is `sqlite:///path`, `memory:`, `neo4j://…`, `bolt://…` or `neo4j+s://…`; left out, a file in the user's
        data directory. Raises `InvalidAddress` for any other.
        """
        opened = api.Memory.open(url, scope=scope)
        return cls(opened.store, opened.scope)

    def scoped(self, scope: str, *, sees: Sees | None = None) -> Memory:
        """The memory of another scope over the same connection, which stays this one's to close.

        With `sees`, context records that it refuses (given whom they are about, and with whom they are shared) are as
        if they were not there for recall, verify, resolve, explain and reading records, and no record takes the place
        of one of them.
        """
        other = Memory(self.store, scope)
        other._run, other._owner = self._run, False
        other._asynchronous = self._asynchronous.scoped(scope, sees=sees)
        return other

    def __enter__(self) -> Memory:
        try:
            self._run(self._asynchronous.__aenter__)
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store. Nothing is lost: every write was durable when it returned."""
        try:
            self._run(self._asynchronous.close)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        if self._owner:
            self._run.let_go()

    @property
    def scope(self) -> str:
        """The name of the scope this memory is opened on."""
        return self._asynchronous.scope

    @property
    def store(self) -> Store:
        """The store beneath, shared with whoever else holds it."""
        return self._asynchronous.store

    def define_predicate(
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
        self._run(
            partial(
                self._asynchronous.define_predicate,
                name,
                cardinality=cardinality,
                object=object,
                label=label,
                inverse_label=inverse_label,
            )
        )

    def add_episode(
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
        return self._run(
            partial(
                self._asynchronous.add_episode,
                text,
                occurred_at=occurred_at,
                source=source,
                speaker=speaker,
                session=session,
                recorded_at=recorded_at,
                idempotency_key=idempotency_key,
            )
        )

    def assert_fact(
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
        return self._run(
            partial(
                self._asynchronous.assert_fact,
                subject,
                predicate,
                object,
                valid_from=valid_from,
                valid_to=valid_to,
                episode=episode,
                file=file,
                by=by,
                confidence=confidence,
                recorded_at=recorded_at,
                idempotency_key=idempotency_key,
            )
        )

    def correct_fact(
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
        return self._run(
            partial(
                self._asynchronous.correct_fact,
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
                recorded_at=recorded_at,
                idempotency_key=idempotency_key,
            )
        )

    def retract_fact(
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
        return self._run(
            partial(
                self._asynchronous.retract_fact,
                subject,
                predicate,
                object,
                valid_from=valid_from,
                valid_to=valid_to,
                recorded_at=recorded_at,
                idempotency_key=idempotency_key,
            )
        )

    def erase(
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
        return self._run(
            partial(
                self._asynchronous.erase,
                subject=subject,
                predicate=predicate,
                object=object,
                episode=episode,
                entity=entity,
                record=record,
                reason=reason,
                by=by,
                dry_run=dry_run,
                recorded_at=recorded_at,
            )
        )

    def transaction(self, *, recorded_at: When | None = None) -> Transaction:
        """Several operations with one recorded time: `with memory.transaction() as tx: tx.assert_fact(…)`."""
        return Transaction(self._run, self._asynchronous.transaction(recorded_at=recorded_at))

    def append_records(
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
        return self._run(
            partial(
                self._asynchronous.append_records,
                records,
                client=client,
                idempotency_key=idempotency_key,
                command=command,
                key_lifetime=key_lifetime,
                recorded_at=recorded_at,
            )
        )

    def records(self, ids: Sequence[str], *, known_at: When | None = None) -> list[RecordLookup]:
        """Records by id, each as it was known at an instant; one answer for each id, in order."""
        return self._run(partial(self._asynchronous.records, ids, known_at=known_at))

    def record(self, record_id: str, *, known_at: When | None = None) -> ContextRecord:
        """One record by id. Raises `NotFound` when it is unknown, was erased, or its retention has ended."""
        return self._run(partial(self._asynchronous.record, record_id, known_at=known_at))

    def lineage(self, lineage_id: str, *, known_at: When | None = None) -> list[ContextRecord]:
        """The records of a lineage known at an instant, oldest first; none where there is no such lineage."""
        return self._run(partial(self._asynchronous.lineage, lineage_id, known_at=known_at))

    def at(self, as_of: When | None = None, known_at: When | None = None) -> View:
        """The memory as of one instant, according to what was known at another; both default to the latest."""
        return View(self._run, self._asynchronous.at(as_of, known_at))

    def timeline(self, subject: str, predicate: str, *, known_at: When | None = None) -> list[Stretch]:
        """What held of a key over all of valid time, as `(object, valid_from, valid_to)`, ordered by start."""
        return self._run(partial(self._asynchronous.timeline, subject, predicate, known_at=known_at))

    def history(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        *,
        limit: int = 1000,
        after: str | None = None,
    ) -> Page[Fact]:
        """Every version ever recorded with both clocks, oldest recorded first; erased ones are gone."""
        return self._run(partial(self._asynchronous.history, subject, predicate, limit=limit, after=after))

    def changes(
        self,
        *,
        since: When | None = None,
        until: When | None = None,
        limit: int = 1000,
        after: str | None = None,
    ) -> Page[change_log.Change]:
        """What was learned, corrected, retracted and erased with since < recorded_at <= until, oldest first."""
        return self._run(
            partial(self._asynchronous.changes, since=since, until=until, limit=limit, after=after)
        )

    def explain(self, frame: str | Frame | Fact) -> explaining.Explanation:
        """Who asserted it, from which episode, what it replaced, what replaced it. Raises `NotFound`."""
        return self._run(partial(self._asynchronous.explain, frame))

    def verify(
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
        return self._run(partial(self._asynchronous.verify, frames, known_at=known_at))

    def resolve(self, reference: Frame | str, *, digest: str | None = None) -> Content:
        """The whole content of a compact or reference frame, by the frame or by its handle (`frame.canonical.uri`).

        It is what the frame said when it was recalled, to the byte, or there is none: raises `ReferenceNotFound` for a
        handle this scope never issued, `ReferenceExpired` when what it led to was erased or no longer stands, and
        `ContentMismatch` when that says something else now, or `digest` is given and is another than the handle's.
        """
        return self._run(partial(self._asynchronous.resolve, reference, digest=digest))


class View:
    """What is true as of one instant, according to what was known at another.

    Both instants are fixed at the first read: `known_at` left out is everything committed then, `as_of` left out is
    the later of the wall clock and the scope's clock. `as_of` and `known_at` show them once they are fixed.
    """

    def __init__(self, run: _Runner, view: asynchronous_view.View) -> None:
        self._run = run
        self._asynchronous = view

    def __repr__(self) -> str:
        return repr(self._asynchronous)

    @property
    def as_of(self) -> datetime | None:
        """The instant of valid time, UTC; None until the first read when it was left out."""
        return self._asynchronous.as_of

    @property
    def known_at(self) -> datetime | None:
        """The instant of recorded time, UTC; None until the first read when it was left out, and in an empty scope."""
        return self._asynchronous.known_at

    def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: Object | None = None,
        *,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[Fact]:
        """Facts that hold in this view, at most `limit`, ordered by subject, predicate, start and object.

        `after` takes the `cursor` of the page before. A text for `object` also
        matches the entity of that name.
        """
        return self._run(
            partial(self._asynchronous.facts, subject, predicate, object, limit=limit, after=after)
        )

    def recall(
        self,
        query: str,
        *,
        max_tokens: int = 800,
        max_frames: int = 10,
        kinds: Collection[str] | None = None,
        anchors: Sequence[str] = (),
        representations: Sequence[Representation] = ("full",),
        explain: bool = False,
    ) -> Recall:
        """The frames that answer a question best, within a budget.

        `max_tokens` counts the protocol's tokens (UTF-8 bytes of content divided by four, rounded up). `kinds` keeps
        only frames of these kinds (`fact`, `episode`, `graph`). `anchors` are entity names, entity URIs or frame URIs
        whose surroundings come first. With `explain` the result says of every candidate why it was served or not.

        `representations` are those that frames may come in, best first: each comes in the first that fits what is left
        of the budget. `full` carries its content; `compact` an extract of it, if it is a long episode or record;
        `reference` nothing, at no cost. `Memory.resolve` gives out the content of the last two.
        """
        return self._run(
            partial(
                self._asynchronous.recall,
                query,
                max_tokens=max_tokens,
                max_frames=max_frames,
                kinds=kinds,
                anchors=anchors,
                representations=representations,
                explain=explain,
            )
        )

    def graph(self, entity: str, depth: int = 1, *, limit: int = 1000) -> Graph:
        """Entities and relations reached from an entity over at most `depth` relations, in both directions."""
        return self._run(partial(self._asynchronous.graph, entity, depth, limit=limit))


class Transaction:
    """Operations buffered until the `with` block ends; `receipt` and `receipts` are set after it.

    They share one recorded time and take effect in order; an exception inside the block writes nothing. Reads made
    inside the block see the state before it.
    """

    def __init__(self, run: _Runner, transaction: asynchronous_transaction.Transaction) -> None:
        self._run = run
        self._asynchronous = transaction

    def __enter__(self) -> Transaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(partial(self._asynchronous.__aexit__, kind, problem, trace))

    def __len__(self) -> int:
        return len(self._asynchronous)

    @property
    def receipts(self) -> list[Receipt]:
        """One for each operation, in order; filled once the block has ended."""
        return self._asynchronous.receipts

    @property
    def operations(self) -> Sequence[Operation]:
        """What was asked so far, in order."""
        return self._asynchronous.operations

    def add_episode(
        self,
        text: str,
        *,
        occurred_at: When | None = None,
        source: str | None = None,
        speaker: str | None = None,
        session: str | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Keep an episode; answers its id. `occurred_at` left out is when it is recorded."""
        return self._asynchronous.add_episode(
            text,
            occurred_at=occurred_at,
            source=source,
            speaker=speaker,
            session=session,
            idempotency_key=idempotency_key,
        )

    def assert_fact(
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
        idempotency_key: str | None = None,
    ) -> None:
        """Say that a fact holds over `[valid_from, valid_to)`.

        `valid_from` left out: when the cited episode occurred, else the recorded time. `valid_to` left out: until the
        next standing window of the key begins, for a `one` predicate, else open. None is unbounded.
        """
        self._asynchronous.assert_fact(
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

    def correct_fact(
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
        idempotency_key: str | None = None,
    ) -> None:
        """Say that the window holds exactly this object; with `replaces`, only that object gives way.

        `valid_from` must be given (None: it always was so); `valid_to` left out is an open end.
        """
        self._asynchronous.correct_fact(
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

    def retract_fact(
        self,
        subject: str,
        predicate: str,
        object: Object | None = None,
        *,
        valid_from: When | Unset | None = UNSET,
        valid_to: When | Unset | None = UNSET,
        idempotency_key: str | None = None,
    ) -> None:
        """Say that the window holds nothing of the key, or no longer this object. Nothing comes back in its place.

        `valid_from` must be given (None: it always was wrong); `valid_to` left out is an open end.
        """
        self._asynchronous.retract_fact(
            subject,
            predicate,
            object,
            valid_from=valid_from,
            valid_to=valid_to,
            idempotency_key=idempotency_key,
        )

    @property
    def receipt(self) -> Receipt:
        """What the whole transaction did; only after the block has ended."""
        return self._asynchronous.receipt
