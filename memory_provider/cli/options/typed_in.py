"""What is piped into a command."""

from __future__ import annotations

import sys

import click


def standard_input() -> str:
    """All of standard input, which is UTF-8. Raises `BadParameter` for anything else."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise click.BadParameter(f"standard input is not UTF-8 at byte {problem.start + 1}") from None
