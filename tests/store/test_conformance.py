"""Every store keeps the contract."""

from __future__ import annotations

import pytest

from memory_provider.store.conformance import CHECKS, Check, Stores
from memory_provider.store.opening import store_at


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_contract(check: Check, store_address: str) -> None:
    async with Stores(lambda: store_at(store_address), shared=store_address != "memory:") as stores:
        await check(stores)


@pytest.mark.parametrize("anyio_backend", ["trio"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_contract_under_trio(check: Check, anyio_backend: str, tmp_path) -> None:
    address = f"sqlite:///{tmp_path / 'memory.db'}"
    async with Stores(lambda: store_at(address), shared=True) as stores:
        await check(stores)
