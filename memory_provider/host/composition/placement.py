"""Where in the prompt a frame stands: models attend most to the beginning and the end (COMP5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def fold_to_edges(ranked: Sequence[Item]) -> list[Item]:
    """The best first, the second last, the third after the first and so on: the least worth in the middle."""
    return [*ranked[0::2], *reversed(ranked[1::2])]
