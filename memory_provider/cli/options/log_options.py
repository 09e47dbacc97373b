"""`--log-format` and `--log-level`: the log of a command, and of a server above all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..settings import Settings, settings_of
from ..showing.output import note

if TYPE_CHECKING:
    from ...telemetry.logs import Level

Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")
DEFAULT_LEVEL: Level = "info"


def log_options(command: Command, *, from_environment: bool = False) -> Command:
    """The two options. Without either there is no log but for errors, and `logging` is not loaded before one."""
    chosen = [
        (
            "--log-format",
            "log_format",
            "MEMORY_LOG_FORMAT",
            FORMATS,
            "json: one object a line, for collectors.",
        ),
        (
            "--log-level",
            "log_level",
            "MEMORY_LOG_LEVEL",
            LEVELS,
            "What is logged.  [info, with --log-format]",
        ),
    ]
    for option, name, variable, choices, help in reversed(chosen):
        command = click.option(
            option,
            name,
            type=click.Choice(choices),
            envvar=variable if from_environment else None,
            expose_value=False,
            callback=_configure,
            help=f"{help}  [env {variable}]" if from_environment else help,
        )(command)
    return command


def say(settings: Settings, message: str) -> None:
    """What a server says to whoever runs it: a line of the log if there is one, else a line for people."""
    if settings.log_format is None:
        note(message)
        return
    import logging

    logging.getLogger("memory_provider").info("%s", message)


def _configure(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    settings = settings_of(context)
    setattr(settings, parameter.name or "", value)
    from ...telemetry.logs import configure

    settings.log_format = settings.log_format or "text"
    configure(settings.log_format, settings.log_level or DEFAULT_LEVEL)
