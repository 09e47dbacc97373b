"""Extracts: a run of whole sentences of a text, verbatim, that fits a size.

Which extracts a text has depends on the text and on nothing else, so that the digest of one can be recognised later.
Which of them is taken depends on the question. Pure, and frozen with `VERSION`: other extracts of the same text would
make those that hosts hold look stale.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from .analysis import terms
from .chunking import chunk_ranges
from .sentences import SENTENCE_END

METHOD: Final = "extract"
"""What is done to a text here, as frames say it."""
IMPLEMENTATION: Final = "memory-provider"
VERSION: Final = "1"
"""Changes when a text has other extracts."""

SIZES: Final = (1200, 600, 300)
"""The longest extracts, in UTF-8 bytes with their marks: 300, 150 and 75 tokens by the protocol's rule."""

BEFORE: Final = "… "
AFTER: Final = " …"
"""The marks of what was left out."""

_MARKS = len((BEFORE + AFTER).encode())
_LONGEST_PASSAGE = SIZES[-1] - _MARKS
"""A longer sentence is cut, so that every passage fits every size."""
_SHORTEST_PASSAGE = 40
"""A shorter sentence stays with the next one where both fit: `Yes, she did.` is no evidence alone."""


class Run(NamedTuple):
    """Passages `[first, end)` of a text."""

    first: int
    end: int


class Extracts:
    """The extracts of one text: for each size and each passage that one may begin with, as many as fit."""

    def __init__(self, text: str) -> None:
        self._passages = passages(text)
        self._ends = [0, *accumulate(len(each.encode()) for each in self._passages)]
        said = [place for place, each in enumerate(self._passages) if each.strip()]
        self._said = Run(said[0], said[-1] + 1) if said else Run(0, 0)
        self.sizes = tuple(size for size in SIZES if said and size < self._ends[-1])
        """The sizes that are shorter than the text, longest first."""

    def __iter__(self) -> Iterator[str]:
        """All of them; one may come more than once."""
        for size in self.sizes:
            for run in self._runs(size):
                yield self._content(run)

    def best(self, size: int, question: Collection[str]) -> str:
        """The one of that size which holds most of a question's terms; the text's beginning when none holds any.

        Among equals the one that holds them more often, then the one that has them nearest to its middle.
        """
        asked = frozenset(question)
        held = [asked.intersection(terms(each)) if asked else asked for each in self._passages]
        return self._content(max(self._runs(size), key=lambda run: _merit(held[run.first : run.end])))

    def _runs(self, size: int) -> Iterator[Run]:
        end = self._said.first
        for first in range(*self._said):
            while end < self._said.end and self._ends[end + 1] - self._ends[first] <= size - _MARKS:
                end += 1
            if self._passages[first].strip():
                yield Run(first, end)

    def _content(self, run: Run) -> str:
        said = "".join(self._passages[run.first : run.end]).strip()
        before = BEFORE if run.first > self._said.first else ""
        return f"{before}{said}{AFTER if run.end < self._said.end else ''}"


def passages(text: str) -> list[str]:
    """A text cut into sentences, short ones kept together, long ones cut; together they are the text."""
    cuts = sorted({0, len(text), *(match.end() for match in SENTENCE_END.finditer(text))})
    found: list[str] = []
    held = ""
    for start, end in pairwise(cuts):
        sentence = text[start:end]
        if held and len((held + sentence).encode()) > _LONGEST_PASSAGE:
            found.append(held)
            held = ""
        *cut, held = _cut(held + sentence)
        found += cut
        if len(held.encode()) >= _SHORTEST_PASSAGE:
            found.append(held)
            held = ""
    return [*found, held] if held else found


def _cut(sentence: str) -> list[str]:
    data = sentence.encode()
    return [data[start:end].decode() for start, end in chunk_ranges(sentence, _LONGEST_PASSAGE)]


def _merit(held: list[frozenset[str]]) -> tuple[int, int, int]:
    places = [place for place, terms in enumerate(held) if terms]
    if not places:
        return 0, 0, 0
    off_centre = abs(places[0] - (len(held) - 1 - places[-1]))
    return len(frozenset().union(*held)), sum(map(len, held)), -off_centre
