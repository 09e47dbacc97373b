"""Cutting a long episode into chunks, once, at write."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...store.records import Chunk
from .sentences import SENTENCE_END

CHUNK_BYTES = 2400
"""The longest chunk, in UTF-8 bytes: 600 tokens by the protocol's rule."""

_BORDERS = (
    re.compile(r"\n\s*\n"),
    SENTENCE_END,
    re.compile(r"\s+"),
)


def chunk_ranges(text: str, limit: int = CHUNK_BYTES) -> list[tuple[int, int]]:
    """Byte ranges `[start, end)` that cover the text, each at most `limit` bytes.

    Cut at paragraph ends where one lies in the second half of the chunk, else at sentence ends, else at spaces, else
    between characters.
    """
    data = text.encode()
    if len(data) <= limit:
        return [(0, len(data))]
    ranges: list[tuple[int, int]] = []
    start = 0
    while len(data) - start > limit:
        end = start + _cut(data[start : start + limit])
        ranges.append((start, end))
        start = end
    ranges.append((start, len(data)))
    return ranges


def turn_terms(chunks: Iterable[Chunk]) -> str:
    """The search terms of a whole turn: what the context of the turn after it holds."""
    return " ".join(each.terms for each in chunks if each.terms)


def _cut(piece: bytes) -> int:
    text = piece.decode(errors="ignore")
    for border in _BORDERS:
        ends = [match.end() for match in border.finditer(text) if match.end() > len(text) // 2]
        if ends:
            return len(text[: ends[-1]].encode())
    return len(text.encode())
