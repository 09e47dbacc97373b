"""What a failure looks like to the shell: one line on stderr, and an exit code that means something."""

from __future__ import annotations

import os
import re
import sys

import click

from ..errors import (
    AuditError,
    InvalidInput,
    MemoryProviderError,
    NotFound,
    ScopeNotEmpty,
    StoreError,
    TokenNotFound,
)
from .showing.output import note, one_line

DONE = 0
NOTHING = 1
"""Nothing was found, or something was: each command's help says which."""
BAD_INPUT = 2
"""An argument, a file or a value was refused; nothing was written."""
NO_STORE = 3
"""The store cannot be reached, is locked, or belongs to another release."""
REFUSED = 4
"""What the memory already holds contradicts what was asked; nothing was written."""
UNEXPECTED = 70
"""A fault of this program."""
INTERRUPTED = 130
BROKEN_PIPE = 141

_CREDENTIALS = re.compile(r"://(?!\[user:password@\])[^\s/@]*@")


class Nothing(Exception):
    """Ends a command with exit code 1, with a message for people."""


def code_of(problem: BaseException) -> int:
    """The exit code of a failure."""
    match problem:
        case Nothing() | NotFound() | TokenNotFound():
            return NOTHING
        case click.ClickException() | InvalidInput() | AuditError():
            return BAD_INPUT
        case StoreError() if not isinstance(problem, ScopeNotEmpty):
            return NO_STORE
        case MemoryProviderError():
            return REFUSED
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED
        case BrokenPipeError():
            return BROKEN_PIPE
    return UNEXPECTED


def message_of(problem: BaseException) -> str:
    """What went wrong, on one line and without credentials."""
    match problem:
        case Nothing():
            text = str(problem)
        case click.UsageError():
            hint = f" (see {problem.ctx.command_path} --help)" if problem.ctx else ""
            text = f"error: {problem.format_message()}{hint}"
        case click.ClickException():
            text = f"error: {problem.format_message()}"
        case MemoryProviderError():
            text = f"error: {problem}"
        case KeyboardInterrupt() | click.Abort():
            text = "interrupted"
        case _:
            shown = f"{type(problem).__name__}: {problem}"
            text = f"error: unexpected {shown} (MEMORY_DEBUG=1 shows where)"
    return _CREDENTIALS.sub("://…@", one_line(text))


def report(problem: BaseException, *, log: bool = False) -> int:
    """Say what went wrong on stderr, in the `log` if that is what collects it; answers the exit code."""
    code = code_of(problem)
    if code == UNEXPECTED and os.environ.get("MEMORY_DEBUG"):
        raise problem
    if code == BROKEN_PIPE:
        # Whoever read our output has gone; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif problems := getattr(problem, "problems", None):
        _say(
            log, *(f"error: {one_line(str(each))}" for each in problems)
        )  # of files: one line for each place
    else:
        _say(log, message_of(problem))
    return code


def _say(log: bool, *lines: str) -> None:
    if not log:
        note(*lines)
        return
    import logging

    for line in lines:
        logging.getLogger("memory_provider.cli").error("%s", line.removeprefix("error: "))
