"""The statements of every read use the indexes made for them; history does not stand in the way of the present."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from memory_provider.store.conformance.rows import (
    LATEST,
    ending,
    entity,
    fact,
    probe,
    put,
    record,
    second,
    text,
    view,
)
from memory_provider.store.contract import Moment, Needs, Pattern, Selection, Slice
from memory_provider.store.records import Key
from memory_provider.store.sqlite import (
    carrying,
    erasable,
    histories,
    holding,
    reading,
    walking,
    writing,
)
from memory_provider.store.sqlite.candidates import candidates
from memory_provider.store.sqlite.inserting import scope_row
from memory_provider.store.sqlite.store import SqliteStore

PAST = view(None, second(1))


class Explaining:
    """A connection that notes how SQLite would run each statement."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.plans: dict[str, list[str]] = {}

    def execute(self, statement: str, arguments: Any = ()) -> sqlite3.Cursor:
        plan = self._connection.execute(f"EXPLAIN QUERY PLAN {statement}", arguments)
        self.plans[statement] = [row[3] for row in plan]
        return self._connection.execute(statement, arguments)

    def executemany(self, statement: str, rows: Any) -> sqlite3.Cursor:
        return self._connection.executemany(statement, rows)


async def explained(store: SqliteStore, work: Callable[[Any], object]) -> dict[str, list[str]]:
    """How each statement of some work is run, in a database that has no statistics of its own."""

    def run(connection: sqlite3.Connection) -> dict[str, list[str]]:
        explaining = Explaining(connection)
        work(explaining)
        return explaining.plans

    return await store._connections.read(run)


@pytest.fixture
async def filled(store: SqliteStore) -> SqliteStore:
    rows = [fact(f"Ann {i}", "knows", entity(f"Bea {i}"), second(1), alias=f"a{i}") for i in range(20)]
    await put(store, "s", second(1), *rows)
    new = [fact(f"Ann {i}", "knows", entity("Cid"), second(2)) for i in range(10)]
    await put(store, "s", second(2), *new, superseded=[ending(each) for each in rows[:10]])
    said = [record(f"ann knows {i}", second(3), lineage=f"lin {i}", position=i) for i in range(20)]
    await put(store, "s", second(3), records=said)
    later = [record(f"ann knew {i}", second(4), lineage=f"lin {i}", position=i) for i in range(10)]
    await put(store, "s", second(4), records=later, superseded_records=[each.record.id for each in said[:10]])
    return store


def narrow(plans: dict[str, list[str]]) -> None:
    """Every table is searched by more than its scope."""
    for statement, plan in plans.items():
        for step in plan:
            scans = step.startswith("SCAN") and "VIRTUAL TABLE" not in step and "json_each" not in step
            inner = step.startswith(("SCAN w", "SCAN r", "SCAN (")) or "subquery" in step
            assert inner or not scans, (statement, plan)
            assert not step.endswith("(scope=?)"), (statement, plan)
            assert "AUTOMATIC" not in step, (statement, plan)


@pytest.mark.parametrize("moment", [LATEST, PAST], ids=["now", "past"])
@pytest.mark.parametrize(
    "pattern",
    [
        Pattern("Ann 1"),
        Pattern("Ann 1", "knows"),
        Pattern("Ann 1", "knows", entity("Cid")),
        Pattern(object=entity("Cid")),
        Pattern(None, "knows", entity("Cid")),
        Pattern(object=text("Cid")),
    ],
)
@pytest.mark.parametrize("after", [None, ("Ann 1", "knows", 0, "entity", "B", "")])
async def test_facts(filled: SqliteStore, moment: Moment, pattern: Pattern, after: Any) -> None:
    plans = await explained(filled, lambda c: reading.facts(c, "s", moment, pattern, Slice(5, after)))
    narrow(plans)


async def test_the_present_uses_the_index_of_what_stands(filled: SqliteStore) -> None:
    plans = await explained(
        filled, lambda c: reading.facts(c, "s", LATEST, Pattern("Ann 1", "knows"), Slice(5))
    )
    (plan,) = [plan for statement, plan in plans.items() if "FROM facts" in statement]
    assert (
        plan[0]
        == "SEARCH f USING INDEX facts_standing (scope=? AND subject=? AND predicate=? AND valid_to>?)"
    )
    plans = await explained(
        filled, lambda c: reading.facts(c, "s", PAST, Pattern("Ann 1", "knows"), Slice(5))
    )
    (plan,) = [plan for statement, plan in plans.items() if "FROM facts" in statement]
    assert any("facts_standing" in step for step in plan)
    assert any(
        "facts_ended (scope=? AND subject=? AND predicate=? AND superseded_at>?" in step for step in plan
    )


async def test_a_whole_scope_is_read_in_the_order_of_its_index(filled: SqliteStore) -> None:
    plans = await explained(filled, lambda c: reading.facts(c, "s", LATEST, Pattern(), Slice(5)))
    (plan,) = [plan for statement, plan in plans.items() if "FROM facts" in statement]
    assert plan == [
        "SEARCH f USING INDEX facts_standing (scope=?)",
        "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
    ]


@pytest.mark.parametrize("moment", [LATEST, PAST], ids=["now", "past"])
async def test_the_other_reads(filled: SqliteStore, moment: Moment) -> None:
    ids = ["fact_1", "ep_1", "ent_1"]
    names = ["ann 1", "a1"]
    records = {"records": 10, "frames": ("fact", "memory"), "lineages": ["lin 1"]}
    asked = probe("ann", "knows", names=names, entities=["Ann 1", "Cid"], ids=ids, **records)
    narrow(await explained(filled, lambda c: candidates(c, "s", moment, asked)))
    narrow(await explained(filled, lambda c: walking.neighbourhood(c, "s", moment, "Ann 1", 3, 50)))
    narrow(await explained(filled, lambda c: reading.standing(c, "s", moment, Key("Ann 1", "knows"))))
    narrow(await explained(filled, lambda c: holding.records(c, "s", moment, ids, ids)))
    held = await explained(filled, lambda c: holding.held(c, "s", moment, ids, ids, ids, ids))
    narrow({statement: plan for statement, plan in held.items() if "FROM predicates" not in statement})


async def test_histories_and_plans(filled: SqliteStore) -> None:
    for pattern in (Pattern("Ann 1"), Pattern("Ann 1", "knows"), Pattern(object=entity("Cid"))):
        for page in (Slice(5), Slice(5, (second(1), 0, "x"))):
            narrow(await explained(filled, lambda c, p=pattern, s=page: histories.history(c, "s", p, s)))
    narrow(await explained(filled, lambda c: histories.changes(c, "s", second(0), second(3), Slice(5))))
    narrow(await explained(filled, lambda c: histories.lineage(c, "s", "fact_1")))
    needs = Needs(
        [Key("Ann 1", "knows")], ["knows"], ["Ann 1"], ["ep_1"], ["s1"], ["key"], (), (), ["rec_1"], ["lin_1"]
    )
    narrow(await explained(filled, lambda c: writing.load(c, scope_row(c, "s"), needs)))
    for selection in (
        Selection("Ann 1"),
        Selection(object=entity("Cid")),
        Selection(episode="ep_1"),
        Selection(record="rec_1"),
    ):
        narrow(await explained(filled, lambda c, s=selection: erasable.erasable(c, scope_row(c, "s"), s)))


async def test_a_dump_streams(filled: SqliteStore) -> None:
    plans: dict[str, list[str]] = {}

    def run(connection: sqlite3.Connection) -> None:
        explaining = Explaining(connection)
        connection.execute("ROLLBACK")
        for _ in carrying.dumped(explaining, "s", 5):  # type: ignore[arg-type]
            pass
        plans.update(explaining.plans)

    await filled._connections.read(run)
    whole = [step for plan in plans.values() for step in plan if step == "USE TEMP B-TREE FOR ORDER BY"]
    assert not whole, plans
