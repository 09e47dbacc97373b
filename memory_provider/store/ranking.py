"""BM25 over the words of one scope. https://en.wikipedia.org/wiki/Okapi_BM25"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

SATURATION = 1.2
"""k1: how soon repeating a word stops counting."""

LENGTH = 0.75
"""b: how much a long text must say more."""

CONTEXT = 0.4
"""What a word in a chunk's context (the turn before it) counts, against 1 in its own text."""


class Document(NamedTuple):
    """A row that may be shown, with its terms."""

    row_id: int
    terms: str
    context: str = ""
    columns: tuple[Any, ...] = ()
    """What else of the row was read with them."""


def rarity(documents: int, holding: int) -> float:
    """How much a word says: the fewer of a scope's documents hold it, the more. Never negative."""
    holding = min(holding, documents)
    return log(1 + (documents - holding + 0.5) / (holding + 0.5))


def rarities_among(documents: Sequence[Document], words: Iterable[str]) -> dict[str, float]:
    """How much each word says among some documents, where nobody counted those of the scope."""
    split = [f"{each.terms} {each.context}".split() for each in documents]
    return {word: rarity(len(split), sum(word in held for held in split)) for word in dict.fromkeys(words)}


def ranked(documents: Sequence[Document], rarities: Mapping[str, float]) -> list[tuple[Document, float]]:
    """Documents with their scores, best first; of equals the newest first."""
    split = [each.terms.split() for each in documents]
    usual = sum(map(len, split)) / max(len(split), 1) or 1.0
    scored = []
    for document, terms in zip(documents, split, strict=True):
        context = document.context.split()
        length = SATURATION * (1 - LENGTH + LENGTH * len(terms) / usual)
        score = 0.0
        for word, says in rarities.items():
            often = terms.count(word) + (CONTEXT * context.count(word) if context else 0.0)
            if often:
                score += says * often * (SATURATION + 1) / (often + length)
        scored.append((document, score))
    scored.sort(key=lambda each: (-each[1], -each[0].row_id))
    return scored
