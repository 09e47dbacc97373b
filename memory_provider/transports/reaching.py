"""Whether a store on the far side of a network is still there, asked beside the work that waits for it.

A driver that hears nothing cannot tell a long query from a dead server, and waits. So whoever waits asks: has anything
been heard of the store lately, and if not, does it answer a small question now?
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

import anyio

from ..errors import MemoryProviderError, StoreUnavailable

if TYPE_CHECKING:
    from ..memory.api import Memory

SILENCE: Final = 0.8
"""Seconds without a word of the store after which it is asked whether it is there."""

PATIENCE: Final = 1.7
"""Seconds it gets to answer that. Both together are how soon a host is told: less than 3."""

RETRY: Final = 1.0
"""Seconds between attempts to open a store that cannot be reached."""

Found = TypeVar("Found")


class Reach:
    """Asks after one store, over a connection of its own: those of the memory may all be waiting.

    `memory` opens one more memory on the store.
    """

    def __init__(self, memory: Callable[[], Memory], *, remote: bool) -> None:
        self._open = memory
        self._memory: Memory | None = None
        self._remote = remote
        self._turn = anyio.Lock()
        self._heard = float("-inf")
        self._missed = float("-inf")

    async def open(self) -> None:
        """Open the store, which brings its schema up to date; again and again until it can be reached."""
        import logging

        told = False
        while True:
            try:
                await self._store().__aenter__()
            except StoreUnavailable as problem:
                if not told:
                    logging.getLogger("memory_provider").error("the store cannot be used yet: %s", problem)
                    told = True
                await anyio.sleep(RETRY)
            except MemoryProviderError as problem:  # it will not get better by itself; questions say the same
                logging.getLogger("memory_provider").error("the store cannot be used: %s", problem)
                return
            else:
                self.heard()
                return

    async def close(self) -> None:
        """Let go of it."""
        if self._memory is not None:
            await self._memory.store.close()

    def heard(self) -> None:
        """The store has said something."""
        self._heard = anyio.current_time()

    async def pending(self) -> Sequence[str]:
        """The migrations that the store lacks. Raises `StoreUnavailable`, soon."""
        with anyio.move_on_after(PATIENCE):
            layout = await self._store().store.layout()
            self.heard()
            return layout.pending
        raise StoreUnavailable("the memory's store does not answer now")

    async def within(self, work: Callable[[], Awaitable[Found]]) -> Found:
        """What the work gives. Raises `StoreUnavailable`, and gives the work up, when the store is not there."""
        found: list[Found] = []
        done = anyio.Event()
        problem: StoreUnavailable | None = None

        async def run() -> None:
            found.append(await work())
            done.set()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            try:
                await self.until(done)
            except StoreUnavailable as gone:
                problem = gone
                tasks.cancel_scope.cancel()
        if problem is not None:
            raise problem
        return found[0]

    async def until(self, done: anyio.Event) -> None:
        """Wait for work of the store's. Raises `StoreUnavailable` once the store turns out not to be there."""
        if not self._remote:
            await done.wait()
        began = anyio.current_time()
        while not done.is_set():
            quiet_since = max(began, self._heard)
            with anyio.CancelScope(deadline=quiet_since + SILENCE):
                await done.wait()
            if done.is_set() or self._heard > quiet_since:
                continue
            if not await self._answers() and not done.is_set():
                raise StoreUnavailable("the memory's store does not answer now")

    async def _answers(self) -> bool:
        """Whether the store answers a question now. Whoever asks while another does takes that answer."""
        asked = anyio.current_time()
        async with self._turn:
            if self._heard > asked or self._missed > asked:
                return self._heard > asked
            try:
                await self.pending()
            except Exception:
                self._missed = anyio.current_time()
                return False
            return True

    def _store(self) -> Memory:
        if self._memory is None:
            self._memory = self._open()
        return self._memory
