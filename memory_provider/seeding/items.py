"""What a seed file asks to be written: entries whose form is right, as the memory's own operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput
from ..memory.values import Entity, Object
from ..memory.writing.operations import UNSET, File, Unset
from ..memory.writing.predicates import ALIAS, KIND
from ..temporal.instants import Instant, to_datetime
from .entries import Entry
from .errors import Misread
from .values import moment, object_of

Side = Instant | Unset | None
"""A side of a window: None is unbounded."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """Declare a predicate."""

    entry: Entry
    name: str
    cardinality: str
    object: str | None
    label: str | None
    inverse_label: str | None

    def same_as(self, other: Declaration) -> bool:
        """Whether both declare the same."""
        return (self.cardinality, self.object, self.label, self.inverse_label) == (
            other.cardinality,
            other.object,
            other.label,
            other.inverse_label,
        )


@dataclass(frozen=True, slots=True)
class EpisodeItem:
    """Keep an episode."""

    entry: Entry
    id: str | None
    """Its name within the file."""
    text: str
    occurred_at: Instant | None
    speaker: str | None
    session: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """Assert, correct or retract."""

    entry: Entry
    kind: str
    subject: str
    predicate: str
    object: Object | None
    valid_from: Side
    valid_to: Side
    replaces: Object | None = None
    cites: str | None = None
    """The name, within the file, of the episode it cites."""
    file: File | None = None
    by: str | None = None
    confidence: float | None = None


Item = EpisodeItem | ChangeItem

_CHANGES = {"fact": "assert", "relation": "assert", "correct": "correct", "retract": "retract"}


def declaration_of(entry: Entry) -> Declaration:
    """The declaration that a `predicate` entry makes."""
    members = entry.members
    return Declaration(
        entry,
        members["name"],
        members.get("cardinality", "many"),
        members.get("object"),
        members.get("label"),
        members.get("inverse_label"),
    )


def items_of(entry: Entry, types: Mapping[str, str | None]) -> list[Item]:
    """The operations of any other entry; `types` are the object types of the predicates that are known.

    Raises `Misread` for times and objects that are none.
    """
    members = entry.members
    match members["type"]:
        case "episode":
            return [
                EpisodeItem(
                    entry,
                    members.get("id"),
                    members["text"],
                    _moment(members, "occurred_at"),
                    members.get("speaker"),
                    members.get("session"),
                    members.get("source"),
                )
            ]
        case "entity":
            # Whoever says since when means it; else it always was so.
            start, end = _side(members, "valid_from", None), _side(members, "valid_to", None)
            name, by = members["name"], members.get("by")
            said = [(KIND, members["kind"])] if "kind" in members else []
            said += [(ALIAS, alias) for alias in members.get("aliases", ())]
            return [ChangeItem(entry, "assert", name, what, value, start, end, by=by) for what, value in said]
    return [_change(entry, members, types.get(members["predicate"]))]


def _change(entry: Entry, members: Mapping[str, Any], declared: str | None) -> ChangeItem:
    file = members.get("file")
    relation = members["type"] == "relation"
    return ChangeItem(
        entry,
        _CHANGES[members["type"]],
        members["subject"],
        members["predicate"],
        Entity(members["object"]) if relation else _object(members, "object", declared),
        _side(members, "valid_from", UNSET),
        _side(members, "valid_to", UNSET),
        _object(members, "replaces", declared),
        members.get("episode"),
        None if file is None else File(file["uri"], file["digest"], file.get("range")),
        members.get("by"),
        members.get("confidence"),
    )


def recorded_at_of(entry: Entry) -> Instant | None:
    """When an entry was recorded; None when it is recorded as it is loaded. Raises `Misread`."""
    return _moment(entry.members, "recorded_at")


def _side(members: Mapping[str, Any], name: str, left_out: Unset | None) -> Side:
    return _moment(members, name) if name in members else left_out


def _moment(members: Mapping[str, Any], name: str) -> Instant | None:
    given = members.get(name)
    try:
        return None if given is None else moment(given)
    except InvalidInput as problem:
        raise Misread(name, str(problem)) from None


def _object(members: Mapping[str, Any], name: str, declared: str | None) -> Object | None:
    given = members.get(name)
    try:
        return None if given is None else object_of(given, declared)
    except InvalidInput as problem:
        raise Misread(name, str(problem)) from None


def when(side: Side) -> Any:
    """A side as the memory's calls take it."""
    return side if side is None or isinstance(side, Unset) else to_datetime(side)
