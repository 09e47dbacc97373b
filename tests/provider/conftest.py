"""A provider over a memory about a kettle, in this process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.provider import Provider, data_flow

from .kettle import Kettle, write_kettle
from .wire import assert_valid

Ask = Callable[[Any], Awaitable[Any]]


@pytest.fixture(scope="module")
async def memory(anyio_backend: str) -> AsyncIterator[Memory]:
    async with Memory.open("memory:", scope="kitchen") as opened:
        yield opened


@pytest.fixture(scope="module")
async def kettle(memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> Kettle:
    return await write_kettle(memory, tmp_path_factory.mktemp("kettle"))


@pytest.fixture(scope="module")
def provider(memory: Memory, kettle: Kettle) -> Provider:
    return Provider(memory, data_flow=data_flow(local=True))


@pytest.fixture(scope="module")
def ask(provider: Provider) -> Ask:
    """Sends a message (an object, or bytes); answers the reply after checking it, or None."""

    async def send(message: Any) -> Any:
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        reply = await provider.handle(data)
        if reply.data is None:
            return None
        assert b"\n" not in reply.data
        return assert_valid(json.loads(reply.data))

    return send
