"""Answers from the memory, given in an event loop of a second thread while the first goes on reading."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, wait
from functools import partial
from threading import Semaphore, Thread

import anyio
from anyio.from_thread import BlockingPortal
from anyio.to_thread import run_sync

from ..protocol import SHUTTING_DOWN, Error
from ..provider import Pending, Provider, Settled
from .signals import Patience
from .streams import LineWriter

MOST_AT_ONCE = 128
"""How many requests are in hand at the most; reading waits for one of them to be answered before it takes another."""


class Answering:
    """An event loop in a thread of its own that answers messages and writes the answers.

    A request with an id is answered as soon as its answer is there; it may overtake others. Without an id a host can
    tell answers only by their order, so those requests are answered one after the other, in the order they came.
    """

    def __init__(self, provider: Provider, writer: LineWriter, backend: str) -> None:
        self._provider = provider
        self._writer = writer
        self._permits = Semaphore(MOST_AT_ONCE)
        self._tasks: set[Future[None]] = set()
        self._in_order: deque[Settled | Pending] = deque()
        portal: Future[BlockingPortal] = Future()
        self._thread = Thread(target=self._run, args=(portal, backend), name="answering", daemon=True)
        self._thread.start()
        self._portal = portal.result()

    def take(self, message: Settled | Pending, patience: Patience) -> None:
        """Have a message answered; returns at once unless too many are in hand."""
        patience.wait(self._permits.acquire)
        if message.id is None:
            self._in_order.append(message)
            answer = self._answer_next
        else:
            answer = partial(self._answer, message)
        task = patience.wait(lambda: self._portal.start_task_soon(answer))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def close(self, grace: float) -> bool:
        """Let what is in hand be finished for at most `grace` seconds, then let go; whether all came to an end."""
        until = time.monotonic() + grace
        _, late = wait(list(self._tasks), timeout=grace)
        for task in late:
            task.cancel()
        wait([self._portal.start_task_soon(self._let_go)], timeout=max(until - time.monotonic(), grace / 4))
        self._portal.start_task_soon(self._portal.stop, True)
        self._thread.join(timeout=grace / 4)
        return not self._thread.is_alive()

    def _run(self, portal: Future[BlockingPortal], backend: str) -> None:
        try:
            anyio.run(self._until_stopped, portal, backend=backend)
        except BaseException as problem:
            if portal.done():
                raise
            portal.set_exception(problem)

    async def _until_stopped(self, started: Future[BlockingPortal]) -> None:
        self._turn = anyio.Lock()
        async with BlockingPortal() as portal:
            started.set_result(portal)
            await portal.sleep_until_stopped()

    async def _answer_next(self) -> None:
        # Tasks may get their turn in any order: each takes the oldest message, not the one it was started for.
        async with self._turn:
            await self._answer(self._in_order.popleft())

    async def _answer(self, message: Settled | Pending) -> None:
        try:
            settled = await self._provider.settle(message)
        except anyio.get_cancelled_exc_class():
            error = Error(id=message.id, code=SHUTTING_DOWN, message="the provider is going away")
            with anyio.CancelScope(shield=True):
                await self._write(Settled(error))
            raise
        await self._write(settled)

    async def _write(self, settled: Settled) -> None:
        """In a worker thread: a host that does not read must not keep the loop from anything else."""
        line = self._provider.to_bytes(settled)
        if line is not None:
            await run_sync(self._writer.write, line, abandon_on_cancel=True)

    async def _let_go(self) -> None:
        await self._provider.close()

    def _done(self, task: Future[None]) -> None:
        self._tasks.discard(task)
        self._permits.release()
