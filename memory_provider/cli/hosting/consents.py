"""Where the consents of the commands are kept."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from ...host import ConsentFile

Command = TypeVar("Command", bound=Callable[..., Any])


def consents_option(command: Command) -> Command:
    """`--consents FILE`, which the command gets as a `ConsentFile`."""
    return click.option(
        "--consents",
        metavar="FILE",
        envvar="MEMORY_CONSENTS",
        callback=_file,
        help="What was consented to.  [env MEMORY_CONSENTS; else a file of yours]",
    )(command)


def default_file() -> Path:
    """Beside the memory that is used when nobody says which."""
    from ...store.addresses import default_file as default_store

    return default_store(os.environ).with_name("consents.json")


def named_file() -> str | None:
    """The file that the command line named, for a message that says what to type."""
    context = click.get_current_context()
    typed = context.get_parameter_source("consents") is ParameterSource.COMMANDLINE
    return shlex.quote(str(context.params["consents"].path)) if typed else None


def _file(context: click.Context, parameter: click.Parameter, value: str | None) -> ConsentFile:
    from ...host import ConsentFile

    return ConsentFile(value or default_file())
