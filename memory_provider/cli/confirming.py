"""Asking whoever sits at the terminal before something is gone for good."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from .showing.output import note


def confirm(question: str, *, otherwise: str, preview: Iterable[str] = ()) -> None:
    """Go on when a person agrees, after the preview. Where nobody can be asked it is a `UsageError`: `otherwise`."""
    if not at_a_terminal():
        raise click.UsageError(otherwise, click.get_current_context())
    note(*preview)
    click.confirm(question, abort=True, err=True)


def at_a_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty()
