"""From the outcomes of a fan-out straight to a prompt."""

from __future__ import annotations

from collections.abc import Iterable

from ..books.reuse import Reused
from ..outcomes import Frames, Outcome
from .prompt import ComposedPrompt, compose_for_prompt
from .ranking import BY_SCORE, Ranking


def compose_answers(
    outcomes: Iterable[Outcome],
    budget: int,
    *,
    reused: Reused | None = None,
    ranking: Ranking = BY_SCORE,
) -> ComposedPrompt:
    """A prompt from what answers brought, and from frames held since earlier turns that were verified for this one.

    Only frames that passed the host's audit are composed. Those set aside are in the composition's audit with the
    reasons; providers whose whole answer was dropped have no frame left to account for, and their outcome says why.
    """
    offers = [] if reused is None else [*reused.frames]
    evidence = {} if reused is None else {**reused.evidence}
    rejected = []
    for outcome in outcomes:
        if isinstance(outcome, Frames):
            offers += outcome.frames
            evidence.update(outcome.evidence)
            rejected += [(each.identity, each.reasons) for each in outcome.quarantined]
    return compose_for_prompt(offers, budget, ranking=ranking, rejected=rejected, evidence=evidence)
