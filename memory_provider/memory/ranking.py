"""From candidates to a ranked list of frames. Pure, and few constants.

Full-text scores are comparable only within one arm, so each arm is scaled by its best hit; how many of the question's
words a hit holds makes the arms comparable with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..store.contract import Candidates, Scored
from ..store.records import Entity, EpisodeChunk, StandingFact
from .analysis import question_terms
from .analysis import terms as text_terms
from .neighbourhoods import Part

LEXICAL = 0.4
"""Weight of the full-text score within its arm."""
COVERED = 0.4
"""Weight of the share of the question's words that a hit holds."""
NAMED = 0.2
"""Weight of being about, or said by, an entity that the question names."""
NEIGHBOUR = 0.5
"""How much of its neighbours' scores a turn of a conversation takes over."""
ANCHORED = 0.9
"""The least score of what an anchor names."""
PLAIN = 0.89
"""The greatest score of everything else."""


class Ranked(NamedTuple):
    """A candidate with its score; exactly one of the three is set."""

    score: float
    fact: StandingFact | None = None
    chunk: EpisodeChunk | None = None
    part: tuple[str, Part] | None = None


def rank(
    candidates: Candidates,
    parts: Sequence[tuple[Entity, Part]],
    terms: Sequence[str],
    anchored: frozenset[str],
    as_of: int,
) -> list[Ranked]:
    """Every candidate once, best first; what an anchor names comes before everything else."""
    question = set(terms)
    names = {entity.name for entity in candidates.entities}
    facts: dict[str, Ranked] = {}
    top = max((scored.score for scored in candidates.facts), default=0.0) or 1.0
    for scored in candidates.facts:
        facts[scored.hit.version.id] = Ranked(
            _fact_score(scored.hit, scored.score / top, question, names), scored.hit
        )
    for row in candidates.relations:
        version = row.version
        if version.valid_from <= as_of < version.valid_to and version.id not in facts:
            facts[version.id] = Ranked(_fact_score(row, 0.0, question, names), row)
    for row in candidates.anchored_facts:
        known = facts.get(row.version.id)
        facts[row.version.id] = Ranked(_anchored(known.score if known else 0.0), row)
    chunks = {
        (hit.episode.id, hit.chunk.number): Ranked(PLAIN * score, chunk=hit)
        for hit, score in _chunk_scores(candidates.episodes, question, names)
    }
    for hit in candidates.anchored_episodes:
        place = hit.episode.id, hit.chunk.number
        known = chunks.get(place)
        chunks[place] = Ranked(_anchored(known.score if known else 0.0), chunk=hit)
    for hit in candidates.spoken_episodes:
        place = hit.episode.id, hit.chunk.number
        known = chunks.get(place, Ranked(PLAIN * NAMED))
        score = _anchored(known.score) if hit.episode.speaker in anchored else known.score
        chunks[place] = Ranked(score, chunk=hit)
    graphs = []
    for entity, part in parts:
        score = PLAIN * (COVERED * _covered(question, text_terms(part.content)) + NAMED)
        if entity.name in anchored or str(part.id) in anchored:
            score = _anchored(score)
        graphs.append(Ranked(score, part=(entity.name, part)))
    ranked = [*facts.values(), *chunks.values(), *graphs]
    ranked.sort(key=_order)
    return ranked


def _chunk_scores(
    scored: Sequence[Scored[EpisodeChunk]], question: set[str], names: set[str]
) -> list[tuple[EpisodeChunk, float]]:
    """What turns say by themselves, raised by the turns next to them, and by who said them.

    People name each other when they speak to each other, so the names of speakers are no evidence for a turn; where
    the question names one of them, what that one said is.
    """
    speakers = {each.hit.episode.speaker for each in scored if each.hit.episode.speaker in names}
    spoken = {term for name in speakers if name for term in question_terms(name)}
    asked = question - spoken or question
    top = max((each.score for each in scored), default=0.0) or 1.0
    alone: dict[tuple[str | None, int | None], float] = {}
    own: list[float] = []
    for hit, score in scored:
        place = hit.episode.session, hit.episode.position
        value = LEXICAL * score / top + COVERED * _covered(asked, hit.chunk.terms.split(" "))
        own.append(value)
        alone[place] = max(value, alone.get(place, 0.0))
    found = []
    for (hit, _), value in zip(scored, own, strict=True):
        session, position = hit.episode.session, hit.episode.position
        if session is not None and position is not None:
            around = alone.get((session, position - 1), 0.0) + alone.get((session, position + 1), 0.0)
            value += NEIGHBOUR * around / 2
        said_by_named = len(speakers) == 1 and hit.episode.speaker in speakers
        found.append((hit, value / (1 + NEIGHBOUR) + (NAMED if said_by_named else 0.0)))
    return found


def _fact_score(row: StandingFact, lexical: float, question: set[str], names: set[str]) -> float:
    version = row.version
    named = (version.subject in names) + (version.object.is_entity and version.object.text in names)
    covered = _covered(question, text_terms(version.statement))
    return PLAIN * (LEXICAL * lexical + COVERED * covered + NAMED * min(named, 1))


def _covered(question: set[str], terms: Iterable[str]) -> float:
    return len(question.intersection(terms)) / len(question) if question else 0.0


def _anchored(score: float) -> float:
    return ANCHORED + (1 - ANCHORED) * min(score, 1.0)


def _order(ranked: Ranked) -> tuple[float, int, int, str]:
    """Best first; ties by what began to hold last, then by id, so that the order never depends on the store."""
    if ranked.fact:
        version = ranked.fact.version
        return (-ranked.score, 0, -version.valid_from, version.id)
    if ranked.chunk:
        episode = ranked.chunk.episode
        return (-ranked.score, 1, -episode.occurred_at, f"{episode.id}#{ranked.chunk.chunk.number}")
    assert ranked.part is not None
    return (-ranked.score, 2, 0, str(ranked.part[1].id))
