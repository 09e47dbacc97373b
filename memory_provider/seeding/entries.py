"""An entry of a seed file as it was read: plain values, and the lines they stand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of a JSON Lines file, or one element of the list in a YAML file."""

    file: str
    line: int
    members: Mapping[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each member, where it is not that of the entry."""

    def line_of(self, member: str) -> int:
        """Where a member stands."""
        return self.lines.get(member, self.line)


class Unreadable(Exception):
    """A stretch of a file that holds no entry."""

    def __init__(self, line: int, message: str, *, fatal: bool = False) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.fatal = fatal
        """Whether nothing after it can be read either."""
