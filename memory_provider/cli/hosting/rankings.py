"""`--rank`: which frame is packed before which."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ...host import Ranking

Command = TypeVar("Command", bound=Callable[..., Any])


def rank_option(command: Command) -> Command:
    """`--rank POLICY`."""
    return click.option(
        "--rank",
        "ranking",
        metavar="POLICY",
        default="round-robin",
        show_default=True,
        callback=_ranking,
        help="round-robin (the best of each provider first), score, or quota:N (N of each before the others).",
    )(command)


def _ranking(context: click.Context, parameter: click.Parameter, value: str) -> Ranking:
    from ...host import BY_SCORE, ROUND_ROBIN, PerProviderQuota

    quota = re.fullmatch(r"quota:([0-9]{1,9})", value)
    if quota:
        return PerProviderQuota(int(quota[1]))
    match value:
        case "score":
            return BY_SCORE
        case "round-robin":
            return ROUND_ROBIN
    raise click.BadParameter(f"{value!r} is none: write score, round-robin or quota:N", context, parameter)
