"""A store that is opened when it is first needed, by whichever of the memories over it comes first."""

from __future__ import annotations

import anyio

from ..store.contract import Store


class Connection:
    """Opens a store once, and closes it once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._opening = anyio.Lock()
        self._opened = False

    async def ready(self) -> Store:
        """The store, open. Raises what opening it raises."""
        if not self._opened:
            async with self._opening:
                if not self._opened:
                    await self.store.open()
                    self._opened = True
        return self.store

    async def close(self) -> None:
        """Close the store if it is open; it may be opened again."""
        if self._opened:
            self._opened = False
            await self.store.close()
