"""The text of full-text queries. Terms are opaque words: always quoted, never syntax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...temporal.instants import Instant
from .marks import EVER, NEVER, day, frame_mark, scope_mark

TERMS = 400
"""Terms of one query at the most; Lucene refuses more than 1,024 clauses."""

CONTEXT_WEIGHT = 0.4
"""What a word of the turn before weighs beside a word of the turn itself."""


class Days(NamedTuple):
    """The instants a search may restrict by, in whole days; None where it must not or need not."""

    valid_by: Instant | None = None
    """What is found begins by then: its valid time, or when it occurred."""
    valid_after: Instant | None = None
    """What is found ends then or later."""
    recorded_by: Instant | None = None
    superseded_after: Instant | None = None


def facts_query(scope: str, terms: Sequence[str], days: Days) -> str:
    """Facts of a scope that have any of the terms."""
    return f"{_filter(scope, days)} +({' '.join(f'terms:{_quoted(term)}' for term in _words(terms))})"


def records_query(scope: str, frames: Sequence[str], terms: Sequence[str], days: Days) -> str:
    """Context records of a scope that have any of the terms and are served as one of some kinds of frame."""
    kinds = " ".join(f"marks:{_quoted(frame_mark(frame))}^0" for frame in frames)
    return f"+({kinds}) {facts_query(scope, terms, days)}"


def chunks_query(scope: str, terms: Sequence[str], days: Days) -> str:
    """Chunks of a scope that have any of the terms, themselves or in the turn before."""
    words = [_quoted(term) for term in _words(terms)]
    clauses = " ".join(f"terms:{word} context:{word}^{CONTEXT_WEIGHT}" for word in words)
    return f"{_filter(scope, days)} +({clauses})"


def _filter(scope: str, days: Days) -> str:
    clauses = [f'"{scope_mark(scope)}"']
    for letter, instant in (("f", days.valid_by), ("r", days.recorded_by)):
        if instant is not None:
            clauses.append(f"[{letter}{NEVER} TO {letter}{day(instant)}]")
    for letter, instant in (("t", days.valid_after), ("u", days.superseded_after)):
        if instant is not None:
            clauses.append(f"[{letter}{day(instant)} TO {letter}{EVER}]")
    return " ".join(f"+marks:{clause}^0" for clause in clauses)


def _words(terms: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(terms))[:TERMS]


def _quoted(term: str) -> str:
    escaped = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
