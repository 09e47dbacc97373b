"""No read sees a commit that is only halfway applied."""

from __future__ import annotations

import anyio

from memory_provider.store.conformance.rows import LATEST, ending, fact, probe, put, second, text
from memory_provider.store.contract import Pattern, Slice, Store
from memory_provider.store.opening import store_at

KEYS = 40
ROUNDS = 25


async def test_a_reader_beside_a_writer_of_many_facts(neo4j_server, store: Store, scope: str) -> None:
    """Forty keys are replaced in each transaction; every read sees forty facts of one round."""
    reader = store_at(neo4j_server.uri)
    await reader.open()
    names = [f"key {i}" for i in range(KEYS)]
    standing = [fact(name, "round", text("0"), second(1)) for name in names]
    await put(store, scope, second(1), *standing)
    done = anyio.Event()
    reads = 0

    async def write() -> None:
        nonlocal standing
        for number in range(2, ROUNDS + 2):
            new = [
                fact(name, "round", text(str(number)), second(number), replaces=[old.version])
                for name, old in zip(names, standing, strict=True)
            ]
            await put(store, scope, second(number), *new, superseded=[ending(old) for old in standing])
            standing = new
        done.set()

    async def read(by_words: bool) -> None:
        nonlocal reads
        while not done.is_set():
            if by_words:
                hits = (await reader.candidates(scope, LATEST, probe("round"))).found.facts
                versions = [each.hit.version for each in hits]
            else:
                found = (await reader.facts(scope, LATEST, Pattern(predicate="round"), Slice(100))).found
                versions = [each.version for each in found]
            assert len(versions) == KEYS
            assert len({each.object for each in versions}) == 1
            reads += 1

    async with anyio.create_task_group() as group:
        group.start_soon(write)
        for by_words in (True, False, True, False):
            group.start_soon(read, by_words)
    assert reads > 4
    await reader.close()
