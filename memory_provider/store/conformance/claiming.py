"""How a check says what it expected."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


class Broken(AssertionError):
    """A store does not keep the contract."""


def same(found: Any, expected: Any, what: str) -> None:
    """What was found is what was expected."""
    if found != expected:
        raise Broken(f"{what}:\n  expected {expected!r}\n  found    {found!r}")


def same_members(found: Collection[Any], expected: Collection[Any], what: str) -> None:
    """The same things, in any order, none twice."""
    same(sorted(map(repr, found)), sorted(map(repr, expected)), what)


def holds(condition: bool, what: str) -> None:
    """Something that must be so."""
    if not condition:
        raise Broken(what)
