"""Running what is awaited, on an opened memory or store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from .settings import Settings

if TYPE_CHECKING:
    from ..memory.api import Memory
    from ..store.contract import Store

Answer = TypeVar("Answer")


def ask(settings: Settings, question: Callable[[Memory], Awaitable[Answer]]) -> Answer:
    """What a question answers, asked of the memory that the settings name.

    What is noted meanwhile is told when it has been answered.
    """
    import anyio

    from ..memory.api import Memory

    async def asking() -> Answer:
        async with Memory.open(settings.store, scope=settings.scope) as memory:
            return await question(memory)

    settings.tell()
    answer = anyio.run(asking)
    settings.tell()
    return answer


def ask_store(
    settings: Settings, question: Callable[[Store], Awaitable[Answer]], *, opened: bool = True
) -> Answer:
    """What a question about all scopes, or about the schema, answers; `opened=False` leaves the schema unchecked."""
    import anyio

    from ..store.opening import store_at

    async def asking() -> Answer:
        store = store_at(settings.store)
        if opened:
            await store.open()
        try:
            return await question(store)
        finally:
            await store.close()

    settings.tell()
    return anyio.run(asking)
