"""Several operations that become visible together, or not at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from ...store.contract import Store
from ...store.records import Predicate
from ...temporal.errors import InvalidInput
from ...temporal.instants import Instant, to_instant
from ..ids import mint
from ..values import Object, check_name, to_object_value
from . import operations as ops
from .idempotency import check_key, hash_arguments, hash_key
from .needs import needs_of
from .operations import UNSET, AddEpisode, ChangeFact, File, Operation, Request, SourceOfClaim, Unset, When
from .planning import Outdated, WritePlan
from .predicates import check_predicate_name
from .receipts import Receipt

Opened = Callable[[], Awaitable[Store]]
"""Answers the store, opened."""


class OperationBuffer:
    """Checks operations and keeps them in order. Ids are minted here, so that they can be cited before they exist."""

    def __init__(self) -> None:
        self._operations: list[Operation] = []

    def __len__(self) -> int:
        return len(self._operations)

    @property
    def operations(self) -> Sequence[Operation]:
        """What was asked so far, in order."""
        return self._operations

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
        episode = AddEpisode(
            mint("ep"),
            ops.check_episode_text(text),
            UNSET if occurred_at is None else to_instant(occurred_at),
            ops.check_optional(source, "the source"),
            ops.check_optional(speaker, "the speaker's name"),
            ops.check_optional(session, "the session's name"),
            check_key(idempotency_key),
        )
        self._keep(episode)
        return episode.id

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
        source = _source(episode, file, by, confidence)
        self._change(
            "assert", subject, predicate, object, valid_from, valid_to, None, source, idempotency_key
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
        ops.check_explicit_start(valid_from, "correct_fact")
        source = _source(episode, file, by, confidence)
        self._change(
            "correct", subject, predicate, object, valid_from, valid_to, replaces, source, idempotency_key
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
        ops.check_explicit_start(valid_from, "retract_fact")
        source = SourceOfClaim()
        self._change(
            "retract", subject, predicate, object, valid_from, valid_to, None, source, idempotency_key
        )

    def _change(
        self,
        kind: str,
        subject: str,
        predicate: str,
        object: Object | None,
        valid_from: When | Unset | None,
        valid_to: When | Unset | None,
        replaces: Object | None,
        source: SourceOfClaim,
        idempotency_key: str | None,
    ) -> None:
        if kind != "retract" and object is None:
            raise InvalidInput(f"{kind}_fact needs an object; to say that nothing holds, retract")
        start, end = ops.window_start(valid_from), ops.window_end(valid_to)
        ops.check_window(start, end)
        self._keep(
            ChangeFact(
                kind,
                mint("clm"),
                check_name(subject, "the subject"),
                check_predicate_name(predicate),
                None if object is None else to_object_value(object),
                start,
                end,
                None if replaces is None else to_object_value(replaces),
                source,
                check_key(idempotency_key),
            )
        )

    def _keep(self, operation: Operation) -> None:
        self._operations.append(operation)


class Transaction(OperationBuffer):
    """Operations buffered until the `async with` block ends; `receipt` and `receipts` are set after it.

    They share one recorded time and take effect in order; an exception inside the block writes nothing. Reads made
    inside the block see the state before it.
    """

    def __init__(
        self, store: Opened, scope: str, recorded_at: Instant | None, known: dict[str, Predicate]
    ) -> None:
        super().__init__()
        self._store = store
        self._scope = scope
        self._recorded_at = recorded_at
        self._known = known
        self.receipts: list[Receipt] = []
        """One for each operation, in order."""
        self._receipt: Receipt | None = None
        self._ended = False

    @property
    def receipt(self) -> Receipt:
        """What the whole transaction did; only after the block has ended."""
        if self._receipt is None:
            raise InvalidInput(
                "this transaction wrote nothing, so it has no receipt"
                if self._ended
                else "a transaction has its receipt once its block has ended"
            )
        return self._receipt

    def _keep(self, operation: Operation) -> None:
        self._check_open()
        super()._keep(operation)

    def _check_open(self) -> None:
        # Otherwise an operation would be lost without a word, or all of them be written a second time.
        if self._ended:
            raise InvalidInput("this transaction's block has ended; begin another with memory.transaction()")

    async def __aenter__(self) -> Transaction:
        self._check_open()
        return self

    async def __aexit__(self, kind: object, problem: object, trace: object) -> None:
        if kind is None:
            self._check_open()
        self._ended = True
        if kind is None and len(self):
            self.receipts = await commit(
                await self._store(), self._scope, self.operations, self._recorded_at, self._known
            )
            self._receipt = combine(self.receipts)


async def commit(
    store: Store,
    scope: str,
    operations: Sequence[Operation],
    recorded_at: Instant | None,
    known: dict[str, Predicate],
) -> list[Receipt]:
    """Write operations as one transaction; a receipt for each. Durable when it returns.

    `known` are the scope's predicates as earlier writes saw them; this one adds what it sees. They may be out of date.
    """
    requests = [Request(each, None, "") for each in operations]
    if any(each.idempotency_key for each in operations):
        secret = await store.secret()
        minted = {each.id: place for place, each in enumerate(operations) if isinstance(each, AddEpisode)}
        requests = [
            Request(
                each,
                hash_key(secret, scope, each.idempotency_key) if each.idempotency_key else None,
                hash_arguments(secret, each, recorded_at, minted) if each.idempotency_key else "",
            )
            for each in operations
        ]
    needs = needs_of(requests, known)
    plan = WritePlan(requests, recorded_at, needs)
    try:
        await store.write(scope, needs, plan)
    except Outdated:
        needs = needs_of(requests, {})
        plan = WritePlan(requests, recorded_at, needs)
        await store.write(scope, needs, plan)
    known.update(plan.predicates)
    return plan.receipts


def combine(receipts: Sequence[Receipt]) -> Receipt:
    """The receipt of a transaction from those of its operations."""
    if len(receipts) == 1:
        return receipts[0]
    episodes = tuple(each.episode_id for each in receipts if each.episode_id)
    closed = {each.id: each for receipt in receipts for each in receipt.closed}
    return Receipt(
        recorded_at=max(each.recorded_at for each in receipts),
        episode_id=episodes[0] if len(episodes) == 1 else None,
        episode_ids=episodes,
        fact_ids=_distinct(each for receipt in receipts for each in receipt.fact_ids),
        superseded_ids=_distinct(each for receipt in receipts for each in receipt.superseded_ids),
        closed=tuple(closed.values()),
        warnings=tuple(each for receipt in receipts for each in receipt.warnings),
        duplicate=all(each.duplicate for each in receipts),
        erased=all(each.erased for each in receipts),
    )


def _distinct(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def supplied_time(recorded_at: When | None) -> Instant | None:
    """A `recorded_at` given by a caller who replays or imports."""
    return None if recorded_at is None else to_instant(recorded_at)


def _source(
    episode: str | None, file: File | None, by: str | None, confidence: float | None
) -> SourceOfClaim:
    if episode is not None and file is not None:
        raise InvalidInput("a claim cites an episode or a file, not both; write it twice to cite both")
    return SourceOfClaim(
        ops.check_optional(episode, "the episode's id"),
        ops.check_file(file),
        ops.check_optional(by, "by"),
        ops.check_confidence(confidence),
    )
