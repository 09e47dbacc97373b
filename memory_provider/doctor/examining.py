"""Everything that can be checked in a live store."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, cast

import anyio.to_thread

from ..memory.errors import NotFound
from ..store.contract import Dump, Finding, Store
from ..store.records import Predicate
from ..temporal.instants import PAST, Instant
from .findings import Findings
from .ledger import Ledger
from .lines import line_faults
from .recomputing import answer_faults
from .references import reference_faults
from .rows import row_faults
from .samples import Samples

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

BATCH = 1000
"""How many rows are read from a store at a time."""


async def examine(
    store: Store, scope: str | None = None, *, sample: int = 50, seed: int = 0
) -> list[Finding]:
    """What is wrong in a store, in one scope or in all; empty when nothing is.

    The store need not be opened before. Nothing is written, and findings name ids, never contents. With migrations
    pending, only those are found. `sample` keys and `sample` search terms of each scope are asked for at several
    instants and compared with a slow recomputation; which ones depends on `seed`. What is written meanwhile is not
    looked at; something erased meanwhile may be found missing. Raises `NotFound` for a scope that is not there.
    """
    layout = await store.layout()
    if layout.pending:
        return [Finding("pending migration", None, each) for each in layout.pending]
    names = [each.name for each in await store.scopes()]
    if scope is not None and scope not in names:
        raise NotFound(f"the store has no scope {scope!r}; `scopes` lists those it has")
    found: list[Finding] = []
    seen = await store.inspect(scope)
    for name in names if scope is None else [scope]:
        found += await _examine_scope(store, name, Samples(sample, seed), seed)
    # A store may look for the same things, and then needs not say them again.
    told = {(each.check, each.scope) for each in found}
    return [*(each for each in seen if (each.check, each.scope) not in told), *found]


async def _examine_scope(store: Store, scope: str, samples: Samples, seed: int) -> list[Finding]:
    findings = Findings(scope)
    predicates: dict[str, Predicate] = {}
    clock: Instant = PAST

    def take(batch: Dump) -> None:
        predicates.update({each.name: each for each in batch.predicates})
        findings.extend(row_faults(batch, predicates))
        ledger.add(batch, predicates)
        samples.add(batch)

    def compare() -> None:
        ledger.complete()
        findings.extend(line_faults(ledger))
        findings.extend(reference_faults(ledger))

    with Ledger() as ledger:
        async with aclosing(cast("AsyncGenerator[Dump, None]", store.dump(scope, BATCH))) as batches:
            async for batch in batches:
                clock = batch.clock
                await anyio.to_thread.run_sync(take, batch)
        await anyio.to_thread.run_sync(compare)
    async for check, what in answer_faults(store, scope, samples, clock, seed):
        findings.add(check, what)
    return findings.all()
