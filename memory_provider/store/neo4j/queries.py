"""The named queries: one readable file each in `cypher/queries`, read once."""

from __future__ import annotations

from functools import cache

from ...resources import directory


@cache
def query(name: str) -> str:
    """The text of a named query, without the comments that explain it."""
    text = (directory("cypher") / "queries" / f"{name}.cypher").read_text(encoding="utf-8")
    return "\n".join(
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("//")
    )
