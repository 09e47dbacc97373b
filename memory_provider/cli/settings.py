"""What every command knows: which store, which scope, how to read times, and what to print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from .options.times import UTC_ZONE, Zone, zone_named
from .showing.output import note

if TYPE_CHECKING:
    from ..telemetry.logs import Format, Level

Answer = TypeVar("Answer")
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass
class Settings:
    """The settings of one run, passed to every command."""

    store: str | None = None
    scope: str = "default"
    scope_named: bool = False
    """Whether the scope was named on the command line, and not only by the environment."""
    zone: Zone = UTC_ZONE
    json: bool = False
    log_format: Format | None = None
    """How the log is written; None where nobody asked for one."""
    log_level: Level | None = None
    notes: list[str] = field(default_factory=list)
    """What was understood of the arguments, for people; shown before anything is done."""

    def tell(self) -> None:
        """Show the notes."""
        note(*self.notes)
        self.notes.clear()


def settings_of(context: click.Context) -> Settings:
    """The settings of the run that a context belongs to."""
    return context.ensure_object(Settings)


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value is not None and value is not False:
            settings = settings_of(context)
            setattr(settings, name, zone_named(value) if name == "zone" else value)
            if name == "scope":
                source = context.get_parameter_source(parameter.name or "")
                settings.scope_named = source is ParameterSource.COMMANDLINE

    return callback


def _setting(
    option: str, name: str, metavar: str, variable: str | None, help: str, *, eager: bool = False
) -> Callable[[Command], Command]:
    """An option that sets one of the settings. It is taken before the command and after it; the later one counts."""
    return click.option(
        option,
        metavar=metavar,
        envvar=variable,
        is_eager=eager,
        expose_value=False,
        callback=_keep(name),
        help=help,
    )


STORE = "sqlite:///PATH, bolt://…, neo4j+s://… or memory:  [env MEMORY_STORE; else a file of yours]"
SCOPE = "Whose memory, such as acme/alice  [env MEMORY_SCOPE; else default]"
ZONE = "Zone of times typed without an offset, such as Europe/Paris  [env MEMORY_TZ; else UTC]"


def global_options(command: Command) -> Command:
    """`--store`, `--scope` and `--tz` before the command, or from the environment, and `--json`."""
    store = _setting("--store", "store", "URL", "MEMORY_STORE", STORE)
    scope = _setting("--scope", "scope", "NAME", "MEMORY_SCOPE", SCOPE)
    zone = _setting("--tz", "zone", "ZONE", "MEMORY_TZ", ZONE, eager=True)
    return store(scope(zone(json_option(command))))


def zone_option(command: Command) -> Command:
    """`--tz ZONE`, once: known before any time is read."""
    if any("--tz" in each.opts for each in getattr(command, "__click_params__", ())):
        return command
    return _setting("--tz", "zone", "ZONE", None, ZONE, eager=True)(command)


def store_option(command: Command) -> Command:
    """`--store URL`."""
    return _setting("--store", "store", "URL", None, STORE)(command)


def scope_option(command: Command) -> Command:
    """`--scope NAME`."""
    return _setting("--scope", "scope", "NAME", None, SCOPE)(command)


def json_option(command: Command) -> Command:
    """`--json`."""
    return click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        callback=_keep("json"),
        help="Print JSON, for programs.",
    )(command)


def answers(command: Command) -> Command:
    """For a command that asks a memory: `--store`, `--scope`, `--json`, and the settings as its first argument."""
    return store_option(scope_option(json_option(click.pass_obj(command))))  # type: ignore[return-value]
