"""The stores that a check works on, and scopes of its own."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from types import TracebackType

from ..contract import Store


class Stores:
    """Opens stores for one check and closes them after it."""

    def __init__(self, make: Callable[[], Store], *, shared: bool) -> None:
        """`make` gives a new, unopened store at the address under test. `shared` says whether two such stores see the
        same database (a store in memory may not)."""
        self._make = make
        self._shared = shared
        self._open = AsyncExitStack()
        self.store: Store
        """The store under test, open."""

    async def __aenter__(self) -> Stores:
        self.store = await self._opened()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    async def another(self) -> Store:
        """A second store on the same database, open; the same object where only that sees it."""
        return await self._opened() if self._shared else self.store

    def scope(self, name: str = "scope") -> str:
        """A scope that no other check uses."""
        return f"conformance/{secrets.token_hex(6)}/{name}"

    async def _opened(self) -> Store:
        store = self._make()
        self._open.push_async_callback(store.close)
        await store.open()
        return store


Check = Callable[[Stores], Awaitable[None]]
"""One thing that a store must do; its name and docstring say what."""
