"""What every store must do, as checks that run over any store.

For someone who writes a third store. With pytest and anyio's plugin:

    from memory_provider.store.conformance import CHECKS, Check, Stores

    @pytest.mark.anyio
    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    async def test_contract(check: Check) -> None:
        async with Stores(lambda: MyStore("my://address"), shared=True) as stores:
            await check(stores)

Each check works in scopes of its own, so the database need not be emptied. A check that fails raises
`AssertionError` saying what was asked, expected and found. Imports no test framework.
"""

from .all_checks import CHECKS
from .stores import Check, Stores

__all__ = ["CHECKS", "Check", "Stores"]
