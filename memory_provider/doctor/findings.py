"""Collecting what is wrong, without letting one broken check drown the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..store.contract import Finding

LISTED = 100
"""How many findings of one check in one scope are listed one by one; the others are counted."""


class Findings:
    """What is wrong in one scope."""

    def __init__(self, scope: str | None) -> None:
        self._scope = scope
        self._found: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def add(self, check: str, what: str) -> None:
        """Note one thing."""
        self._counts[check] += 1
        if self._counts[check] <= LISTED:
            self._found.append(Finding(check, self._scope, what))

    def extend(self, found: Iterable[tuple[str, str]]) -> None:
        """Note several things, each with the check that found it."""
        for check, what in found:
            self.add(check, what)

    def all(self) -> list[Finding]:
        """Everything listed, and how much more there is."""
        more = [
            Finding(check, self._scope, f"{count - LISTED} more like these")
            for check, count in self._counts.items()
            if count > LISTED
        ]
        return [*self._found, *more]
