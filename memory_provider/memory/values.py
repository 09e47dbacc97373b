"""The objects of facts as callers give and get them, and their one canonical spelling."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from ..store.records import ObjectValue
from ..temporal import instants
from ..temporal.shown import shown
from .errors import InvalidName, InvalidObject

NAME_BYTES = 1024
"""The longest name of an entity, predicate or scope, in UTF-8 bytes."""

TEXT_BYTES = 65_536
"""The longest text object of a fact, in UTF-8 bytes."""

OBJECT_TYPES = ("text", "integer", "number", "boolean", "date", "instant", "entity")


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing of the scope, as the object of a relation. Its name is its key, compared exactly."""

    name: str

    def __str__(self) -> str:
        return self.name


Object = str | int | float | bool | date | datetime | Entity
"""What a fact may say of its subject: a value, or an entity (which makes the fact a relation)."""


def check_text(text: object, what: str) -> str:
    """Text that is Unicode throughout, or `InvalidName` saying which argument is not."""
    if not isinstance(text, str):
        raise InvalidName(f"{what} must be text, not {type(text).__name__}")
    if not is_unicode(text):
        raise InvalidName(f"{what} holds a lone surrogate, which is not Unicode text")
    return text


def is_unicode(text: str) -> bool:
    """Whether a text is Unicode throughout: Python's may hold lone surrogates, which no store and no wire takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_name(name: object, what: str) -> str:
    """An exact, non-blank name of at most `NAME_BYTES` bytes, or `InvalidName`."""
    if isinstance(name, str) and _is_name(name):
        return name
    text = check_text(name, what)
    if not text.strip():
        raise InvalidName(f"{what} is empty; give it a name")
    size = len(text.encode())
    if size > NAME_BYTES:
        raise InvalidName(f"{what} is {size} bytes long; at most {NAME_BYTES} are kept: {text[:40]!r}…")
    return text


@lru_cache(maxsize=4096)
def _is_name(text: str) -> bool:
    """Names come again and again: most are looked at once."""
    return is_unicode(text) and bool(text.strip()) and len(text.encode()) <= NAME_BYTES


def to_object_value(value: object) -> ObjectValue:
    """The type and canonical text of an object.

    Raises `InvalidObject` for NaN, infinities, integers beyond 64 bits, text over `TEXT_BYTES` bytes and other types;
    naive datetimes are refused by `InvalidInstant`.
    """
    match value:
        case bool():
            return ObjectValue("boolean", "true" if value else "false")
        case int():
            if not -(2**63) <= value < 2**63:
                raise InvalidObject(f"{shown(value)} does not fit in 64 bits; store it as text")
            return ObjectValue("integer", str(value))
        case float():
            if not math.isfinite(value):
                raise InvalidObject(
                    f"{value} is not a number that can be compared; leave the fact out or use text"
                )
            return ObjectValue("number", repr(value + 0.0))
        case datetime():
            return ObjectValue("instant", instants.to_text(instants.from_datetime(value)))
        case date():
            return ObjectValue("date", value.isoformat())
        case Entity():
            return ObjectValue("entity", check_name(value.name, "the object's name"))
        case str():
            text = check_text(value, "the object")
            if len(text.encode()) > TEXT_BYTES:
                raise InvalidObject(
                    f"the object is {len(text.encode())} bytes long; at most {TEXT_BYTES} are kept: "
                    "store it as an episode and cite that"
                )
            return ObjectValue("text", text)
    raise InvalidObject(
        f"{type(value).__name__} cannot be the object of a fact; give text, a number, a boolean, a date, "
        "an aware datetime or an Entity"
    )


def from_object_value(value: ObjectValue) -> Object:
    """The object as a caller gave it: the inverse of `to_object_value`."""
    match value.type:
        case "boolean":
            return value.text == "true"
        case "integer":
            return int(value.text)
        case "number":
            return float(value.text)
        case "instant":
            return instants.to_datetime(instants.parse(value.text))
        case "date":
            return date.fromisoformat(value.text)
        case "entity":
            return Entity(value.text)
    return value.text
