"""Signals that ask for an end, as the end of the input."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")


class Interrupted(BaseException):
    """Raised in the midst of a wait when the process is asked to end."""


class Patience:
    """Waits that a signal ends, and nothing else that it could interrupt in the middle."""

    def __init__(self) -> None:
        self._waiting = False
        self._over = False
        self.listening = False
        """Whether `end` is the handler of the signals."""

    def wait(self, blocking: Callable[[], Result]) -> Result:
        """What the call returns. Raises `Interrupted` when a signal came before or comes meanwhile."""
        self._waiting = True  # first this, then the question, so that no signal falls in between
        try:
            if self._over:
                raise Interrupted
            return blocking()
        finally:
            self._waiting = False

    def end(self, number: int = 0, frame: FrameType | None = None) -> None:
        """The signal handler."""
        self._over = True
        if self._waiting:
            self._waiting = False
            raise Interrupted

    def end_from_elsewhere(self) -> None:
        """End the waits of the main thread from another one."""
        self._over = True
        if self.listening:
            os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def until_signalled() -> Iterator[Patience]:
    """Let SIGTERM and SIGINT end the waits; elsewhere than in the main thread only the waits are given."""
    patience = Patience()
    before = {}
    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            before[number] = signal.signal(number, patience.end)
        patience.listening = True
    except ValueError:
        pass
    try:
        yield patience
    finally:
        patience.listening = False
        for number, handler in before.items():
            signal.signal(number, handler)
