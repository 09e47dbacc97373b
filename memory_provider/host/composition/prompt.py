"""From the frames of many providers to one prompt under one budget, with an account of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...protocol import FrameId, ProvenanceLink
from ...temporal.errors import InvalidInput
from ..evidence import Evidence
from ..offers import Offered
from .audit import Audit, AuditEntry, Disposition, Duplicate, Included, OverBudget, Rejected
from .deduplication import Candidate, deduplicated
from .fence import label
from .packing import Packed, pack
from .placement import fold_to_edges
from .preamble import PREAMBLE
from .ranking import BY_SCORE, Ranking


class Citation(NamedTuple):
    """What an answer may cite, and what it cites with it."""

    label: str
    frame: FrameId
    provenance: tuple[ProvenanceLink, ...]
    """Where the frame and those it stands for come from, each link once."""


class ComposedPrompt(NamedTuple):
    """Quoted evidence for a model, and the books on it."""

    text: str
    """The preamble and the blocks: at most `audit.global_budget` tokens of blocks, the preamble not counted."""
    frames: tuple[Offered, ...]
    """The frames in it, in the order of their blocks."""
    citations: tuple[Citation, ...]
    """One for each block, in their order."""
    audit: Audit


def compose_for_prompt(
    offers: Iterable[Offered],
    budget: int,
    *,
    ranking: Ranking = BY_SCORE,
    rejected: Iterable[tuple[FrameId, Sequence[str]]] = (),
    evidence: Mapping[FrameId, Evidence] | None = None,
) -> ComposedPrompt:
    """The frames that fit, each quoted once, the most valuable at the edges.

    Duplicates are merged, the rest is ranked, packed under `budget` by what each block costs, and placed. `rejected`
    are frames that broke rules, with the reasons: they appear in the audit and nowhere else. `evidence` says how far
    frames are attested; whether a frame is in the prompt never depends on it (F9).

    The same frames give the same prompt in whatever order they come. Raises `InvalidInput` for a negative budget, and
    for a ranking that loses frames or makes some up.
    """
    if budget < 0:
        raise InvalidInput(f"the budget is a whole number of tokens from 0 up, not {budget}")
    ranked = _ranked(deduplicated(offers), ranking)
    packed = pack(ranked, budget)
    placed = fold_to_edges(packed.included)
    ranks = {candidate.identity: rank for rank, candidate in enumerate(ranked)}
    dispositions = [
        *_dispositions(packed, placed, ranks),
        *((frame, Rejected(tuple(reasons))) for frame, reasons in rejected),
    ]
    attested = evidence or {}
    entries = [AuditEntry(frame, disposition, attested.get(frame)) for frame, disposition in dispositions]
    entries.sort(key=lambda entry: (entry.frame.sort_key, repr(entry.disposition)))
    return ComposedPrompt(
        PREAMBLE + "".join(candidate.block for candidate in placed),
        tuple(candidate.offered for candidate in placed),
        tuple(Citation(label(each.offered.frame), each.identity, each.provenance) for each in placed),
        Audit(tuple(entries), budget, packed.tokens_used, ranking.name),
    )


def _ranked(candidates: Sequence[Candidate], ranking: Ranking) -> list[Candidate]:
    by_key = {_key(each.offered): each for each in candidates}
    ranked = [_key(each) for each in ranking.ranked([each.offered for each in candidates])]
    if len(ranked) != len(by_key) or set(ranked) != set(by_key):
        raise InvalidInput(
            f"the ranking {ranking.name} was given {len(candidates)} frames and has to return each of them once"
        )
    return [by_key[key] for key in ranked]


def _key(offered: Offered) -> tuple[str, str, str | None]:
    """The identity as what Python compares fastest."""
    return offered.provider_id, offered.frame.id, offered.frame.content_digest


def _dispositions(
    packed: Packed, placed: Sequence[Candidate], ranks: Mapping[FrameId, int]
) -> Iterable[tuple[FrameId, Disposition]]:
    for position, each in enumerate(placed):
        verifiable = each.identity.content_digest is not None
        yield each.identity, Included(position, ranks[each.identity], each.cost, verifiable)
    for each, remaining in packed.left_out:
        yield each.identity, OverBudget(each.cost, remaining)
    for each in (*packed.included, *(candidate for candidate, _ in packed.left_out)):
        for identity, why in each.duplicates:
            yield identity, Duplicate(each.identity, why)
