"""Options that take a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

import click

from ...errors import InvalidInstant
from ...memory.writing.operations import UNSET, Unset
from ..settings import settings_of, zone_option
from ..showing.output import one_line
from ..showing.shapes import instant_text
from .times import read

Command = TypeVar("Command", bound=Callable[..., Any])


class Unbounded(Enum):
    """A side of a window that was said to have no bound."""

    UNBOUNDED = "unbounded"


def _reader(unbounded: str | None) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Reads a time as people type it; with `unbounded`, also the word that says there is no bound."""

    def read_option(
        context: click.Context, parameter: click.Parameter, value: str | None
    ) -> datetime | Unbounded | None:
        if value is None:
            return None
        if unbounded and value.strip().lower() == unbounded:
            return Unbounded.UNBOUNDED
        settings = settings_of(context)
        option = parameter.opts[0]
        try:
            reading = read(value, settings.zone)
        except InvalidInstant as problem:
            instead = f"; or `{unbounded}` for no bound" if unbounded else ""
            raise click.BadParameter(f"{one_line(str(problem))}{instead}", context, parameter) from None
        if reading.assumed:
            used = instant_text(reading.instant)
            settings.notes.append(f"{option} {reading.text} is taken as {used} ({settings.zone.name})")
        return reading.instant

    return read_option


def side(value: datetime | Unbounded | None) -> datetime | Unset | None:
    """A side of a window for the memory: left out is left out, said to be unbounded is None."""
    if value is None:
        return UNSET
    return None if isinstance(value, Unbounded) else value


def when_option(
    name: str, help: str, *, unbounded: str | None = None, required: bool = False
) -> Callable[[Command], Command]:
    """One option that takes a time."""
    variable = name.removeprefix("--").replace("-", "_")
    variable = {"from": "valid_from", "to": "valid_to"}.get(variable, variable)
    return click.option(
        name, variable, metavar="WHEN", required=required, callback=_reader(unbounded), help=help
    )


def view_options(command: Command) -> Command:
    """`--as-of` and `--known-at`."""
    return known_at_option(when_option("--as-of", "What is true at this time; left out: now.")(command))


def known_at_option(command: Command) -> Command:
    """`--known-at`."""
    known_at = when_option("--known-at", "According to what was recorded by this time; left out: everything.")
    return zone_option(known_at(command))


def window_options(command: Command) -> Command:
    """`--from` and `--to` of an assertion."""
    start = when_option(
        "--from",
        "Since when it holds; `always` for no beginning; left out: when the episode occurred, else now.",
        unbounded="always",
    )
    end = when_option(
        "--to",
        "Until when, that moment excluded; `open` for no end; left out: until what follows it, else no end.",
        unbounded="open",
    )
    return zone_option(start(end(command)))


def explicit_window_options(command: Command) -> Command:
    """`--from`, which has to be given, and `--to` of a correction or retraction."""
    start = when_option(
        "--from", "Since when; `always` when it never was otherwise.", unbounded="always", required=True
    )
    end = when_option(
        "--to", "Until when, that moment excluded; `open` or left out: no end.", unbounded="open"
    )
    return zone_option(start(end(command)))
