"""The object of a fact as people type it: with its type, or as the predicate's declaration reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import InvalidObject
from ...memory.values import Entity, Object
from ...memory.writing.predicates import RESERVED
from ..settings import Settings, settings_of
from ..showing.output import one_line
from .times import UTC_ZONE, Zone, read

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...store.records import Predicate

Command = TypeVar("Command", bound=Callable[..., Any])

_TYPES = {
    "--entity": ("entity", "NAME", "An entity of this name: the fact is a relation."),
    "--text": ("text", "TEXT", "A text."),
    "--int": ("integer", "N", "A whole number."),
    "--number": ("number", "X", "A number."),
    "--bool": ("boolean", "true|false", "A truth value."),
    "--date": ("date", "YYYY-MM-DD", "A calendar date."),
    "--instant": ("instant", "WHEN", "A moment, typed like any other time."),
}
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Typed:
    """An object as it was typed; `type` is None when only its predicate can tell."""

    type: str | None
    text: str
    zone: Zone = UTC_ZONE

    def under(self, predicate: Predicate | None) -> Object:
        """The object, read as its own type or as the predicate's. Raises `InvalidObject`."""
        kind = self.type or (predicate.object_type if predicate else None) or "text"
        if kind == "entity" and self.type is None:
            kind = "text"  # the memory takes it as the entity of that name
        return value_of(kind, self.text, self.zone)


def value_of(kind: str, text: str, zone: Zone = UTC_ZONE) -> Object:
    """A value of one of the object types from its text. Raises `InvalidObject` saying what to write."""
    match kind:
        case "entity":
            return Entity(text)
        case "integer" if _WHOLE.fullmatch(text):
            return int(text) if len(text) < 40 else _refuse(kind, text, "a whole number of at most 64 bits")
        case "integer":
            return _refuse(kind, text, "digits such as 42")
        case "number":
            return float(text) if _NUMBER.fullmatch(text) else _refuse(kind, text, "a number such as 4.2")
        case "boolean":
            return text == "true" if text in ("true", "false") else _refuse(kind, text, "true or false")
        case "date":
            try:
                return (
                    date.fromisoformat(text) if _DATE.fullmatch(text) else _refuse(kind, text, "2026-04-01")
                )
            except ValueError:
                return _refuse(kind, text, "a date that exists, such as 2026-04-01")
        case "instant":
            return read(text, zone).instant
    return text


def _refuse(kind: str, text: str, write: str) -> Object:
    article = "an" if kind[0] in "aeiou" else "a"
    raise InvalidObject(f"{text[:60]!r} is not {article} {kind}; write {write}")


def object_options(*, required: bool, positional: bool = True) -> Callable[[Command], Command]:
    """OBJECT, or one of `--entity`, `--text`, `--int`, …: the command gets it as `object`, None when left out."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_object(*arguments: Any, **options: Any) -> Any:
            context = click.get_current_context()
            zone = settings_of(context).zone
            plain = options.pop("plain_object", None)
            given = [] if plain is None else [Typed(None, plain, zone)]
            for kind, _, _ in _TYPES.values():
                text = options.pop(f"{kind}_object")
                if text is not None:
                    given.append(Typed(kind, text, zone))
            if len(given) > 1:
                raise click.UsageError(
                    "give the object once: as OBJECT, or with one of the typed options", context
                )
            if required and not given:
                raise click.UsageError(
                    "the object is missing: give OBJECT, or --entity NAME, --int N, …", context
                )
            return command(*arguments, object=given[0] if given else None, **options)

        decorated: Any = with_object
        for option, (kind, metavar, help) in reversed(_TYPES.items()):
            decorated = click.option(option, f"{kind}_object", metavar=metavar, help=help)(decorated)
        if positional:
            decorated = click.argument("plain_object", metavar="OBJECT", required=False)(decorated)
        else:
            decorated = click.option(
                "--object", "plain_object", metavar="OBJECT", help="As its predicate reads it."
            )(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def tell_first_use(settings: Settings, predicate: Predicate | None, name: str, typed: Typed) -> None:
    """Say which type an undeclared predicate takes from now on, if nobody chose it."""
    if predicate is None and typed.type is None:
        settings.notes.append(
            f"{name} was never used or declared: it holds texts from now on "
            f"(for names of entities: --entity {one_line(typed.text)!r}, or `define {name} --object entity` first)"
        )


async def declared(memory: Memory, name: str) -> Predicate | None:
    """A predicate as this scope has it, or None when it was never used."""
    for each in await memory.store.predicates(memory.scope):
        if each.name == name:
            return each
    return RESERVED.get(name)
