"""From what a search found to what is shown, as one would write it by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

_STOP_WORDS = """
    a about an and are as at be by did do does for from has have he her his how i in is it its me my of on or she that
    the their them they this to was were what when where which who whose why will with you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
EPOCH = date(1970, 1, 1)
OPEN = 4611686018427387904
CANDIDATES = 64
MAX_FRAMES = 10
MAX_TOKENS = 800


class Shown(NamedTuple):
    """One piece of evidence."""

    id: str
    kind: str
    content: str
    digest: str
    score: float
    sources: Sequence[Any] = ()


def words_of(question: str) -> list[str]:
    """The words worth searching for."""
    return [word for word in re.findall(r"\w+", question.lower()) if word not in STOP_WORDS]


def names_in(question: str) -> list[str]:
    """Every run of up to five words, which might be a name."""
    said = re.findall(r"\w+", question.lower())
    return [" ".join(said[i : i + n]) for n in range(1, 6) for i in range(len(said) - n + 1)]


def dated(statement: str, begin: int, end: int) -> str:
    """A statement with the days it holds."""
    since = f"since {_day(begin)}" if begin > -OPEN else ""
    until = f"until {_day(end)}" if end < OPEN else ""
    return f"{statement} ({' '.join(filter(None, (since, until)))})"


def _day(instant: int) -> str:
    return (EPOCH + timedelta(microseconds=instant)).isoformat()


def scaled(found: Iterable[tuple[Any, float]]) -> list[tuple[Any, float]]:
    """Scores as shares of the best."""
    hits = list(found)
    best = max((score for _, score in hits), default=1.0) or 1.0
    return [(hit, score / best) for hit, score in hits]


def pack(shown: list[Shown]) -> list[Shown]:
    """The best that fit."""
    shown.sort(key=lambda each: -each.score)
    packed, left = [], MAX_TOKENS
    for each in shown:
        cost = (len(each.content.encode()) + 3) // 4
        if cost <= left:
            packed.append(each)
            left -= cost
            if len(packed) == MAX_FRAMES:
                break
    return packed
