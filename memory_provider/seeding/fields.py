"""Which members an entry of each type has, and what they may be. `schema.json` says the same to editors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..memory.values import OBJECT_TYPES

Check = Callable[[Any], str | None]
"""What is wrong with a value, in words that follow the member's name; None when nothing is."""


class Field(NamedTuple):
    """One member."""

    check: Check
    required: bool = False


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "is a text that is not empty"


def _texts(value: Any) -> str | None:
    good = isinstance(value, list) and value and all(_text(each) is None for each in value)
    return None if good else "is a list of texts"


def _choice(*choices: str) -> Check:
    said = f"is one of {', '.join(choices)}"
    return lambda value: None if value in choices and isinstance(value, str) else said


def _moment(value: Any) -> str | None:
    year = isinstance(value, int) and not isinstance(value, bool) and 1000 <= value <= 9999
    return None if year or isinstance(value, str) else "is a date or an instant, as text"


def _side(value: Any) -> str | None:
    return None if value is None else _moment(value)


def _share(value: Any) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return None if number and 0 <= value <= 1 else "is a number from 0 to 1"


def _file(value: Any) -> str | None:
    names = {"uri", "digest", "range"}
    good = isinstance(value, dict) and {"uri", "digest"} <= value.keys() <= names
    return (
        None
        if good and all(map(_is_text, value.values()))
        else "is an object with uri, digest and perhaps range"
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _object(value: Any) -> str | None:
    if isinstance(value, dict):
        good = len(value) == 1 and next(iter(value)) in OBJECT_TYPES
        return None if good else f"has one member, named by its type: {', '.join(OBJECT_TYPES)}"
    return (
        None
        if isinstance(value, str | int | float | bool)
        else 'is a value, or one with its type: {"entity": …}'
    )


_MOMENT, _SIDE, _NAME = Field(_moment), Field(_side), Field(_text)
_NEEDED = Field(_text, required=True)
_SOURCE = {"episode": _NAME, "file": Field(_file), "by": _NAME, "confidence": Field(_share)}
_KEY = {"subject": _NEEDED, "predicate": _NEEDED}
_OBJECT = Field(_object, required=True)
_WINDOW = {"valid_from": _SIDE, "valid_to": _SIDE, "recorded_at": _MOMENT}
_GIVEN_WINDOW = {**_WINDOW, "valid_from": Field(_side, required=True)}

FIELDS: dict[str, dict[str, Field]] = {
    "predicate": {
        "name": _NEEDED,
        "cardinality": Field(_choice("one", "many")),
        "object": Field(_choice(*OBJECT_TYPES)),
        "label": _NAME,
        "inverse_label": _NAME,
    },
    "entity": {"name": _NEEDED, "kind": _NAME, "aliases": Field(_texts), "by": _NAME, **_WINDOW},
    "episode": {
        "id": _NAME,
        "text": _NEEDED,
        "occurred_at": _MOMENT,
        "speaker": _NAME,
        "session": _NAME,
        "source": _NAME,
        "recorded_at": _MOMENT,
    },
    "fact": {**_KEY, "object": _OBJECT, **_WINDOW, **_SOURCE},
    "relation": {**_KEY, "object": _NEEDED, **_WINDOW, **_SOURCE},
    "correct": {**_KEY, "object": _OBJECT, "replaces": Field(_object), **_GIVEN_WINDOW, **_SOURCE},
    "retract": {**_KEY, "object": Field(_object), **_GIVEN_WINDOW},
}
"""The members of each type of entry, besides `type`."""


def wrong_members(members: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with the form of an entry: the member it stands at, and a message."""
    kind = members.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        given = "is missing" if "type" not in members else f"is {kind!r:.40}"
        yield "type", f"type {given}; it is one of {', '.join(FIELDS)}"
        return
    fields = FIELDS[kind]
    for name, value in members.items():
        if name == "type":
            continue
        if name not in fields:
            near = get_close_matches(name, fields, 1)
            meant = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(fields)}"
            yield name, f"{kind} has no member {name[:40]!r}{meant}"
        elif wrong := fields[name].check(value):
            yield name, f"{name} of {kind} {wrong}, not {_shown(value)}"
    for name, field in fields.items():
        if field.required and name not in members:
            hint = " (null when it always was so)" if name == "valid_from" else ""
            yield "type", f"{kind} needs {name}{hint}"
    if kind == "entity" and not {"kind", "aliases"} & members.keys():
        yield "type", "an entity needs kind or aliases; without either there is nothing to say of it"


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
