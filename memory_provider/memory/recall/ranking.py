"""From candidates to a ranked list of frames. Pure, and few constants.

Full-text scores are comparable only within one arm, so each arm is scaled by its best hit; how many of the question's
words a hit holds makes the arms comparable with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...store.contract import Candidates, Scored
from ...store.names import normalise_name
from ...store.records import CitedFact, Entity, EpisodeChunk, IndexedRecord
from ..evidence.neighbourhoods import Part
from ..text.analysis import question_terms
from ..text.analysis import terms as text_terms

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


class ScoreParts(NamedTuple):
    """What a score is made of; the parts add up to it."""

    text: float = 0.0
    """For its full-text score, measured by the best hit of its kind."""
    words: float = 0.0
    """For the question's words that it holds."""
    names: float = 0.0
    """For being about, or said by, an entity that the question names."""
    neighbours: float = 0.0
    """For the turns before and after it in its conversation."""
    anchor: float = 0.0
    """For being named by an anchor, or being around what one names."""


class Ranked(NamedTuple):
    """A candidate with its score; exactly one of the last four is set."""

    score: float
    parts: ScoreParts
    arms: tuple[str, ...]
    """What found it: names of the lists of `Candidates`."""
    fact: CitedFact | None = None
    chunk: EpisodeChunk | None = None
    part: tuple[str, Part] | None = None
    record: IndexedRecord | None = None

    def found_by(self, arm: str) -> Ranked:
        """The same, found by one arm more."""
        return self._replace(arms=(*self.arms, arm))

    def anchored(self) -> Ranked:
        """The same, named by an anchor."""
        raised = ANCHORED + (1 - ANCHORED) * min(self.score, 1.0)
        return self._replace(
            score=raised, parts=self.parts._replace(anchor=self.parts.anchor + raised - self.score)
        )


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
    ranked = [
        *_facts(candidates, question, names, as_of),
        *_chunks(candidates, question, names, anchored),
        *_graphs(parts, question, anchored),
        *_records(candidates, question, names),
    ]
    ranked.sort(key=_order)
    return ranked


def _facts(candidates: Candidates, question: set[str], names: set[str], as_of: int) -> Iterable[Ranked]:
    found: dict[str, Ranked] = {}
    top = max((scored.score for scored in candidates.facts), default=0.0) or 1.0
    for scored in candidates.facts:
        found[scored.hit.version.id] = _fact(scored.hit, scored.score / top, question, names, "facts")
    for row in candidates.relations:
        version = row.version
        if version.valid_from <= as_of < version.valid_to:
            known = found.get(version.id)
            found[version.id] = (
                known.found_by("relations") if known else _fact(row, 0.0, question, names, "relations")
            )
    for row in candidates.anchored_facts:
        known = found.get(row.version.id, Ranked(0.0, ScoreParts(), (), fact=row))
        found[row.version.id] = known.found_by("anchored_facts").anchored()
    return found.values()


def _records(candidates: Candidates, question: set[str], names: set[str]) -> Iterable[Ranked]:
    found: dict[str, Ranked] = {}
    top = max((scored.score for scored in candidates.records), default=0.0) or 1.0
    about = [f" {normalise_name(name)} " for name in names]
    for hit, score in candidates.records:
        parts = ScoreParts(
            text=PLAIN * LEXICAL * score / top,
            words=PLAIN * COVERED * _covered(question, hit.terms.split(" ")),
            names=PLAIN * NAMED * _names_any(hit.record.statement or "", about),
        )
        found[hit.record.id] = Ranked(sum(parts), parts, ("records",), record=hit)
    for hit in candidates.anchored_records:
        known = found.get(hit.record.id, Ranked(0.0, ScoreParts(), (), record=hit))
        found[hit.record.id] = known.found_by("anchored_records").anchored()
    return found.values()


def _names_any(text: str, names: Sequence[str]) -> bool:
    if not names:
        return False
    said = f" {normalise_name(text)} "
    return any(name in said for name in names)


def _chunks(
    candidates: Candidates, question: set[str], names: set[str], anchored: frozenset[str]
) -> Iterable[Ranked]:
    found = {
        (hit.episode.id, hit.chunk.number): Ranked(score, parts, ("episodes",), chunk=hit)
        for hit, score, parts in _chunk_scores(candidates.episodes, question, names)
    }
    for hit in candidates.anchored_episodes:
        place = hit.episode.id, hit.chunk.number
        known = found.get(place, Ranked(0.0, ScoreParts(), (), chunk=hit))
        found[place] = known.found_by("anchored_episodes").anchored()
    said = ScoreParts(names=PLAIN * NAMED)
    for hit in candidates.spoken_episodes:
        place = hit.episode.id, hit.chunk.number
        known = found.get(place, Ranked(said.names, said, (), chunk=hit)).found_by("spoken_episodes")
        found[place] = known.anchored() if hit.episode.speaker in anchored else known
    return found.values()


def _graphs(
    neighbourhoods: Sequence[tuple[Entity, Part]], question: set[str], anchored: frozenset[str]
) -> Iterable[Ranked]:
    for entity, part in neighbourhoods:
        covered = _covered(question, text_terms(part.content))
        parts = ScoreParts(words=PLAIN * COVERED * covered, names=PLAIN * NAMED)
        score = PLAIN * (COVERED * covered + NAMED)
        graph = Ranked(score, parts, ("relations",), part=(entity.name, part))
        named = entity.name in anchored or str(part.id) in anchored
        yield graph.anchored() if named else graph


def _chunk_scores(
    scored: Sequence[Scored[EpisodeChunk]], question: set[str], names: set[str]
) -> list[tuple[EpisodeChunk, float, ScoreParts]]:
    """What turns say by themselves, raised by the turns next to them, and by who said them.

    People name each other when they speak to each other, so the names of speakers are no evidence for a turn; where
    the question names one of them, what that one said is.
    """
    speakers = {each.hit.episode.speaker for each in scored if each.hit.episode.speaker in names}
    spoken = {term for name in speakers if name for term in question_terms(name)}
    asked = question - spoken or question
    top = max((each.score for each in scored), default=0.0) or 1.0
    alone: dict[tuple[str | None, int | None], float] = {}
    own: list[tuple[float, float]] = []
    for hit, score in scored:
        place = hit.episode.session, hit.episode.position
        text, words = LEXICAL * score / top, COVERED * _covered(asked, hit.chunk.terms.split(" "))
        own.append((text, words))
        alone[place] = max(text + words, alone.get(place, 0.0))
    found = []
    share = PLAIN / (1 + NEIGHBOUR)
    for (hit, _), (text, words) in zip(scored, own, strict=True):
        session, position = hit.episode.session, hit.episode.position
        around = 0.0
        if session is not None and position is not None:
            around = alone.get((session, position - 1), 0.0) + alone.get((session, position + 1), 0.0)
        named = NAMED if len(speakers) == 1 and hit.episode.speaker in speakers else 0.0
        raised = (text + words + NEIGHBOUR * around / 2) / (1 + NEIGHBOUR) + named
        made_of = ScoreParts(share * text, share * words, PLAIN * named, share * NEIGHBOUR * around / 2)
        found.append((hit, PLAIN * raised, made_of))
    return found


def _fact(row: CitedFact, lexical: float, question: set[str], names: set[str], arm: str) -> Ranked:
    version = row.version
    named = version.subject in names or (version.object.is_entity and version.object.text in names)
    covered = _covered(question, row.terms.split(" "))
    score = PLAIN * (LEXICAL * lexical + COVERED * covered + NAMED * named)
    parts = ScoreParts(PLAIN * LEXICAL * lexical, PLAIN * COVERED * covered, PLAIN * NAMED * named)
    return Ranked(score, parts, (arm,), fact=row)


def _covered(question: set[str], terms: Iterable[str]) -> float:
    return len(question.intersection(terms)) / len(question) if question else 0.0


def _order(ranked: Ranked) -> tuple[float, int, int, str]:
    """Best first; ties by what began to hold last, then by id, so that the order never depends on the store."""
    if ranked.fact:
        version = ranked.fact.version
        return (-ranked.score, 0, -version.valid_from, version.id)
    if ranked.chunk:
        episode = ranked.chunk.episode
        return (-ranked.score, 1, -episode.occurred_at, f"{episode.id}#{ranked.chunk.chunk.number}")
    if ranked.record:
        record = ranked.record.record
        return (-ranked.score, 3, -record.recorded_at, record.id)
    assert ranked.part is not None
    return (-ranked.score, 2, 0, str(ranked.part[1].id))
