"""Eight processes writing the same keys: no lost update, and the model agrees."""

import json
from pathlib import Path

import anyio
import pytest

from memory_provider import Memory
from memory_provider.doctor import examine
from memory_provider.temporal.instants import parse
from tests.durability import writers
from tests.support.comparing import assert_same_key
from tests.support.slow_model import Op, SlowModel

WRITERS = 8
OPERATIONS = 20


async def declare(url: str, scope: str) -> None:
    async with Memory.open(url, scope=scope) as memory:
        await memory.define_predicate("city", cardinality="one", object="text")


async def check(url: str, scope: str, model: SlowModel, times: list[int]) -> None:
    async with Memory.open(url, scope=scope) as memory:
        for subject in ("ann", "bob"):
            for known_at in (*times[:: len(times) // 7], times[-1]):
                await assert_same_key(memory, model, subject, "city", known_at)
        assert await examine(memory.store, scope) == []


@pytest.mark.slow
def test_eight_writers_of_the_same_keys(store_address: str, scope: str, tmp_path: Path) -> None:
    if store_address == "memory:":
        pytest.skip("a memory store belongs to one process")
    anyio.run(declare, store_address, scope)
    outs = [tmp_path / f"{number}.json" for number in range(WRITERS)]
    processes = [
        writers.start(writers.contend, store_address, scope, number, OPERATIONS, str(out))
        for number, out in enumerate(outs)
    ]
    for process in processes:
        process.join(300)
        assert process.exitcode == 0
    done = sorted(tuple(each) for out in outs for each in json.loads(out.read_text()))
    times = [parse(each[0]) for each in done]
    assert len(set(times)) == len(times) == WRITERS * OPERATIONS
    model = SlowModel(one={"city"})
    for at, (_, kind, subject, city, start, end) in zip(times, done, strict=True):
        model.write(at, [Op(kind, subject, "city", city, parse(start), parse(end))])
    anyio.run(check, store_address, scope, model, times)
