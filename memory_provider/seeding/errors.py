"""What is wrong with a seed file, by file and line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InvalidInput

MOST_PROBLEMS = 20
"""How many problems are collected before the reading stops."""


@dataclass(frozen=True, slots=True)
class SeedProblem:
    """One thing that is wrong."""

    file: str
    """The path as it was given."""
    line: int
    """From 1."""
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class SeedRefused(InvalidInput):
    """Seed files with problems. Nothing of them was written."""

    def __init__(self, problems: Sequence[SeedProblem]) -> None:
        super().__init__("; ".join(str(each) for each in problems))
        self.problems = tuple(problems)


class Misread(InvalidInput):
    """A member of an entry that says nothing the memory can keep."""

    def __init__(self, member: str, message: str) -> None:
        super().__init__(message)
        self.member = member


class TooMany(Exception):
    """Enough problems were found; the reading stops."""


class Problems:
    """Collects what is wrong, each place once."""

    def __init__(self) -> None:
        self.found: list[SeedProblem] = []

    def add(self, file: str, line: int, message: str) -> None:
        """Note a problem. Raises `TooMany` when there are enough."""
        problem = SeedProblem(file, line, message)
        if problem not in self.found:
            self.found.append(problem)
        if len(self.found) >= MOST_PROBLEMS:
            raise TooMany

    def refuse(self) -> None:
        """Raise `SeedRefused` if anything was found; what is wrong in one file is in the order of its lines."""
        files = list(dict.fromkeys(each.file for each in self.found))
        if self.found:
            raise SeedRefused(sorted(self.found, key=lambda each: (files.index(each.file), each.line)))
