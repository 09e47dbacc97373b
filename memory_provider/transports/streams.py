"""The process's own stdin and stdout, kept for the protocol alone."""

from __future__ import annotations

import os
import sys


def take_streams() -> tuple[int, int]:
    """Descriptors of stdin and stdout that nobody else in this process writes to or reads from.

    From then on descriptor 0 is empty and descriptor 1 is stderr, for good: what a library prints, even at exit or
    from C, cannot end up between two messages.
    """
    if sys.stdout:
        sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    return source, sink


class LineWriter:
    """Writes whole lines to a descriptor, from any thread, nothing of them held back."""

    def __init__(self, sink: int) -> None:
        from threading import Lock

        self._sink = sink
        self._lock = Lock()
        self.closed = False
        """Whether the reader at the other end has gone."""

    def write(self, line: bytes) -> None:
        """Write one line and its end. When nobody reads any more it is dropped."""
        rest = memoryview(line + b"\n")
        with self._lock:
            try:
                while rest and not self.closed:
                    rest = rest[os.write(self._sink, rest) :]
            except OSError:
                self.closed = True
