"""How single values are written in an archive, and read back strictly.

Instants are ISO 8601 text in UTC with a `Z`, exact to the microsecond; null is an unbounded side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..temporal import instants
from ..temporal.errors import InvalidInstant
from ..temporal.instants import OPEN, PAST


class Unreadable(ValueError):
    """A member that does not hold what it must."""


class Member(NamedTuple):
    """One member of a row: how it is written and how it is read (raising `Unreadable`)."""

    name: str
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unreadable("is not text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Unreadable("holds a lone surrogate") from None
    return value


def _or_null(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def text(name: str) -> Member:
    """Text."""
    return Member(name, _same, _read_text)


def optional_text(name: str) -> Member:
    """Text or null."""
    return Member(name, _same, _or_null(_read_text))


_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def digest(name: str) -> Member:
    """`sha256:` and 64 lower-case hexadecimal digits."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not _DIGEST.fullmatch(value):
            raise Unreadable("is not sha256: and 64 lower-case hexadecimal digits")
        return value

    return Member(name, _same, read)


def optional_digest(name: str) -> Member:
    """The same, or null."""
    return Member(name, _same, _or_null(digest(name).read))


def one_of(name: str, *values: str | None) -> Member:
    """One of a few texts."""

    def read(value: Any) -> Any:
        if value not in values:
            raise Unreadable(f"is none of {', '.join(str(each) for each in values)}")
        return value

    return Member(name, _same, read)


def _read_whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise Unreadable("is not a whole number from 0 up")
    return value


def whole(name: str) -> Member:
    """A whole number from 0 up."""
    return Member(name, _same, _read_whole)


def optional_whole(name: str) -> Member:
    """A whole number from 0 up, or null."""
    return Member(name, _same, _or_null(_read_whole))


def flag(name: str) -> Member:
    """True or false."""

    def read(value: Any) -> bool:
        if not isinstance(value, bool):
            raise Unreadable("is neither true nor false")
        return value

    return Member(name, _same, read)


def share(name: str) -> Member:
    """A number from 0 to 1, or null."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise Unreadable("is not a number from 0 to 1")
        return float(value)

    return Member(name, _same, _or_null(read))


def _read_instant(value: Any) -> int:
    if not isinstance(value, str):
        raise Unreadable("is not an instant")
    try:
        return instants.parse(value)
    except InvalidInstant as problem:
        raise Unreadable(f"is not an instant: {problem}") from None


def _write_instant(instant: int) -> str:
    if not instants.FIRST <= instant <= instants.LAST:
        raise Unreadable("lies outside years 1 to 9999")
    return instants.to_text(instant)


def instant(name: str) -> Member:
    """An instant."""
    return Member(name, _write_instant, _read_instant)


def optional_instant(name: str) -> Member:
    """An instant, or null when there is none."""
    return Member(name, _or_null(_write_instant), _or_null(_read_instant))


def start(name: str) -> Member:
    """Where a window begins; null is the unbounded past."""
    return _bounded(name, PAST)


def end(name: str) -> Member:
    """Where a window ends; null is an open end."""
    return _bounded(name, OPEN)


def _bounded(name: str, unbounded: int) -> Member:
    return Member(
        name,
        lambda value: None if value == unbounded else _write_instant(value),
        lambda value: unbounded if value is None else _read_instant(value),
    )


def texts(name: str) -> Member:
    """A list of texts."""
    return Member(name, list, lambda value: tuple(_read_text(each) for each in _list(value)))


def named_texts(name: str) -> Member:
    """Texts by name."""

    def read(value: Any) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, dict):
            raise Unreadable("is not an object")
        return tuple(sorted((_read_text(key), _read_text(text)) for key, text in value.items()))

    return Member(name, dict, read)


def rows(name: str, kind: Callable[..., Any], members: Iterable[Member]) -> Member:
    """A list of rows of their own."""
    members = tuple(members)
    return Member(
        name,
        lambda value: [write_row(members, each) for each in value],
        lambda value: tuple(kind(*read_row(members, each)) for each in _list(value)),
    )


def nested(name: str, kind: Callable[..., Any], members: Iterable[Member]) -> Member:
    """A row of its own."""
    members = tuple(members)
    return Member(
        name, lambda value: write_row(members, value), lambda value: kind(*read_row(members, value))
    )


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Unreadable("is not a list")
    return value


def write_row(members: tuple[Member, ...], values: Iterable[Any]) -> dict[str, Any]:
    """A row's members by name, from its values in the same order. Raises `Unreadable` for what cannot be written."""
    row = {}
    for member, value in zip(members, values, strict=False):
        try:
            row[member.name] = member.write(value)
        except Unreadable as problem:
            raise Unreadable(f"{member.name} {problem}") from None
    return row


def read_row(members: tuple[Member, ...], row: Any) -> list[Any]:
    """A row's values in order. Raises `Unreadable` for what is missing, too many, or not what it must be."""
    if not isinstance(row, dict):
        raise Unreadable("is not an object")
    names = [member.name for member in members]
    for name in names:
        if name not in row:
            raise Unreadable(f"has no {name}")
    for name in row:
        if name not in names:
            raise Unreadable(f"has a member {name!r:.80} that this format does not have")
    values = []
    for member in members:
        try:
            values.append(member.read(row[member.name]))
        except Unreadable as problem:
            raise Unreadable(f"{member.name} {problem}") from None
    return values
