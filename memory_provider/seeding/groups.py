"""From a file to transactions: what shares a recorded time is one, the rest is cut into pieces of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from pathlib import Path
from typing import NamedTuple

from ..temporal.clock import TOLERANCE
from ..temporal.instants import OPEN, Instant, now, to_text
from .entries import Entry, Unreadable
from .errors import Misread, Problems
from .fields import wrong_members
from .items import ChangeItem, Declaration, EpisodeItem, Item, declaration_of, items_of, recorded_at_of
from .json_lines import json_entries
from .keys import Keys
from .rules import Rules
from .yaml_list import yaml_entries

UNSTAMPED = 500
"""How many items without a recorded time of their own are written in one transaction."""

MOST_TOGETHER = 10_000
"""How many items may share one recorded time: they can only be written in one transaction."""

READERS = {".jsonl": json_entries, ".ndjson": json_entries, ".yaml": yaml_entries, ".yml": yaml_entries}


class Keyed(NamedTuple):
    """An item with its idempotency key."""

    item: Item
    key: str


@dataclass(slots=True)
class Group:
    """Items of one file that are written together."""

    recorded_at: Instant | None
    file: SeedFile
    items: list[Keyed] = field(default_factory=list)


class SeedFile:
    """One file, read once from its beginning to its end."""

    def __init__(self, path: Path, rules: Rules, problems: Problems) -> None:
        self.path = path
        self.episodes: dict[str, str | None] = {}
        """The ids under which its episodes were written, by their names in it; None for one that was erased."""
        self._rules = rules
        self._problems = problems
        self._keys = Keys()
        self._occurred: dict[str, Instant | None] = {}
        self._last: Instant | None = None
        self._last_line = 0
        self._unstamped_line = 0

    def groups(self) -> Iterator[Group]:
        """Its transactions in order. Problems are collected; what has any is left out."""
        group = Group(None, self)
        for entry in self._entries():
            if entry.members["type"] == "predicate":
                self._declare(declaration_of(entry))
                continue
            try:
                recorded_at = self._recorded_at(entry)
                items = items_of(entry, self._rules.types)
            except Misread as problem:
                self._problem(entry, problem.member, str(problem))
                continue
            full = len(group.items) >= (UNSTAMPED if recorded_at is None else MOST_TOGETHER)
            if group.items and (recorded_at != group.recorded_at or (full and recorded_at is None)):
                yield group
                group = Group(recorded_at, self)
            elif full:
                self._problem(
                    entry,
                    "recorded_at",
                    f"more than {MOST_TOGETHER} items share this recorded_at; spread them",
                )
                continue
            group.recorded_at = recorded_at
            for item in items:
                if self._fits(item, recorded_at):
                    group.items.append(Keyed(item, self._keys.key_of(item, recorded_at)))
        if group.items:
            yield group

    def _entries(self) -> Iterator[Entry]:
        for entry in READERS[self.path.suffix.lower()](self.path):
            if isinstance(entry, Unreadable):
                self._problems.add(str(self.path), entry.line, entry.message)
                continue
            wrong = list(wrong_members(entry.members))
            for member, message in wrong:
                self._problem(entry, member, message)
            if not wrong:
                yield entry

    def _declare(self, declaration: Declaration) -> None:
        problem = self._rules.declare(declaration)
        if problem:
            self._problem(declaration.entry, "name", problem)

    def _recorded_at(self, entry: Entry) -> Instant | None:
        recorded_at = recorded_at_of(entry)
        if recorded_at is None:
            self._unstamped_line = self._unstamped_line or entry.line
            return None
        if problem := self._out_of_order(recorded_at):
            raise Misread("recorded_at", problem)
        self._last, self._last_line = recorded_at, entry.line
        return recorded_at

    def _out_of_order(self, recorded_at: Instant) -> str | None:
        if self._unstamped_line:
            return (
                f"recorded_at stands after line {self._unstamped_line}, which has none and is recorded when it is "
                "loaded; put what has a recorded_at first"
            )
        if self._last is not None and recorded_at < self._last:
            return (
                f"recorded_at {to_text(recorded_at)} is earlier than {to_text(self._last)} of line {self._last_line}; "
                "put entries in the order in which they were recorded"
            )
        if recorded_at > now() + TOLERANCE:
            return f"recorded_at {to_text(recorded_at)} lies in the future"
        return None

    def _fits(self, item: Item, recorded_at: Instant | None) -> bool:
        wrong = list(self._names(item, recorded_at))
        cited_at = self._occurred.get(item.cites) if isinstance(item, ChangeItem) and item.cites else None
        wrong += self._rules.problems_of(item, recorded_at, cited_at)
        for member, message in wrong:
            self._problem(item.entry, member, message)
        return not wrong

    def _names(self, item: Item, recorded_at: Instant | None) -> Iterator[tuple[str, str]]:
        """Take up an episode's name, or see that the one cited is known."""
        if isinstance(item, EpisodeItem):
            if item.id in self._occurred:
                yield "id", f"an earlier episode of this file has the id {item.id!r}"
            elif item.id is not None:
                self._occurred[item.id] = recorded_at if item.occurred_at is None else item.occurred_at
        elif item.cites is not None and item.cites not in self._occurred:
            yield "episode", f"no episode {item.cites!r} stands before this in the file"

    def _problem(self, entry: Entry, member: str, message: str) -> None:
        self._problems.add(str(self.path), entry.line_of(member), message)


def merged(files: list[SeedFile]) -> Iterator[Group]:
    """The transactions of several files as one history, in the order they were recorded; the unstamped come last."""
    return merge(*(file.groups() for file in files), key=_recorded)


def _recorded(group: Group) -> Instant:
    return OPEN if group.recorded_at is None else group.recorded_at


def cited(item: Item) -> str | None:
    """The name of the episode an item cites."""
    return item.cites if isinstance(item, ChangeItem) else None
