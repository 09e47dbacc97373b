"""How a term is spelled in the full-text indexes: with its scope in front, so that no search leaves the scope.

A word of scope 12 is `12_lyon`; in the context of a chunk (the turn before it) it is `12__lyon`. Terms are letters
and digits, so neither spelling can be mistaken for another. Every row also holds the bare `12_`, which finds all rows
of the scope.
"""

from __future__ import annotations

import re

_OPAQUE = re.compile(r"[0-9A-Za-z\u0080-\U0010ffff]+")


def fact_words(scope: int, terms: str) -> str:
    """The words under which a fact is found."""
    return _spelled(f"{scope}_", terms)


def chunk_words(scope: int, terms: str, context: str) -> str:
    """The words under which a chunk is found."""
    return (
        f"{_spelled(f'{scope}_', terms)} {_spelled(f'{scope}__', context)}"
        if context
        else fact_words(scope, terms)
    )


def query(scope: int, term: str, context: bool = False) -> str | None:
    """The FTS5 query for one term; None for what is no term and so in no row."""
    if not _OPAQUE.fullmatch(term):
        return None
    return f'"{scope}__{term}"' if context else f'"{scope}_{term}"'


def everything(scope: int) -> str:
    """The FTS5 query for every row of a scope."""
    return f'"{scope}_"'


def _spelled(prefix: str, terms: str) -> str:
    spelled = f" {prefix}".join(dict.fromkeys(terms.split()))
    return f"{prefix} {prefix}{spelled}" if spelled else prefix
