"""From text to search terms: the same for documents and questions, and for every store.

Terms are ASCII letters and digits only, so that no engine's query syntax or tokenizer has a say: words are folded
(NFKD, case, accents), English words are stemmed (Snowball, https://snowballstem.org), words of other scripts are
spelled as the hexadecimal of their UTF-8, and runs of Han, kana and Hangul become overlapping pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from .stop_words import STOP_WORDS

LONGEST_TERM = 64
"""Longer words (digests, addresses) are cut to this many characters."""

LONGEST_NAME = 5
"""How many words of a question are tried together as a name."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
"""The same in lower-case ASCII text, which needs no folding."""
_PAIRED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_CLITICS = frozenset({"s", "t", "d", "m", "ll", "re", "ve"})


def words(text: str) -> list[str]:
    """The folded words of a text, in order, without clitics (`Alice's` is `alice`)."""
    if not text.isascii():
        return [part for word in _WORD.findall(text) for part in _folded(word)]
    found: list[str] = _PLAIN_WORD.findall(text.lower())
    return [part for word in found for part in _folded(word)] if "'" in text else found


def _folded(word: str) -> Iterator[str]:
    first, *rest = word.replace("’", "'").split("'")
    yield from _fold(first)
    for part in rest:
        if part.lower() not in _CLITICS:
            yield from _fold(part)


def terms(text: str) -> Iterator[str]:
    """The search terms of a text, in order."""
    return map(_term, words(text))


def document_terms(text: str) -> str:
    """All search terms of a text to be indexed, space-separated."""
    return " ".join(terms(text))


def question_terms(text: str) -> list[str]:
    """The distinct search terms of a question, without stop words unless nothing else is left."""
    said = words(text)
    told = [word for word in said if word not in STOP_WORDS] or said
    return list(dict.fromkeys(_term(word) for word in told))


@lru_cache(maxsize=65_536)
def _term(word: str) -> str:
    word = word[:LONGEST_TERM]
    if not word.isascii():
        return "0x" + word.encode().hex()
    return str(_stemmer().stemWord(word)) if word.isalpha() else word


@cache
def _stemmer() -> Any:
    import snowballstemmer  # type: ignore[import-untyped,unused-ignore]

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=65_536)
def _fold(word: str) -> tuple[str, ...]:
    if word.isascii():
        return (word.lower(),)
    if _PAIRED.search(word):
        return tuple(_pairs(unicodedata.normalize("NFKC", word).casefold()))
    bare = "".join(c for c in unicodedata.normalize("NFKD", word).casefold() if not unicodedata.combining(c))
    return tuple(_WORD.findall(bare))


def _pairs(word: str) -> Iterator[str]:
    for run in re.split(f"({_PAIRED.pattern})", word):
        if not _PAIRED.fullmatch(run):
            yield from _WORD.findall(run)
        elif len(run) == 1:
            yield run
        else:
            yield from (run[i : i + 2] for i in range(len(run) - 1))


def possible_names(text: str, normalise: Any) -> list[str]:
    """Every sequence of up to `LONGEST_NAME` neighbouring words of a question, as normalised names, longest first.

    Single stop words are left out: they are hardly ever meant as names.
    """
    said = normalise(text).split(" ")[:64]
    names: dict[str, None] = {}
    for length in range(min(LONGEST_NAME, len(said)), 0, -1):
        for start in range(len(said) - length + 1):
            name = " ".join(said[start : start + length])
            if name and not (length == 1 and name in STOP_WORDS):
                names[name] = None
    return list(names)
