"""Servers whose questions wait for something, so that a test decides when they are answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from .server import PATIENCE, SERVE

WAITING = (
    """
import sys, os, time
from memory_provider.memory import api
real = api.Memory.at
def at(*arguments, **named):
    view = real(*arguments, **named)
    class Waiting:
        async def recall(self, text, **limits):
            print(f"asked {text}", file=sys.stderr, flush=True)
            WAIT
            found = await view.recall(text, **limits)
            print(f"answers {text}", file=sys.stderr, flush=True)
            return found
    return Waiting()
api.Memory.at = at
"""
    + SERVE
)


def for_a_file(path: Path) -> str:
    """A program that answers no question before the file is there."""
    wait = f"import anyio\n            while not os.path.exists({str(path)!r}): await anyio.sleep(0.01)"
    return WAITING.replace("WAIT", wait)


def stuck(wait: str) -> str:
    """A program whose questions about `stuck` do what is given, for good."""
    return WAITING.replace("WAIT", f"if text == 'stuck': {wait}")


def until(holds: Callable[[], object]) -> None:
    """Wait for something that will be so."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.01)
