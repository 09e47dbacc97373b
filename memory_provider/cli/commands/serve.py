"""`serve`: the memory as a provider of the Context Graph Protocol."""

from __future__ import annotations

import click

from ..settings import Settings, scope_option, store_option


@click.group(no_args_is_help=False)
def serve() -> None:
    """Serve the memory to Context Graph Protocol hosts."""


@serve.command()
@store_option
@scope_option
@click.pass_context
def stdio(context: click.Context) -> None:
    """Serve over standard input and output, one message a line, until the host says goodbye.

    Standard output is the protocol's alone; messages for people go to standard error.
    """
    from ...transports.stdio import run_stdio

    settings: Settings = context.obj
    context.exit(run_stdio(settings.store, settings.scope))
