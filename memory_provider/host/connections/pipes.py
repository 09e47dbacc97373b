"""This host's ends of the pipes to a process: nothing is read ahead of need, and closing is done at once."""

from __future__ import annotations

import contextlib
import os
from io import FileIO
from typing import Final

import anyio

CHUNK: Final = 64 * 1024


class PipeReader:
    """Where a process writes to."""

    def __init__(self, descriptor: int) -> None:
        self._file = _unblocked(descriptor, "rb")

    def read_now(self) -> bytes | None:
        """What has come; None if nothing has, and no bytes at the end."""
        return b"" if self._file.closed else self._file.read(CHUNK)

    async def read(self) -> bytes:
        """What comes next; no bytes at the end. Whoever floods it does not keep other tasks from running."""
        while not self._file.closed:
            try:
                await anyio.wait_readable(self._file)
            except anyio.ClosedResourceError:
                break
            data = self.read_now()
            if data is not None:
                return data
        return b""

    def close(self) -> None:
        """Who reads is told that it is the end."""
        _close(self._file)


class PipeWriter:
    """Where a process reads from."""

    def __init__(self, descriptor: int) -> None:
        self._file = _unblocked(descriptor, "wb")

    def write_now(self, data: memoryview) -> int:
        """Write as much as there is room for; how much that was. Raises `BrokenPipeError` if nobody reads it."""
        if self._file.closed:
            raise BrokenPipeError
        return self._file.write(data) or 0

    async def write(self, data: bytes) -> None:
        """Write all of it. Raises `BrokenPipeError` if nobody reads it. If it is cancelled, part of it was written."""
        left = memoryview(data)
        while left := left[self.write_now(left) :]:
            await self.until_writable()

    async def until_writable(self) -> None:
        """Wait until there is room again, or it is broken or closed."""
        if not self._file.closed:
            with contextlib.suppress(anyio.ClosedResourceError):
                await anyio.wait_writable(self._file)

    def close(self) -> None:
        """Who reads at the other end is told that it is the end."""
        _close(self._file)


def _unblocked(descriptor: int, mode: str) -> FileIO:
    os.set_blocking(descriptor, False)
    return FileIO(descriptor, mode)


def _close(file: FileIO) -> None:
    if not file.closed:
        anyio.notify_closing(file)
        file.close()
