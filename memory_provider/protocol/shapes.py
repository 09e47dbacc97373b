"""Turns plain JSON values into wire objects, going by the annotations of their classes.

Strict throughout: a boolean is no number, `600.0` is no integer, `null` stands only where `None` does, and
nothing is converted but lists to tuples and integers to floats. Members a class does not know go to its
`extra` if it has one.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from .errors import InvalidMember, describe
from .wire_objects import REQUIRED, ExtensibleObject, IntegerRange, WireObject

Reader = Callable[[Any], Any]
"""Takes a plain JSON value, returns what a wire object holds for it, or raises `Mismatch`."""

Shape = TypeVar("Shape", bound=WireObject)


class Mismatch(Exception):
    """A value is not of the shape it should have. Where it stands is filled in on the way out."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self._steps: list[str | int] = []

    def inside(self, step: str | int) -> "Mismatch":
        """The same, said to stand in that member or at that position of a list."""
        self._steps.append(step)
        return self

    @property
    def location(self) -> tuple[str | int, ...]:
        """Where the value stands, as names of members and positions in lists; empty for the whole."""
        return tuple(reversed(self._steps))

    @property
    def path(self) -> str:
        """Where the value stands, like `result.frames[3].score`; empty for the whole."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.location)
        return "".join(steps).removeprefix(".")

    def __str__(self) -> str:
        what = f"expected {self.expected}, got {self.found}"
        return f"{self.path}: {what}" if self._steps else what


class Missing(Mismatch):
    """An object lacks the required member `member`; `location` is that of the object."""

    def __init__(self, member: str) -> None:
        super().__init__(f"a member {member}", "none")
        self.member = member


def read(shape: type[Shape], value: Any) -> Shape:
    """The wire object of class `shape` that a plain JSON value describes. Raises `Mismatch`."""
    return cast(Shape, _reader(cast(Any, shape))(value))


@cache
def _reader(annotation: Any) -> Reader:
    """The reader of one annotation; built when the first message needs it."""
    if isinstance(annotation, type) and issubclass(annotation, WireObject):
        return _object(annotation)
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(arguments[1], IntegerRange):
        return _integer(arguments[1])
    if origin is Literal:
        return _one_of(arguments)
    if origin is Mapping:
        return _plain_object
    if origin is tuple and arguments[1:] == (...,):
        return _list(_reader(arguments[0]))
    if origin in (UnionType, Union) and len(arguments) == 2 and arguments[1] is NoneType:
        return _optional(_reader(arguments[0]))
    raise TypeError(f"no wire shape for {annotation!r}")


def _text(value: Any) -> Any:
    if type(value) is str:
        return value
    raise Mismatch("a text", describe(value))


def _boolean(value: Any) -> Any:
    if type(value) is bool:
        return value
    raise Mismatch("true or false", describe(value))


def _number(value: Any) -> Any:
    if type(value) is float:
        return value
    if type(value) is int:
        return float(value)  # cannot overflow: what no double can hold is refused before shapes are looked at
    raise Mismatch("a number", describe(value))


_SCALARS: dict[Any, Reader] = {str: _text, bool: _boolean, float: _number}


def _integer(allowed: IntegerRange) -> Reader:
    low, high = allowed.low, allowed.high

    def read_integer(value: Any) -> Any:
        if type(value) is int and low <= value <= high:
            return value
        raise Mismatch(f"an integer from {low} to {high}", describe(value))

    return read_integer


def _one_of(choices: tuple[str, ...]) -> Reader:
    allowed = frozenset(choices)

    def read_choice(value: Any) -> Any:
        if type(value) is str and value in allowed:
            return value
        raise Mismatch(f"one of {', '.join(choices)}", describe(value))

    return read_choice


def _optional(reader: Reader) -> Reader:
    def read_optional(value: Any) -> Any:
        return None if value is None else reader(value)

    return read_optional


def _plain_object(value: Any) -> Any:
    if type(value) is dict:
        return value
    raise Mismatch("an object", describe(value))


def _list(reader: Reader) -> Reader:
    def read_list(value: Any) -> Any:
        if type(value) is not list:
            raise Mismatch("a list", describe(value))
        items: list[Any] = []
        try:
            items.extend(map(reader, value))
        except Mismatch as mismatch:
            mismatch.inside(len(items))
            raise
        return tuple(items)

    return read_list


def _object(shape: type[WireObject]) -> Reader:
    readers = {name: _reader(member.annotation) for name, member in shape.wire_members.items()}
    required = [name for name, member in shape.wire_members.items() if member.default is REQUIRED]
    keeps_extra = issubclass(shape, ExtensibleObject)

    def read_object(value: Any) -> Any:
        if type(value) is not dict:
            if type(value) is shape:
                return value  # made by our own code; no message holds one
            raise Mismatch("an object", describe(value))
        members: dict[str, Any] = {}
        extra: dict[str, Any] = {}
        name = ""
        try:
            for name, item in value.items():
                reader = readers.get(name)
                if reader is None:
                    extra[name] = item
                else:
                    members[name] = reader(item)
        except Mismatch as mismatch:
            mismatch.inside(name)
            raise
        for name in required:
            if name not in members:
                raise Missing(name)
        if extra and keeps_extra:
            members["extra"] = extra
        try:
            return shape.trusted(members)
        except InvalidMember as invalid:
            contradiction = Mismatch(invalid.expected, describe(invalid.value))
            raise contradiction.inside(invalid.member) from None

    return read_object
