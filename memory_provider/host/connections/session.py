"""One run of a provider's process, from its start to its end: what it is asked, and who waits for which answer."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import anyio

from ...protocol import DecodeError, Envelope, decode
from ..errors import ConnectionClosed, HostError, ProviderCrashed, WireError, peer_text
from .correlation import Waiter, Waiters, unasked
from .processes import Running, end

MOST_LOOKS: Final = 16
"""How often what has come is taken before a question goes out: all that a pipe holds, and a provider without end
holds nobody up."""


class Session:
    """Exchanges lines with a process.

    There is no task behind it: whoever waits for an answer reads, and gives to others what is theirs. The first line
    that is no envelope, or that answers nothing asked before it came, fails every exchange in flight and ends the
    process, as no later line can be trusted to be what it looks like.
    """

    def __init__(self, provider_id: str, running: Running, max_line: int) -> None:
        self._provider_id = provider_id
        self._running = running
        self._max_line = max_line
        self._failure: HostError | None = None
        self._buffer = bytearray()
        self._searched = 0
        self._waiters = Waiters(provider_id)
        self._reader: Waiter | None = None
        self._reading = anyio.CancelScope()
        self._sending = anyio.Lock()
        self._ending = anyio.Lock()
        self._has_ended = False

    @property
    def is_open(self) -> bool:
        """Whether the process runs and has done nothing wrong yet."""
        return self._failure is None and self._running.process.returncode is None

    async def exchange(self, line: bytes, id: str | None) -> Envelope:
        """Send a line, and wait for the line that answers it. Raises `HostError`."""
        waiter: Waiter | None = None
        try:
            async with self._sending:
                self._take_what_has_come()
                if id is None and self._buffer.strip() and not self._waiters.may_come:
                    self._fail(unasked(self._provider_id, "the beginning of a line"))
                if self._failure is not None:
                    raise self._failure
                waiter = self._waiters.add(id)
                await self._send(line, waiter)
            await self._receive(waiter)
            return waiter.result()
        finally:
            if waiter is not None:
                self._waiters.remove(waiter)
                if waiter.answer is None and waiter.id is None:
                    # Its answer would be taken for that to the next question.
                    self._fail("a question was given up before its answer came")
            if self._reader is None:
                self._waiters.wake_one()
            if self._failure is not None:
                await self.end()

    async def say(self, line: bytes) -> None:
        """Send a line that is not answered, if that is still possible."""
        async with self._sending:
            with suppress(OSError):
                await self._running.stdin.write(line)

    async def end(self, grace: float = 0.0) -> None:
        """No more exchanges, and no process. Waits so many seconds for it to end by itself. Cannot be cancelled."""
        self._fail("the connection was closed")
        with anyio.CancelScope(shield=True):
            async with self._ending:
                if not self._has_ended:
                    await end(self._running, grace)
                    self._has_ended = True
                    self._buffer.clear()

    async def _send(self, line: bytes, waiter: Waiter) -> None:
        """All of the line: half of one would spoil the next, so whoever is interrupted here ends the session."""
        left = memoryview(line)
        try:
            while left := left[self._running.stdin.write_now(left) :]:
                await self._until_writable(waiter)
        except OSError:
            self._take_what_has_come()  # it may have said why before it ended
            if waiter.answer is None:
                self._fail(ProviderCrashed(self._provider_id, "it ended, or closed its input"))
        finally:
            if left:
                self._fail("a question was given up half sent")

    async def _until_writable(self, waiter: Waiter) -> None:
        """Read meanwhile: a provider that waits until it is read may read nothing itself."""

        async def read() -> None:
            await self._receive(waiter)
            if self._failure is not None:
                tasks.cancel_scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            await self._running.stdin.until_writable()
            tasks.cancel_scope.cancel()
        if self._failure is not None:
            raise BrokenPipeError

    def _take_what_has_come(self) -> None:
        """Deliver what is there before more is asked: later it could be taken for the answer to that."""
        for _ in range(MOST_LOOKS):
            self._deliver_lines()
            data = None if self._failure else self._running.stdout.read_now()
            if data is None:
                break
            self._add(data)
        self._deliver_lines()
        if self._reader is not None and self._reader.answer is not None:
            self._reading.cancel()

    async def _receive(self, waiter: Waiter) -> None:
        while waiter.answer is None:
            if self._reader is not None:
                await waiter.woken.wait()
                waiter.woken = anyio.Event()
                continue
            self._reader = waiter
            try:
                while waiter.answer is None:
                    if not self._deliver_line():
                        with anyio.CancelScope() as self._reading:
                            self._add(await self._running.stdout.read())
            finally:
                self._reader = None

    def _add(self, data: bytes) -> None:
        self._buffer += data
        if not data:
            self._fail(ProviderCrashed(self._provider_id, "it ended, or closed its output"))

    def _deliver_lines(self) -> None:
        while self._failure is None and self._deliver_line():
            pass

    def _deliver_line(self) -> bool:
        """Whether there was a whole line. What is wrong with it, or too long to become one, fails the session."""
        end_of_line = self._buffer.find(b"\n", self._searched)
        if end_of_line < 0:
            self._searched = len(self._buffer)
            if self._searched > self._max_line:
                said = f"a line is longer than the limit of {self._max_line} bytes (T1)"
                self._fail(WireError(self._provider_id, said))
                self._buffer.clear()
            return False
        line = bytes(self._buffer[:end_of_line])
        del self._buffer[: end_of_line + 1]
        self._searched = 0
        if line.strip():
            self._deliver(line)
        return True

    def _deliver(self, line: bytes) -> None:
        try:
            self._waiters.deliver(decode(line, max_bytes=self._max_line))
        except DecodeError as error:
            said = f"a line is no envelope: {peer_text(str(error))}; it begins {peer_text(line[:80])}"
            self._fail(WireError(self._provider_id, said))
        except WireError as error:
            self._fail(error)

    def _fail(self, why: HostError | str) -> None:
        if self._failure is None:
            self._failure = ConnectionClosed(self._provider_id, why) if isinstance(why, str) else why
        self._waiters.fail(self._failure)
