"""Lists that can go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..showing.output import note

if TYPE_CHECKING:
    from ...memory.facts import Page

Command = TypeVar("Command", bound=Callable[..., Any])


def page_options(default: int) -> Callable[[Command], Command]:
    """`--limit` and `--after`."""

    def decorate(command: Command) -> Command:
        after = click.option("--after", metavar="CURSOR", help="Go on where the page with this cursor ended.")
        limit = click.option(
            "--limit",
            type=click.IntRange(1, 10_000),
            default=default,
            show_default=True,
            help="Rows of a page.",
        )
        return limit(after(command))

    return decorate


def tell_cursor(found: Page[Any]) -> None:
    """Say how to go on, if there is more."""
    if found.cursor:
        note(f"there is more: --after {found.cursor}")
