"""Stores in files, with a short patience."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from memory_provider.store.addresses import SqliteAddress
from memory_provider.store.sqlite.store import SqliteStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is not there yet."""
    return tmp_path / "memory.db"


@pytest.fixture
async def opened(file: Path):
    """Opens any number of stores on the file: `await opened()`."""
    async with AsyncExitStack() as stack:

        async def open_one(busy_timeout: float = 5.0, path: Path = file) -> SqliteStore:
            store = SqliteStore(SqliteAddress(path), busy_timeout=busy_timeout)
            stack.push_async_callback(store.close)
            await store.open()
            return store

        yield open_one


@pytest.fixture
async def store(opened) -> SqliteStore:
    """A store on the file."""
    return await opened()
