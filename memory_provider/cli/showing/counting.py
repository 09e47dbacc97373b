"""Counted things in words."""

from __future__ import annotations

from collections.abc import Iterable

_PLURALS = {"part of a fact": "parts of facts"}


def counted(count: int, noun: str) -> str:
    """`1 fact`, `2 facts`, `0 entities`."""
    if count == 1:
        return f"1 {noun}"
    if noun in _PLURALS:
        return f"{count} {_PLURALS[noun]}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def counted_all(parts: Iterable[tuple[str, int]]) -> str:
    """`2 facts, 1 entity`: those that are there, or `nothing`."""
    return ", ".join(counted(count, noun) for noun, count in parts if count) or "nothing"


def were(count: int) -> str:
    """`1 was`, `2 were`."""
    return f"{count} {'was' if count == 1 else 'were'}"
