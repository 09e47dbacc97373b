"""Bytes as they arrive to lines. No I/O."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ..protocol import MAX_BYTES

TOO_LONG: Final = "too long"
"""Stands for a line that was longer than the limit."""

Line = bytes | Literal["too long"]


class LineSplitter:
    """Cuts a stream at its line feeds, and holds at most one line of at most `limit` bytes while doing so.

    Line ends, LF or CR LF, are taken off, and blank lines are left out. Of a line that is too long nothing is
    kept: it is reported once, as soon as that is certain, and skipped up to its end.
    """

    def __init__(self, limit: int = MAX_BYTES) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that end in `data`."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            yield from self._keep(part)
            yield from self.end()
        yield from self._keep(rest)

    def end(self) -> Iterator[Line]:
        """The line so far, at its end or at the end of the stream."""
        line = b"".join(self._parts).removesuffix(b"\r")
        skipped, self._skipping = self._skipping, False
        self._forget()
        if skipped or not line.strip(b" \t\r"):
            return
        yield line if len(line) <= self._limit else TOO_LONG

    def _keep(self, part: bytes) -> Iterator[Line]:
        if self._skipping or not part:
            return
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._limit + 1:  # one more may be the CR of its end
            self._forget()
            self._skipping = True
            yield TOO_LONG

    def _forget(self) -> None:
        self._parts = []
        self._size = 0
