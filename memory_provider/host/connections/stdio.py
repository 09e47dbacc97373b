"""A provider in a process of its own: one envelope a line, on its standard streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import anyio
from anyio.abc import Process

from ...protocol import DecodeError, EncodeError, Envelope, Shutdown, decode, encode
from ...protocol.strict_json import MAX_BYTES
from ..errors import (
    ConnectionClosed,
    HostError,
    NotOffered,
    ProviderCrashed,
    WireError,
    peer_text,
)
from .correlation import Waiter, Waiters
from .processes import end, start

SHUTDOWN_GRACE: Final = 2.0
"""Seconds that a provider has to end after it was said goodbye to."""
_CHUNK: Final = 64 * 1024


class StdioChannel:
    """Starts a provider when it is opened, and again when it is opened after a failure.

    There is no task behind it: whoever waits for an answer reads, and gives to others what is theirs. The first line
    that is no envelope fails every exchange in flight and ends the process, as no later line can be trusted to be what
    it looks like.
    """

    is_egress = False

    def __init__(
        self,
        provider_id: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        directory: str | None = None,
        grace: float = SHUTDOWN_GRACE,
        max_line: int = MAX_BYTES,
    ) -> None:
        self._provider_id = provider_id
        self._command = tuple(command)
        self._environment = environment
        self._directory = directory
        self._grace = grace
        self._max_line = max_line
        self._process: Process | None = None
        self._failure: HostError | None = None
        self._reset()

    def _reset(self) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._waiters = Waiters(self._provider_id)
        self._reader: Waiter | None = None
        self._sending = anyio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether a process runs that has done nothing wrong yet."""
        return self._process is not None and self._process.returncode is None and self._failure is None

    @property
    def _has_failed(self) -> bool:
        return self._failure is not None

    async def open(self) -> None:
        """Start the process."""
        await self.abort()
        self._reset()
        try:
            with anyio.CancelScope(shield=True):  # a process half started would be nobody's to end
                self._process = await start(self._command, self._environment, self._directory)
        except (OSError, ValueError, IndexError) as error:
            raise ProviderCrashed(self._provider_id, f"it could not be started: {error}") from None
        self._failure = None

    async def exchange(self, request: Envelope) -> Envelope:
        """Send a line, and wait for the line that answers it."""
        if self._process is None or self._failure is not None:
            raise self._failure or ConnectionClosed(self._provider_id, "its process is not running")
        line = encoded(self._provider_id, request)
        waiters = self._waiters
        waiter = waiters.add(getattr(request, "id", None))
        try:
            await self._send(self._process, line)
            await self._receive(self._process, waiter)
        finally:
            waiters.remove(waiter)
            if waiter.answer is None and waiter.id is None:
                # Its answer would be taken for that to the next question.
                self._fail(
                    ConnectionClosed(self._provider_id, "a question was given up before its answer came")
                )
            if self._reader is None:
                waiters.wake_one()
            if self._has_failed:
                await self._end()
        return waiter.result()

    async def abort(self) -> None:
        """Kill the process and its group."""
        self._fail(ConnectionClosed(self._provider_id, "the connection was given up"))
        await self._end()

    async def close(self) -> None:
        """Say goodbye, wait a little, and kill what is left of the group."""
        process = self._process
        if process is not None and self._failure is None:
            with anyio.move_on_after(self._grace, shield=True):
                await self._send(process, encode(Shutdown()) + b"\n")
        self._fail(ConnectionClosed(self._provider_id, "the connection was closed"))
        await self._end(self._grace)

    async def _send(self, process: Process, line: bytes) -> None:
        """All of the line: half of one would spoil the next, so whoever is interrupted here ends the connection."""
        assert process.stdin is not None
        async with self._sending:
            sent = False
            try:
                await process.stdin.send(line)
                sent = True
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                # It may have said why before it ended; the reader will see.
                sent = True
            finally:
                if not sent:
                    self._fail(ConnectionClosed(self._provider_id, "a question was given up half sent"))

    async def _receive(self, process: Process, waiter: Waiter) -> None:
        while waiter.answer is None:
            if self._reader is not None:
                await waiter.woken.wait()
                waiter.woken = anyio.Event()
                continue
            self._reader = waiter
            try:
                while waiter.answer is None:
                    await self._read_line(process)
            finally:
                self._reader = None

    async def _read_line(self, process: Process) -> None:
        """Read until a line is complete, and deliver it. A failure is delivered to all."""
        assert process.stdout is not None
        end_of_line = self._buffer.find(b"\n", self._searched)
        if end_of_line >= 0:
            line = bytes(self._buffer[:end_of_line])
            del self._buffer[: end_of_line + 1]
            self._searched = 0
            self._deliver(line)
            return
        self._searched = len(self._buffer)
        if self._searched > self._max_line:
            self._fail(
                WireError(
                    self._provider_id, f"a line is longer than the limit of {self._max_line} bytes (T1)"
                )
            )
            return
        try:
            self._buffer += await process.stdout.receive(_CHUNK)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._fail(ProviderCrashed(self._provider_id, "it ended, or closed its output"))

    def _deliver(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            envelope = decode(line, max_bytes=self._max_line)
        except DecodeError as error:
            said = f"a line is no envelope: {peer_text(str(error))}; it begins {peer_text(line[:80])}"
            self._fail(WireError(self._provider_id, said))
            return
        self._waiters.deliver(envelope)

    def _fail(self, error: HostError) -> None:
        if self._failure is None:
            self._failure = error
        self._waiters.fail(self._failure)

    async def _end(self, grace: float = 0.0) -> None:
        process, self._process = self._process, None
        if process is not None:
            await end(process, grace)


def encoded(provider_id: str, request: Envelope) -> bytes:
    """The line of a request. Raises `NotOffered` for one that cannot be said on the wire."""
    try:
        return encode(request) + b"\n"
    except EncodeError as error:
        raise NotOffered(provider_id, f"the question cannot be sent: {error}") from None
