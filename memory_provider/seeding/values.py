"""Times and objects as seed files spell them."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from ..errors import InvalidInstant, InvalidObject
from ..memory.values import Entity, Object
from ..temporal.instants import Instant, parse, to_datetime

_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def moment(given: str | int) -> Instant:
    """A full instant with an offset, or a year, month or day: then its first moment in UTC."""
    text = str(given)
    if _DAY.fullmatch(text):
        try:
            return parse(text + "-01-01"[len(text) - 4 :] + "T00:00:00Z")
        except InvalidInstant:
            raise InvalidInstant(f"{text!r} is not a date that exists") from None
    try:
        return parse(text)
    except InvalidInstant as problem:
        raise InvalidInstant(f"{problem}; a date alone, such as 2026-04-01, is taken in UTC") from None


def object_of(value: Any, declared: str | None) -> Object:
    """An object as the memory takes it. A value without its type is read as the predicate's, if that is known."""
    if isinstance(value, dict):
        kind, given = next(iter(value.items()))
        return _typed(kind, given)
    if declared == "number" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if declared in ("date", "instant") and isinstance(value, str):
        return _typed(declared, value)
    plain: Object = value
    return plain


def _typed(kind: str, value: Any) -> Object:
    match kind, value:
        case "entity", str():
            return Entity(value)
        case "text", str():
            return value
        case "boolean", bool():
            return value
        case "integer", int() if not isinstance(value, bool):
            return value
        case "number", int() | float() if not isinstance(value, bool):
            return float(value)
        case "date", str() if _DATE.fullmatch(value):
            try:
                return date.fromisoformat(value)
            except ValueError:
                raise InvalidObject(f"{value!r} is not a date that exists") from None
        case "instant", str():
            return to_datetime(moment(value))
    raise InvalidObject(f"{value!r:.60} is no {kind}; write it as docs/seeds.md shows")
