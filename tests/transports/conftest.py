"""A store with a memory about a kettle, written once, and a provider process on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from memory_provider import Memory
from tests.provider.kettle import Kettle, write_kettle

from .host import SERVE, Host


@dataclass(frozen=True)
class Kitchen:
    """Where the memory about the kettle is."""

    store: str
    scope: str
    kettle: Kettle

    def host(self, *, backend: str = "asyncio", program: str = SERVE) -> Host:
        """A provider process on it."""
        return Host(self.store, self.scope, backend=backend, program=program)


@pytest.fixture(scope="module")
async def kitchen(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> Kitchen:
    directory = tmp_path_factory.mktemp("kitchen")
    store, scope = f"sqlite:///{directory / 'memory.db'}", "kitchen"
    async with Memory.open(store, scope=scope) as memory:
        return Kitchen(store, scope, await write_kettle(memory, directory))


@pytest.fixture(scope="module")
def host(kitchen: Kitchen) -> Iterator[Host]:
    """One process for a whole module: no test may bring it down."""
    with kitchen.host() as running:
        yield running
        running.send({"type": "shutdown"})
        assert running.end()[::2] == (0, [])
