"""A memory over each store, on a scope of its own."""

from collections.abc import AsyncIterator

import pytest

from memory_provider import Memory


@pytest.fixture
async def memory(anyio_backend: str, store_address: str, scope: str) -> AsyncIterator[Memory]:
    async with Memory.open(store_address, scope=scope) as opened:
        yield opened
