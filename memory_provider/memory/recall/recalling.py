"""Recall: from a question to frames under a budget."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from anyio import to_thread

from ...store.contract import Candidates, Moment, Probe, Store
from ...store.names import normalise_name
from ...store.records import Entity, Predicate, Version
from ...temporal.errors import InvalidInput
from ...temporal.instants import Instant, to_datetime
from ...temporal.shown import shown
from ..evidence.addressing import parse_anchors
from ..evidence.frames import KINDS, Frame, Representation
from ..evidence.neighbourhoods import Part, parts_at
from ..evidence.representing import WHOLE, Representing
from ..records.context_records import FRAME_KINDS
from ..text.analysis import possible_names, question_terms
from ..text.tokenizing import token_counter
from ..times import moment_or_none
from .explanation import RecallExplanation, explained
from .packing import Budget, pack
from .ranking import rank

RECORD_FRAMES = frozenset(FRAME_KINDS.values())
"""The kinds of frame that context records are served as."""

CANDIDATES = 64
"""How many full-text hits of each arm are ranked, unless more frames than that are asked for."""

RELATIONS = 1000
"""How many relations around the named entities are looked at."""

MOST_CHARACTERS = 8192
"""A longer question is searched for by its beginning."""

MOST_ANCHORS = 256
"""Further anchors are not looked at."""

MOST_FRAMES = 1000
"""How many frames one recall serves at the most."""


@dataclass(frozen=True, slots=True)
class Recall:
    """What a recall found."""

    frames: list[Frame]
    """Best first, within the budget."""
    truncated: bool
    """Whether candidates were left out, by the budget or by a limit."""
    dropped_estimate: int
    """How many at the least."""
    as_of: datetime
    known_at: datetime | None
    """The view's two instants; nothing is known at any in a scope that nothing was ever recorded in."""
    explanation: RecallExplanation | None = None
    """What became of every candidate, where that was asked for."""


def check_kinds(kinds: Collection[str] | None) -> frozenset[str]:
    """The kinds asked for; all when None or empty. Raises `InvalidInput` for one that is not served."""
    if kinds is None:
        return frozenset(KINDS)
    if isinstance(kinds, str) or not isinstance(kinds, Iterable):
        raise InvalidInput(f"kinds is a collection of {', '.join(KINDS)}, not {shown(kinds)}")
    asked = list(kinds)  # once: it may be an iterator
    for kind in asked:
        if kind not in KINDS:
            raise InvalidInput(f"{shown(kind)} is no kind of frame; there are {', '.join(KINDS)}")
    return frozenset(asked or KINDS)


def check_budget(max_tokens: int, max_frames: int) -> Budget:
    """Two non-negative integers."""
    for name, value in (("max_tokens", max_tokens), ("max_frames", max_frames)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InvalidInput(f"{name} is a whole number from 0 up, not {shown(value)}")
    return Budget(max_tokens, max_frames)


async def recall(
    store: Store,
    scope: str,
    moment: Moment,
    question: str,
    budget: Budget,
    kinds: frozenset[str],
    anchors: Sequence[str],
    accepted: tuple[Representation, ...],
    explain: bool,
) -> tuple[Instant, Instant, Recall]:
    """Search, rank and pack. One call of the store (one more when an anchor is a graph frame)."""
    pinned = moment.known_at
    named = parse_anchors(list(anchors[:MOST_ANCHORS]))
    if named.graphs:
        around = await store.held(scope, moment, [], [], {graph.entity for graph in named.graphs})
        named.entities.extend(entity.name for entity in around.found.entities.values())
        moment = moment._replace(as_of=around.as_of, known_at=around.known_at)
    question = question[:MOST_CHARACTERS]
    terms = question_terms(question)
    wanted = min(max(CANDIDATES, budget.max_frames * 2), MOST_FRAMES)
    frames = sorted(kinds & RECORD_FRAMES)
    probe = Probe(
        terms=terms,
        names=possible_names(question, normalise_name),
        entities=named.entities,
        ids=named.ids,
        facts=wanted if "fact" in kinds else 0,
        episodes=wanted if "episode" in kinds else 0,
        relations=RELATIONS if kinds & {"graph", "fact"} else 0,
        records=wanted if frames else 0,
        frames=frames,
        lineages=named.lineages if frames else (),
    )
    answer = await store.candidates(scope, moment, probe)
    candidates = answer.found
    parts = _parts(candidates, answer.as_of) if "graph" in kinds else []
    anchored = frozenset([*named.entities, *(str(graph) for graph in named.graphs)])
    ranked = rank(_of_kinds(candidates, kinds), parts, terms, anchored, answer.as_of)
    packed = pack(ranked, budget, await _representing(accepted, terms, pinned))
    dropped = packed.dropped + candidates.more
    result = Recall(
        packed.frames,
        dropped > 0,
        dropped,
        to_datetime(answer.as_of),
        moment_or_none(answer.known_at),
        explained(packed, probe, candidates, kinds, answer.as_of) if explain else None,
    )
    return answer.as_of, answer.known_at, result


async def _representing(
    accepted: tuple[Representation, ...], terms: Collection[str], known_at: Instant | None
) -> Representing:
    if accepted == ("full",):
        return WHOLE
    return Representing(accepted, terms, known_at, await to_thread.run_sync(token_counter))


def _of_kinds(candidates: Candidates, kinds: frozenset[str]) -> Candidates:
    """Anchors may name frames of a kind that was not asked for."""
    if "fact" not in kinds:
        candidates = candidates._replace(facts=(), relations=(), anchored_facts=())
    if "episode" not in kinds:
        candidates = candidates._replace(episodes=(), anchored_episodes=(), spoken_episodes=())
    return candidates


def _parts(candidates: Candidates, as_of: Instant) -> list[tuple[Entity, Part]]:
    """The neighbourhoods of the matched entities; none when the limit may have cut one of them short."""
    if len(candidates.relations) >= RELATIONS:
        return []
    around: dict[str, list[Version]] = {}
    for row in candidates.relations:
        for name in {row.version.subject, row.version.object.text}:
            around.setdefault(name, []).append(row.version)
    predicates: dict[str, Predicate] = {each.name: each for each in candidates.predicates}
    return [
        (entity, part)
        for entity in candidates.entities
        for part in parts_at(entity, around.get(entity.name, ()), predicates, as_of)
    ]
