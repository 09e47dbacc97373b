"""The text of full-text queries. Terms are opaque words: always quoted, never syntax."""

from __future__ import annotations

from collections.abc import Sequence

from ...temporal.instants import Instant
from .marks import day, scope_mark

TERMS = 400
"""Terms of one query at the most; Lucene refuses more than 1,024 clauses."""

CONTEXT_WEIGHT = 0.5
"""What a word of the turn before weighs beside a word of the turn itself."""


def facts_query(scope: str, terms: Sequence[str]) -> str:
    """Facts of a scope that have any of the terms."""
    return f"{_scope(scope)} +({' '.join(f'terms:{_quoted(term)}' for term in _words(terms))})"


def chunks_query(scope: str, terms: Sequence[str]) -> str:
    """Chunks of a scope that have any of the terms, themselves or in the turn before."""
    clauses = " ".join(
        f"terms:{word} context:{word}^{CONTEXT_WEIGHT}" for term in _words(terms) if (word := _quoted(term))
    )
    return f"{_scope(scope)} +({clauses})"


def valid_on(as_of: Instant) -> str:
    """Clauses that keep what may be valid at an instant, by day."""
    return f" {_days('f', end=as_of)} {_days('t', start=as_of)}"


def recorded_by(known_at: Instant) -> str:
    """A clause that keeps what may be recorded by an instant, by day."""
    return f" {_days('r', end=known_at)}"


def superseded_after(known_at: Instant) -> str:
    """A clause that keeps what may be superseded after an instant, by day."""
    return f" {_days('u', start=known_at)}"


def occurred_by(as_of: Instant) -> str:
    """A clause that keeps what may have occurred by an instant, by day."""
    return f" {_days('f', end=as_of)}"


def _scope(scope: str) -> str:
    return f'+marks:"{scope_mark(scope)}"^0'


def _days(letter: str, *, start: Instant | None = None, end: Instant | None = None) -> str:
    first = "0000000" if start is None else day(start)
    last = "9999999" if end is None else day(end)
    return f"+marks:[{letter}{first} TO {letter}{last}]^0"


def _words(terms: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(terms))[:TERMS]


def _quoted(term: str) -> str:
    escaped = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
