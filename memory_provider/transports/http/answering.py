"""Messages put to the provider: so many at a time, each within its time, and none longer than the store is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import anyio
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync

from ...access import Principal
from ...errors import StoreUnavailable
from ...protocol import UNAVAILABLE, Envelope, Error, Frames, Resolved
from ...protocol.lifecycle.envelopes import Records
from ...provider import Pending, Provider, Settled
from ..reaching import Reach
from .limits import Limits

LARGE: Final = 65_536
"""Bytes from which reading or writing a message is left to a worker thread, so that the others are not kept waiting."""

Found = TypeVar("Found")


class Answering:
    """Gives the provider its messages.

    Asking runs in a task of its own. Not all of it can be taken back (a thread that reads a file), so whoever waits
    is told when the time is over, and the place is free again when the work has really ended.
    """

    _tasks: TaskGroup

    def __init__(self, provider: Provider, reach: Reach, limits: Limits) -> None:
        self._provider = provider
        self._reach = reach
        self._limits = limits
        self._places = anyio.CapacityLimiter(limits.at_once)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While it may be asked."""
        async with anyio.create_task_group() as self._tasks:
            self._tasks.start_soon(self._reach.open)
            yield
            self._tasks.cancel_scope.cancel()
        await self._provider.close()
        await self._reach.close()

    async def receive(self, message: bytes, principal: Principal | None) -> Settled | Pending:
        """What becomes of a body, as far as that is certain without the memory."""
        return await _aside(len(message) > LARGE, lambda: self._provider.receive(message, principal))

    async def to_bytes(self, settled: Settled) -> bytes | None:
        """The answer as a body."""
        return await _aside(_may_be_large(settled.answer), lambda: self._provider.to_bytes(settled))

    async def settle(self, message: Settled | Pending) -> Settled:
        """The answer. Always comes, within the time a request may take."""
        if isinstance(message, Settled):
            return message
        asked = _Asked(message)
        self._tasks.start_soon(self._ask, asked)
        try:
            with anyio.move_on_after(self._limits.seconds):
                await self._reach.until(asked.done)
                assert asked.settled
                return asked.settled
            problem = f"no answer was found within {self._limits.seconds:g} seconds; try again later"
        except StoreUnavailable as gone:
            problem = f"{gone}; try again later"
        finally:
            asked.scope.cancel()
        return Settled(Error(id=message.id, code=UNAVAILABLE, message=problem))

    async def _ask(self, asked: _Asked) -> None:
        with asked.scope:
            async with self._places:
                asked.settled = settled = await self._provider.settle(asked.message)
            if not isinstance(settled.answer, Error):
                self._reach.heard()
            asked.done.set()


class _Asked:
    """A question on its way."""

    def __init__(self, message: Pending) -> None:
        self.message = message
        self.settled: Settled | None = None
        self.scope = anyio.CancelScope()
        self.done = anyio.Event()


def _may_be_large(answer: Envelope | None) -> bool:
    match answer:
        case Frames():
            return 4 * sum(frame.token_cost for frame in answer.result.frames) > LARGE
        case Records() | Resolved():
            return True
    return False


async def _aside(large: bool, work: Callable[[], Found]) -> Found:
    return await run_sync(work) if large else work()
