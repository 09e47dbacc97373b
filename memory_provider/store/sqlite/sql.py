"""The few pieces of SQL that many statements share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from ...temporal.instants import OPEN

STANDS = f"superseded_at = {OPEN}"
"""What the latest knowledge holds. The literal lets SQLite use the indexes over standing rows alone."""

ENDED = f"superseded_at < {OPEN}"
"""What was believed once."""

_BELIEVED = (
    f"f.{STANDS} AND f.recorded_at <= :known",
    f"f.{ENDED} AND f.superseded_at > :known AND f.recorded_at <= :known",
)


def known(statement: str, past: bool) -> str:
    """A SELECT over `facts AS f` with `{known}` in its WHERE: over what stands, or over what stood at `:known`.

    At an earlier instant some of what stood still stands and some has ended since; each has its own indexes.
    """
    if not past:
        return statement.format(known=f"f.{STANDS}")
    return " UNION ALL ".join(statement.format(known=belief) for belief in _BELIEVED)


def for_each(
    connection: sqlite3.Connection,
    statement: str,
    values: Iterable[Sequence[Any]],
    arguments: Mapping[str, Any],
) -> Iterator[Any]:
    """The rows of a prepared statement, run for each tuple of values, which it names `:a`, `:b`, …

    For values of several columns, and for a LIMIT to each. With an index behind it a run takes about two microseconds.
    """
    bound = dict(arguments)
    for row in values:
        bound.update(zip("abcd", row, strict=False))
        yield from connection.execute(statement, bound)


AT_ONCE: Final = 1024
"""How many values one run of a statement takes at the most."""

_NAMES = tuple(f"given{place}" for place in range(AT_ONCE))
_SIZES = (1, 4, 16, 64, 256, AT_ONCE)


def among(
    connection: sqlite3.Connection, statement: str, values: Iterable[Any], arguments: Mapping[str, Any]
) -> Iterator[Any]:
    """The rows of a statement that says `IN (:given)`, in one run for up to `AT_ONCE` values.

    Faster than `for_each` for more than one value, and as exact: the values are bound. The list is filled up with
    NULLs, which equal nothing, so that a few statements, prepared once, serve every number of values.
    """
    distinct = list(dict.fromkeys(values))
    for start in range(0, len(distinct), AT_ONCE):
        some = distinct[start : start + AT_ONCE]
        size = next(size for size in _SIZES if size >= len(some))
        bound = {**arguments, **dict.fromkeys(_NAMES[:size]), **dict(zip(_NAMES, some, strict=False))}
        yield from connection.execute(statement.replace(":given", _marks(size)), bound)


@cache
def _marks(size: int) -> str:
    return ", ".join(f":{name}" for name in _NAMES[:size])


def column(names: Iterable[Any]) -> list[tuple[Any]]:
    """Values as rows of one column, each once."""
    return [(name,) for name in dict.fromkeys(names)]
