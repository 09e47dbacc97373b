"""What was known when: a report is made twice from the same memory, as it was then and as it is now."""

from __future__ import annotations

import asyncio

from memory_provider import Memory


async def main() -> None:
    async with Memory.open("memory:", scope="northgate") as memory:
        await memory.define_predicate(
            "revenue_2022",
            cardinality="one",
            object="number",
            label="had a 2022 revenue, in million euros, of",
        )
        # `recorded_at` is for replaying what was recorded elsewhere; leave it out and it is now.
        first = await memory.assert_fact(
            "Northgate",
            "revenue_2022",
            88.4,
            valid_from="2022-12-31T00:00:00Z",
            recorded_at="2023-02-28T07:30:00Z",
        )
        await memory.correct_fact(
            "Northgate",
            "revenue_2022",
            81.9,
            valid_from="2022-12-31T00:00:00Z",
            by="Auditors",
            recorded_at="2023-09-11T16:20:00Z",
        )
        for known_at in ("2023-06-01T00:00:00Z", None):
            [fact] = await memory.at(known_at=known_at).facts("Northgate", "revenue_2022")
            print(f"known at {known_at or 'the latest'}: {fact.statement}")
        told = await memory.explain(first.fact_ids[0])
        print(f"{told.versions[0].statement}: replaced by {told.replaced_by[0].statement}")


asyncio.run(main())
