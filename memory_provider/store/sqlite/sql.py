"""The few pieces of SQL that many statements share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

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

    With an index behind it a look-up takes about two microseconds, whatever the value; no faster statement over many
    values takes a text with a NUL character for what it is.
    """
    bound = dict(arguments)
    for row in values:
        bound.update(zip("abc", row, strict=False))
        yield from connection.execute(statement, bound)


def column(names: Iterable[Any]) -> list[tuple[Any]]:
    """Values as rows of one column, each once."""
    return [(name,) for name in dict.fromkeys(names)]
