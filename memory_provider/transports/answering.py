"""Answers from the memory, given in an event loop of a second thread while the first goes on reading."""

from __future__ import annotations

from collections import deque
from functools import partial
from queue import SimpleQueue
from threading import Semaphore, Thread

import anyio
from anyio.to_thread import run_sync

from ..errors import StoreUnavailable
from ..protocol import SHUTTING_DOWN, UNAVAILABLE, Error
from ..provider import Pending, Provider, Settled
from .reaching import Reach
from .signals import Patience
from .streams import LineWriter

MOST_AT_ONCE = 128
"""How many requests are in hand at the most; reading waits for one of them to be answered before it takes another."""


class Answering:
    """An event loop in a thread of its own that answers messages and writes the answers.

    A request with an id is answered as soon as its answer is there; it may overtake others. Without an id a host can
    tell answers only by their order, so those requests are answered one after the other, in the order they came.

    The threads share a queue and nothing else: whatever keeps the loop busy, the other can read, and can end.
    """

    def __init__(
        self,
        provider: Provider,
        writer: LineWriter,
        patience: Patience,
        backend: str,
        grace: float,
        reach: Reach | None = None,
    ) -> None:
        self._provider = provider
        self._writer = writer
        self._patience = patience
        self._grace = grace
        self._reach = reach
        self._permits = Semaphore(MOST_AT_ONCE)
        self._messages: SimpleQueue[Settled | Pending | None] = SimpleQueue()
        self._in_order: deque[Settled | Pending] = deque()
        self._problem: BaseException | None = None
        self._thread = Thread(target=self._run, args=(backend,), name="answering", daemon=True)
        self._thread.start()

    def take(self, message: Settled | Pending) -> None:
        """Have a message answered; returns at once unless too many are in hand."""
        self._patience.wait(self._permits.acquire)
        self._messages.put(message)

    def close(self) -> bool:
        """Let what is in hand be finished within the grace, and let go of the rest; whether all came to an end.

        Raises what ended the loop, if anything did.
        """
        self._messages.put(None)
        self._thread.join(timeout=self._grace * 1.5)
        if self._problem is not None:
            raise self._problem
        return not self._thread.is_alive()

    def _run(self, backend: str) -> None:
        try:
            anyio.run(self._serve, backend=backend)
        except BaseException as problem:
            self._problem = problem
            self._patience.end_from_elsewhere()  # there is nobody left to answer

    async def _serve(self) -> None:
        self._turn = anyio.Lock()
        async with anyio.create_task_group() as tasks:
            while (message := await run_sync(self._messages.get, abandon_on_cancel=True)) is not None:
                if message.id is None:
                    self._in_order.append(message)
                    tasks.start_soon(self._answer_next)
                else:
                    tasks.start_soon(self._answer, message)
            tasks.cancel_scope.deadline = anyio.current_time() + self._grace
        with anyio.move_on_after(self._grace / 4):
            await self._provider.close()
            if self._reach is not None:
                await self._reach.close()

    async def _answer_next(self) -> None:
        # Tasks may get their turn in any order: each takes the oldest message, not the one it was started for.
        async with self._turn:
            await self._answer(self._in_order.popleft())

    async def _answer(self, message: Settled | Pending) -> None:
        try:
            settled = await self._settle(message)
        except anyio.get_cancelled_exc_class():
            error = Error(id=message.id, code=SHUTTING_DOWN, message="the provider is going away")
            with anyio.CancelScope(shield=True):
                await self._write(Settled(error))
            raise
        await self._write(settled)
        self._permits.release()

    async def _settle(self, message: Settled | Pending) -> Settled:
        if self._reach is None or isinstance(message, Settled):
            return await self._provider.settle(message)
        try:
            settled = await self._reach.within(partial(self._provider.settle, message))
        except StoreUnavailable as problem:
            return Settled(Error(id=message.id, code=UNAVAILABLE, message=f"{problem}; try again later"))
        if not isinstance(settled.answer, Error):
            self._reach.heard()
        return settled

    async def _write(self, settled: Settled) -> None:
        """In a worker thread: a host that does not read must not keep the loop from anything else."""
        line = self._provider.to_bytes(settled)
        if line is not None:
            await run_sync(self._writer.write, line, abandon_on_cancel=True)
