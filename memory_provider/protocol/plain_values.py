"""Plain JSON values that no text of JSON was read for: held to what `strict_json` lets through."""

import math
from typing import Any

from .errors import describe
from .shapes import Mismatch
from .strict_json import MAX_DEPTH
from .wire_objects import WireObject


def plain_copy(value: Any, depth: int = 0) -> Any:
    """A copy of a value that strict JSON can say, all of its lists and objects new ones.

    Wire objects may stand in it and stay what they are. Raises `Mismatch` for anything else: a number that is
    none or that no double can hold, half of a surrogate pair, a value or a name of another type, nesting deeper
    than `MAX_DEPTH`.
    """
    kind = type(value)
    if kind is dict or kind is list:
        if depth == MAX_DEPTH:
            raise Mismatch(f"at most {MAX_DEPTH} levels of objects and lists", "one more")
        return _object(value, depth + 1) if kind is dict else _list(value, depth + 1)
    if kind is str:
        _check_text(value)
    elif kind is int or kind is float:
        _check_number(value)
    elif value is not None and kind is not bool and not isinstance(value, WireObject):
        raise Mismatch("a plain JSON value", f"a {kind.__name__}")
    return value


def _object(members: dict[Any, Any], depth: int) -> dict[str, Any]:
    copy = {}
    for name, item in members.items():
        if type(name) is not str:
            raise Mismatch("a text as the name of each member", describe(name))
        _check_text(name)
        try:
            copy[name] = plain_copy(item, depth)
        except Mismatch as mismatch:
            raise mismatch.inside(name) from None
    return copy


def _list(items: list[Any], depth: int) -> list[Any]:
    copy: list[Any] = []
    try:
        copy.extend(plain_copy(item, depth) for item in items)
    except Mismatch as mismatch:
        raise mismatch.inside(len(copy)) from None
    return copy


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Mismatch("Unicode", "half of a surrogate pair") from None


def _check_number(number: int | float) -> None:
    try:
        fits = math.isfinite(number)
    except OverflowError:
        fits = False
    if not fits:
        raise Mismatch("a number that a double can hold", describe(number))
