"""The root of the command line: global options, the commands, and how a run ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from .._version import __version__
from .failures import DONE, report
from .lazy import LazyGroup
from .options.log_options import log_options
from .settings import Settings, global_options

COMMANDS = {
    "demo": ".demo:demo",
    "remember": ".remember:remember",
    "assert": ".assert_:assert_",
    "correct": ".correct:correct",
    "retract": ".retract:retract",
    "erase": ".erase:erase",
    "recall": ".recall:recall",
    "facts": ".facts:facts",
    "graph": ".graph:graph",
    "timeline": ".timeline:timeline",
    "history": ".history:history",
    "changes": ".changes:changes",
    "explain": ".explain:explain",
    "resolve": ".resolve:resolve",
    "verify": ".verify:verify",
    "define": ".define:define",
    "predicates": ".predicates:predicates",
    "scopes": ".scopes:scopes",
    "records": ".records:records",
    "seed": ".seed:seed",
    "export": ".export:export",
    "import": ".import_:import_",
    "serve": ".serve:serve",
    "host": ".host:host",
    "key": ".key:key",
    "token": ".token:token",
    "migrate": ".migrate:migrate",
    "doctor": ".doctor:doctor",
}


@click.group(
    cls=LazyGroup,
    homes=COMMANDS,
    package=f"{__package__}.commands",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@global_options
@partial(log_options, from_environment=True)
@click.version_option(__version__, prog_name="memory-provider", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Long-term memory for agents: what is true as of a moment, what was known at one, what can still be trusted.

    Results go to standard output, messages for people to standard error. Exit codes: 0 done, 1 nothing found or
    something not right (each command says which), 2 bad input, 3 the store cannot be used, 4 refused because of what
    the memory holds.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run one command; answers the exit code. Never raises, and never shows a traceback."""
    settings = Settings()
    try:
        with cli.make_context("memory-provider", list(arguments), obj=settings) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except (Exception, KeyboardInterrupt) as problem:
        return report(problem, log=settings.log_format == "json")
    return DONE
