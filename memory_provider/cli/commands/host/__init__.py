"""`host`: the half of the protocol that asks, as commands."""

from __future__ import annotations

import click

from ...lazy import LazyGroup

COMMANDS = {
    "query": ".query:query",
    "verify": ".verify:verify",
    "inspect": ".inspect:inspect",
    "consent": ".consent:consent",
}


@click.group("host", cls=LazyGroup, homes=COMMANDS, package=__name__, no_args_is_help=False)
def host() -> None:
    """Ask this provider and others, as a host of the protocol.

    A provider of the Context Graph Protocol is given as 'stdio: COMMAND ARGS…', https://… or, on this machine, http://…
    """
