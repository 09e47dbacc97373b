"""Whether an object that nobody decoded is one that a message could have been decoded to.

Looking costs a fraction of encoding and decoding it. What is unusual is said to be none, though it may be one: whoever
is told so encodes and decodes it, which gives the object or says what is wrong.
"""

from collections.abc import Callable, Mapping
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from .envelopes import ENVELOPES
from .errors import InvalidMember
from .wire_objects import REQUIRED, IntegerRange, WireObject

Look = Callable[[Any], bool]


def is_well_formed(value: object) -> bool:
    """Whether this is an envelope, all of whose members have the types and values that the wire has for them."""
    kind: Any = type(value)
    return kind in _ENVELOPES and _look(kind)(value)


_ENVELOPES = frozenset(ENVELOPES.values())


@cache
def _look(annotation: Any) -> Look:
    if isinstance(annotation, type) and issubclass(annotation, WireObject):
        return _object(annotation)
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(arguments[1], IntegerRange):
        low, high = arguments[1].low, arguments[1].high
        return lambda value: type(value) is int and low <= value <= high
    if origin is Literal:
        return lambda value: type(value) is str and value in arguments
    if origin is tuple:
        item = _look(arguments[0])
        return lambda value: type(value) is tuple and all(map(item, value))
    if origin in (UnionType, Union) and arguments[1:] == (NoneType,):
        given = _look(arguments[0])
        return lambda value: value is None or given(value)
    return _unusual


def _text(value: Any) -> bool:
    if type(value) is not str:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _boolean(value: Any) -> bool:
    return type(value) is bool


def _number(value: Any) -> bool:
    return type(value) is float and isfinite(value)


def _unusual(value: Any) -> bool:
    return False


_SCALARS: Mapping[Any, Look] = {str: _text, bool: _boolean, float: _number}


def _object(shape: type[WireObject]) -> Look:
    looks = {name: _look(member.annotation) for name, member in shape.wire_members.items()}
    required = {name for name, member in shape.wire_members.items() if member.default is REQUIRED}
    checks = shape.check is not WireObject.check

    def look(value: Any) -> bool:
        if type(value) is not shape:
            return False
        members = value.__dict__
        if not required <= members.keys():
            return False
        for name, item in members.items():
            fits = looks.get(name)
            if fits is None or not fits(item):
                return False
        if checks:
            try:
                value.check()
            except InvalidMember:
                return False
        return True

    return look
