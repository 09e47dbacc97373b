"""How far an export or import has come, for whoever shows it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]
"""Called now and then with what is being done (`checking`, `comparing`, `writing`), how many rows are done, and how
many there are (None while nobody knows)."""


def silent(doing: str, done: int, total: int | None) -> None:
    """Shows nothing."""
