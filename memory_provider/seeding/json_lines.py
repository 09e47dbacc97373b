"""JSON Lines: one object on each line, read as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .entries import Entry, Unreadable

LINE_BYTES = 32 * 1024 * 1024
"""The longest line that is read."""


def json_entries(path: Path) -> Iterator[Entry | Unreadable]:
    """The entries of a file, and what could not be read of it, in order. Blank lines are skipped."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LINE_BYTES + 1):
            number += 1
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if len(line) > LINE_BYTES:
                yield Unreadable(number, f"the line is longer than {LINE_BYTES} bytes", fatal=True)
                return
            if line.strip():
                yield _entry(str(path), number, line)


def _entry(file: str, number: int, line: bytes) -> Entry | Unreadable:
    try:
        value = json.loads(line.decode(), object_pairs_hook=_members, parse_constant=_no_constant)
    except UnicodeDecodeError as problem:
        return Unreadable(number, f"not UTF-8 at byte {problem.start + 1} of the line")
    except json.JSONDecodeError as problem:
        return Unreadable(number, f"not JSON: {problem.msg} at column {problem.colno}")
    except (ValueError, RecursionError) as problem:
        return Unreadable(number, f"not JSON that can be read: {problem}")
    if not isinstance(value, dict):
        return Unreadable(number, 'an entry is an object such as {"type": "fact", …}')
    return Entry(file, number, value)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the member {twice!r} stands twice in one object")
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
