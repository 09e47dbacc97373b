"""The plan of a write: from what stands and what is asked to what changes. Pure, so that it can be retried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...store.contract import Changes, Loaded, Needs
from ...store.records import (
    Chunk,
    Entity,
    Episode,
    IdempotencyRecord,
    Key,
    NewVersion,
    ObjectValue,
    Predicate,
    SessionTail,
    SourceLink,
    Supersession,
)
from ...temporal.beliefs import Beliefs
from ...temporal.clock import next_transaction_time
from ...temporal.instants import OPEN, Instant, now, to_datetime
from ...temporal.shown import shown
from ...temporal.windows import Window, window
from ..errors import IdempotencyConflict, NotFound
from ..ids import mint
from ..rendering import digest, fact_content, statement
from ..text.analysis import document_terms
from ..text.chunking import chunk_ranges, turn_terms
from .fitting import fitting
from .key_rewrite import KeyRewrite
from .operations import AddEpisode, ChangeFact, Request, Unset
from .predicates import RESERVED, undeclared
from .receipts import ClosedFact, Receipt


@dataclass(slots=True)
class _Outcome:
    """What one operation did, for its receipt and its idempotency record."""

    episode_id: str | None = None
    claim: str | None = None
    fact_ids: list[str] = field(default_factory=list)
    superseded: dict[str, ClosedFact] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    duplicate: bool = False
    erased: bool = False
    recorded_at: Instant = 0
    known_superseded: tuple[str, ...] = ()
    state: KeyRewrite | None = None


class Outdated(Exception):
    """A plan met a predicate that is not as its needs supposed; nothing was written. Look up all, and plan again."""


class WritePlan:
    """One transaction's plan. Called by the store under the lock, perhaps several times; keeps the last receipt."""

    def __init__(self, requests: Sequence[Request], recorded_at: Instant | None, needs: Needs) -> None:
        self._requests = requests
        self._supplied = recorded_at
        self._looked_up = frozenset(needs.objects)
        self.receipts: list[Receipt] = []
        """One for each operation, in order, once the plan has run."""
        self.recorded_at: Instant = 0
        self.predicates: Mapping[str, Predicate] = {}
        """Those of the operations, as they were found or made."""

    def __call__(self, loaded: Loaded) -> Changes:
        run = _Run(self._requests, loaded, self._supplied, self._looked_up)
        changes = run.changes()
        self.recorded_at = run.at
        self.predicates = run.predicates
        self.receipts = [run.receipt(outcome) for outcome in run.outcomes]
        return changes


class _Run:
    """One run of a plan: working state between what was loaded and what will be written."""

    def __init__(
        self,
        requests: Sequence[Request],
        loaded: Loaded,
        supplied: Instant | None,
        looked_up: frozenset[tuple[Key, ObjectValue]],
    ) -> None:
        self.loaded = loaded
        self.looked_up = looked_up
        self.joining = {key for key, _ in looked_up}
        self.outcomes = [_Outcome() for _ in requests]
        self.pending: list[tuple[Request, _Outcome]] = []
        self.episode_ids: dict[str, str] = {}
        self.occurred = dict(loaded.episodes)
        self._sort_out_duplicates(requests)
        if self.pending:
            self.at = next_transaction_time(loaded.clock, now(), supplied)
        else:
            self.at = max((outcome.recorded_at for outcome in self.outcomes), default=loaded.clock)
        self.predicates = dict(loaded.predicates)
        self.changed_predicates: dict[str, Predicate] = {}
        self.entities = dict(loaded.entities)
        self.new_entities: list[Entity] = []
        self.sessions = dict(loaded.sessions)
        self.episodes: list[Episode] = []
        self.keys: dict[Key, KeyRewrite] = {}

    def changes(self) -> Changes:
        if not self.pending:
            return Changes(None)
        if any(isinstance(request.operation, ChangeFact) for request, _ in self.pending):
            self._load_keys()
        for request, outcome in self.pending:
            operation = request.operation
            if isinstance(operation, AddEpisode):
                self._add_episode(operation, outcome)
            else:
                self._change_fact(operation, outcome)
        superseded: list[Supersession] = []
        versions: list[NewVersion] = []
        detached: list[str] = []
        links: list[SourceLink] = []
        for state in self.keys.values():
            if state.claims or state.touched:
                state.settle(self.at, superseded, versions, detached, links)
        for _, outcome in self.pending:
            if outcome.state:
                outcome.fact_ids = outcome.state.lines_of(outcome.claim)
                outcome.superseded = outcome.state.closed
        return Changes(
            recorded_at=self.at,
            entities=self.new_entities,
            predicates=list(self.changed_predicates.values()),
            superseded=superseded,
            versions=versions,
            detached=detached,
            links=links,
            episodes=self.episodes,
            idempotency=[
                IdempotencyRecord(
                    request.key,
                    request.arguments,
                    self.at,
                    outcome.episode_id,
                    outcome.claim,
                    tuple(outcome.fact_ids),
                    tuple(outcome.superseded),
                )
                for request, outcome in self.pending
                if request.key
            ],
        )

    def receipt(self, outcome: _Outcome) -> Receipt:
        return Receipt(
            recorded_at=to_datetime(outcome.recorded_at if outcome.duplicate else self.at),
            episode_id=outcome.episode_id,
            episode_ids=(outcome.episode_id,) if outcome.episode_id else (),
            fact_ids=tuple(outcome.fact_ids),
            superseded_ids=outcome.known_superseded or tuple(outcome.superseded),
            closed=tuple(outcome.superseded.values()),
            warnings=tuple(outcome.warnings),
            duplicate=outcome.duplicate,
            erased=outcome.erased,
        )

    # --- idempotency

    def _sort_out_duplicates(self, requests: Sequence[Request]) -> None:
        seen: dict[str, tuple[str, _Outcome]] = {}
        for request, outcome in zip(requests, self.outcomes, strict=True):
            done = self.loaded.idempotency.get(request.key) if request.key else None
            if done is not None:
                self._refuse_other_arguments(done.arguments, request)
                outcome.duplicate, outcome.erased = True, done.erased
                outcome.recorded_at = done.recorded_at
                if not done.erased:
                    outcome.episode_id, outcome.claim = done.episode_id, done.claim
                    outcome.fact_ids = list(done.fact_ids)
                    outcome.known_superseded = done.superseded_ids
                if isinstance(request.operation, AddEpisode) and done.episode_id:
                    self.episode_ids[request.operation.id] = done.episode_id
                    if not done.erased:
                        given = request.operation.occurred_at
                        self.occurred[done.episode_id] = (
                            done.recorded_at if isinstance(given, Unset) else given
                        )
                continue
            if request.key and request.key in seen:
                arguments, first = seen[request.key]
                self._refuse_other_arguments(arguments, request)
                raise (
                    IdempotencyConflict(
                        "one transaction names the same idempotency key twice; leave the repeated operation out"
                    )
                    if first.duplicate
                    else IdempotencyConflict(
                        "two operations of one transaction share an idempotency key; give each its own"
                    )
                )
            if request.key:
                seen[request.key] = (request.arguments, outcome)
            self.pending.append((request, outcome))

    @staticmethod
    def _refuse_other_arguments(arguments: str, request: Request) -> None:
        if arguments != request.arguments:
            raise IdempotencyConflict(
                "this idempotency key was used before with other arguments; nothing was written: "
                "use a new key for a new write"
            )

    # --- episodes

    def _add_episode(self, operation: AddEpisode, outcome: _Outcome) -> None:
        occurred = self.at if isinstance(operation.occurred_at, Unset) else operation.occurred_at
        tail = self.sessions.get(operation.session) if operation.session else None
        chunks = _chunks(operation.text, tail.terms if tail else "")
        position = None
        if operation.session:
            position = tail.position + 1 if tail else 1
            self.sessions[operation.session] = SessionTail(operation.id, position, turn_terms(chunks))
        if operation.speaker:
            self._entity(operation.speaker)
        self.episodes.append(
            Episode(
                operation.id,
                operation.text,
                occurred,
                self.at,
                operation.source,
                operation.speaker,
                operation.session,
                position,
                tail.episode_id if tail else None,
                chunks,
                operation.original_recorded_at,
            )
        )
        self.occurred[operation.id] = occurred
        outcome.episode_id = operation.id

    def _entity(self, name: str) -> None:
        if name not in self.entities:
            self.entities[name] = entity = Entity(mint("ent"), name)
            self.new_entities.append(entity)

    # --- facts

    def _load_keys(self) -> None:
        links: dict[str, list[SourceLink]] = {}
        for link in self.loaded.links:
            links.setdefault(link.fact_id, []).append(link)
        for version in self.loaded.versions:
            key = version.key
            if key not in self.keys:
                self.keys[key] = KeyRewrite(key)
            self.keys[key].load(version, links.get(version.id, []))
        for state in self.keys.values():
            state.begin()

    def _change_fact(self, operation: ChangeFact, outcome: _Outcome) -> None:
        episode = operation.source.episode
        episode = self.episode_ids.get(episode, episode) if episode else None
        if episode is not None and episode not in self.occurred:
            raise NotFound(
                f"no episode {shown(episode)} in this scope; add it first, or cite the id that add_episode answered"
            )
        key = operation.key
        state = self.keys.get(key)
        if state is None:
            state = self.keys[key] = KeyRewrite(key)
        if operation.kind == "retract":
            self._retract(operation, state, outcome)
            return
        predicate = self._predicate(operation)
        what = fitting(operation.object, predicate)
        if key in self.joining and (predicate.cardinality != "many" or (key, what) not in self.looked_up):
            raise Outdated
        self._entity(operation.subject)
        if what.is_entity:
            self._entity(what.text)
        over = self._window(operation, predicate, state.beliefs, episode)
        self._warn(state, what, over, predicate, operation, outcome)
        one = predicate.cardinality == "one"
        if operation.replaces is not None:
            state.replace(fitting(operation.replaces, predicate), what, over, operation.claim, one)
        elif one or operation.kind == "correct":
            state.beliefs.put(what, over, operation.claim)
        else:
            state.beliefs.add(what, over, operation.claim)
        stated = statement(operation.subject, predicate.label, what)
        state.claim(operation, what, over, stated, self.at, episode)
        outcome.claim = operation.claim
        outcome.state = state

    def _retract(self, operation: ChangeFact, state: KeyRewrite, outcome: _Outcome) -> None:
        over = window(_given(operation.valid_from), _end(operation.valid_to, OPEN))
        if operation.object is None:
            state.beliefs.clear(over)
        else:
            predicate = self.predicates.get(operation.predicate)
            state.beliefs.remove(
                fitting(operation.object, predicate) if predicate else operation.object, over
            )
        state.touched, state.cause = True, "retract"
        outcome.state = state

    def _predicate(self, operation: ChangeFact) -> Predicate:
        assert operation.object is not None
        predicate = self.predicates.get(operation.predicate)
        if predicate is None:
            predicate = RESERVED.get(operation.predicate) or undeclared(operation.predicate)
            predicate = predicate._replace(id=mint("prd"))
        elif predicate.object_type is not None:
            return predicate
        if predicate.object_type is None:
            predicate = predicate._replace(object_type=operation.object.type)
        self.predicates[predicate.name] = self.changed_predicates[predicate.name] = predicate
        return predicate

    def _window(
        self, operation: ChangeFact, predicate: Predicate, beliefs: Beliefs[ObjectValue], episode: str | None
    ) -> Window:
        start = operation.valid_from
        if isinstance(start, Unset):
            start = self.occurred[episode] if episode else self.at
        bounded = operation.kind == "assert" and predicate.cardinality == "one"
        if isinstance(operation.valid_to, Unset) and bounded:
            return window(start, beliefs.next_beginning(start))
        return window(start, _end(operation.valid_to, OPEN))

    @staticmethod
    def _warn(
        state: KeyRewrite,
        what: ObjectValue,
        over: Window,
        predicate: Predicate,
        operation: ChangeFact,
        outcome: _Outcome,
    ) -> None:
        if operation.kind != "assert" or predicate.cardinality != "one":
            return
        for other in state.beliefs.holding(over):
            if other == what:
                continue
            for line in state.beliefs.windows(other):
                if line.overlaps(over) and line.start > over.start:
                    said = statement(operation.subject, predicate.label, other)
                    outcome.warnings.append(
                        f"{fact_content(said, line)!r} began later than the new fact and gave way to it; "
                        "bound valid_to if the new fact is about an earlier time"
                    )


def _chunks(text: str, context: str) -> tuple[Chunk, ...]:
    ranges = chunk_ranges(text)
    if len(ranges) == 1:
        return (Chunk(0, *ranges[0], digest(text), document_terms(text), context),)
    data = text.encode()
    chunks = []
    for number, (start, end) in enumerate(ranges, 1):
        piece = data[start:end].decode()
        chunks.append(
            Chunk(number, start, end, digest(piece), document_terms(piece), context if number == 1 else "")
        )
    return tuple(chunks)


def _given(instant: Instant | Unset) -> Instant:
    assert not isinstance(instant, Unset)
    return instant


def _end(instant: Instant | Unset, default: Instant) -> Instant:
    return default if isinstance(instant, Unset) else instant
