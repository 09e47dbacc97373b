"""Defaults, closing, warnings, refusals: what a write does and what its receipt says."""

from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

import pytest

from memory_provider import Entity, Memory
from memory_provider.memory.errors import Ambiguous, InvalidName, InvalidObject, NotFound, PredicateConflict
from memory_provider.temporal.errors import ClockRefused, InvalidInput, InvalidInstant, InvalidWindow

pytestmark = pytest.mark.anyio


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


async def timeline(memory: Memory, subject: str, predicate: str) -> list[tuple[Any, Any, Any]]:
    return [tuple(each) for each in await memory.timeline(subject, predicate)]


async def test_old_news_does_not_overrule_the_present(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    await memory.assert_fact("Alice", "city", "Lyon", valid_from="2026-04-01T00:00:00Z")
    receipt = await memory.assert_fact("Alice", "city", "Paris", valid_from="2020-01-01T00:00:00Z")
    assert receipt.closed == () and receipt.warnings == ()
    assert await timeline(memory, "Alice", "city") == [
        ("Paris", day("2020-01-01"), day("2026-04-01")),
        ("Lyon", day("2026-04-01"), None),
    ]


async def test_an_open_end_on_purpose_overrules_and_warns(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    first = await memory.assert_fact("Alice", "city", "Lyon", valid_from="2026-04-01T00:00:00Z")
    receipt = await memory.assert_fact(
        "Alice", "city", "Paris", valid_from="2020-01-01T00:00:00Z", valid_to=None
    )
    assert [each.id for each in receipt.closed] == list(first.fact_ids)
    assert receipt.closed[0].ended
    assert "began later" in receipt.warnings[0] and "Lyon" in receipt.warnings[0]


async def test_the_receipt_lists_what_was_closed(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    first = await memory.assert_fact("Alice", "city", "Paris", valid_from="2020-01-01T00:00:00Z")
    receipt = await memory.assert_fact("Alice", "city", "Lyon", valid_from="2026-04-01T00:00:00Z")
    (closed,) = receipt.closed
    assert (closed.id, closed.statement, closed.valid_to, closed.ended) == (
        first.fact_id,
        "Alice city Paris",
        None,
        False,
    )
    assert receipt.superseded_ids == (first.fact_id,)


async def test_valid_from_defaults_to_the_episode_then_to_now(memory: Memory) -> None:
    episode = await memory.add_episode("We moved to Lyon!", occurred_at="2026-05-02T18:00:00Z")
    await memory.assert_fact("Alice", "city", "Lyon", episode=episode.episode_id)
    receipt = await memory.assert_fact("Bob", "city", "Rome")
    assert (await timeline(memory, "Alice", "city"))[0][1] == day("2026-05-02T18:00:00")
    assert (await timeline(memory, "Bob", "city"))[0][1] == receipt.recorded_at


async def test_an_undeclared_predicate_closes_nothing(memory: Memory) -> None:
    await memory.assert_fact("benchmark", "tested_with", "model a", valid_from="2026-01-01T00:00:00Z")
    receipt = await memory.assert_fact(
        "benchmark", "tested_with", "model b", valid_from="2026-02-01T00:00:00Z"
    )
    assert receipt.closed == ()
    facts = await memory.at(as_of="2026-03-01T00:00:00Z").facts("benchmark", "tested_with")
    assert [(fact.object, fact.statement) for fact in facts] == [
        ("model a", "benchmark tested with model a"),
        ("model b", "benchmark tested with model b"),
    ]


async def test_recurrence_is_a_second_window(memory: Memory) -> None:
    for start, end in (("2024-01-01", "2024-03-01"), ("2024-06-01", "2024-09-01")):
        await memory.assert_fact(
            "Alice", "assigned_to", "Atlas", valid_from=f"{start}T00:00:00Z", valid_to=f"{end}T00:00:00Z"
        )
    assert len(await timeline(memory, "Alice", "assigned_to")) == 2


async def test_saying_again_corroborates(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "skill", "Go", valid_from="2024-01-01T00:00:00Z", by="Alice")
    again = await memory.assert_fact("Alice", "skill", "Go", valid_from="2025-01-01T00:00:00Z", by="Bob")
    assert again.fact_ids == first.fact_ids and again.superseded_ids == ()
    (fact,) = await memory.at().facts("Alice", "skill")
    assert [source.by for source in fact.sources] == ["Alice", "Bob"]
    (before,) = await memory.at(known_at=first.recorded_at).facts("Alice", "skill")
    assert [source.by for source in before.sources] == ["Alice"]
    assert len(await memory.history("Alice", "skill")) == 1


async def test_a_touching_window_makes_one_longer_fact(memory: Memory) -> None:
    first = await memory.assert_fact(
        "Alice", "skill", "Go", valid_from="2024-01-01T00:00:00Z", valid_to="2024-06-01T00:00:00Z"
    )
    second = await memory.assert_fact(
        "Alice", "skill", "Go", valid_from="2024-06-01T00:00:00Z", valid_to="2024-09-01T00:00:00Z"
    )
    assert second.fact_ids == first.fact_ids
    assert await timeline(memory, "Alice", "skill") == [("Go", day("2024-01-01"), day("2024-09-01"))]


async def test_correct_replaces_only_what_it_names(memory: Memory) -> None:
    for skill in ("Go", "Rust"):
        await memory.assert_fact("Alice", "skill", skill, valid_from="2024-01-01T00:00:00Z")
    await memory.correct_fact("Alice", "skill", "Zig", valid_from=None, replaces="Rust")
    facts = await memory.at(as_of="2025-01-01T00:00:00Z").facts("Alice", "skill")
    assert {fact.object for fact in facts} == {"Go", "Zig"}
    await memory.correct_fact("Alice", "skill", "C", valid_from=None)
    facts = await memory.at(as_of="2025-01-01T00:00:00Z").facts("Alice", "skill")
    assert {fact.object for fact in facts} == {"C"}


async def test_replacing_beside_another_value_of_one_is_refused(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    await memory.assert_fact("Alice", "city", "Lyon", valid_from="2026-01-01T00:00:00Z")
    with pytest.raises(Ambiguous):
        await memory.correct_fact("Alice", "city", "Rome", valid_from=None, replaces="Paris")
    assert [each[0] for each in await timeline(memory, "Alice", "city")] == ["Lyon"]


async def test_operations_of_one_transaction_take_effect_in_order(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    async with memory.transaction() as tx:
        episode = tx.add_episode(
            "Moved twice in one go.", occurred_at="2026-01-05T00:00:00Z", speaker="Alice"
        )
        tx.assert_fact("Alice", "city", "Paris", episode=episode)
        tx.assert_fact("Alice", "city", "Lyon", episode=episode)
        assert await memory.at().facts("Alice") == []
    assert [each[0] for each in await timeline(memory, "Alice", "city")] == ["Lyon"]
    history = await memory.history("Alice", "city")
    assert [fact.object for fact in history] == ["Lyon"]
    assert tx.receipt.episode_id == episode
    assert {fact.recorded_at for fact in history} == {tx.receipt.recorded_at}


async def test_an_exception_in_the_block_writes_nothing(memory: Memory) -> None:
    with pytest.raises(ZeroDivisionError):
        async with memory.transaction() as tx:
            tx.assert_fact("Alice", "city", "Lyon")
            raise ZeroDivisionError
    assert await memory.history("Alice") == []


async def test_one_bad_operation_refuses_the_whole_transaction(memory: Memory) -> None:
    with pytest.raises(NotFound):
        async with memory.transaction() as tx:
            tx.assert_fact("Alice", "city", "Lyon")
            tx.assert_fact("Alice", "city", "Lyon", episode="ep_nobodyknows")
    assert await memory.history("Alice") == []


async def test_recorded_time_is_strictly_increasing(memory: Memory) -> None:
    receipts = [await memory.assert_fact("Alice", "n", number) for number in range(5)]
    times = [receipt.recorded_at for receipt in receipts]
    assert times == sorted(set(times))


async def test_supplied_recorded_time_moves_forward_only(memory: Memory) -> None:
    await memory.assert_fact("Alice", "city", "Paris", recorded_at="2025-01-01T00:00:00Z")
    for bad in ("2025-01-01T00:00:00Z", "2024-12-31T00:00:00Z", "9000-01-01T00:00:00Z"):
        with pytest.raises(ClockRefused):
            await memory.assert_fact("Alice", "city", "Rome", recorded_at=bad)
    await memory.assert_fact("Alice", "city", "Lyon", recorded_at="2025-01-01T00:00:00.000001Z")
    assert len(await memory.history("Alice")) == 2


async def test_a_text_names_an_entity_where_one_is_meant(memory: Memory) -> None:
    await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    await memory.assert_fact("Alice", "lives_in", "Lyon")
    (fact,) = await memory.at().facts("Alice")
    assert fact.object == Entity("Lyon") and fact.statement == "Alice lives in Lyon"
    (same,) = await memory.at().facts(object="Lyon")
    assert same.id == fact.id
    with pytest.raises(InvalidObject, match="takes an entity, not an integer"):
        await memory.assert_fact("Alice", "lives_in", 3)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x" * 65_536,
        -(2**63),
        2**63 - 1,
        0.1,
        -0.0,
        True,
        date(1, 1, 1),
        datetime(9999, 12, 31, tzinfo=UTC),
        "a\0b",
    ],
)
async def test_objects_come_back_as_they_were(memory: Memory, value: Any) -> None:
    await memory.assert_fact("thing", "holds", value, valid_from=None)
    (fact,) = await memory.at().facts("thing")
    assert fact.object == value and type(fact.object) is type(value)


async def test_a_boolean_is_no_integer(memory: Memory) -> None:
    await memory.assert_fact("a", "flag", True)
    with pytest.raises(InvalidObject):
        await memory.assert_fact("a", "flag", 1)
    await memory.assert_fact("a", "count", 1)
    with pytest.raises(InvalidObject):
        await memory.assert_fact("a", "count", 1.0)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"valid_from": datetime(2026, 1, 1)}, InvalidInstant),  # noqa: DTZ001
        ({"valid_from": "2026-01-01T00:00:00"}, InvalidInstant),
        ({"valid_from": "2026-01-01"}, InvalidInstant),
        ({"valid_from": "2016-12-31T23:59:60Z"}, InvalidInstant),
        ({"valid_from": "2026-01-01T00:00:00.0000001Z"}, InvalidInstant),
        ({"valid_from": "2026-02-30T00:00:00Z"}, InvalidInstant),
        ({"valid_from": "2026-01-02T00:00:00Z", "valid_to": "2026-01-02T00:00:00Z"}, InvalidWindow),
        ({"valid_from": "2026-01-02T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}, InvalidWindow),
        ({"object": float("nan")}, InvalidObject),
        ({"object": float("inf")}, InvalidObject),
        ({"object": 2**63}, InvalidObject),
        ({"object": b"bytes"}, InvalidObject),
        ({"object": None}, InvalidInput),
        ({"object": "x" * 65_537}, InvalidObject),
        ({"subject": ""}, InvalidName),
        ({"subject": "é" * 513}, InvalidName),
        ({"subject": "\ud800"}, InvalidName),
        ({"predicate": "  "}, InvalidName),
        ({"confidence": 1.5}, InvalidInput),
        ({"episode": "ep_missing"}, NotFound),
        ({"idempotency_key": ""}, InvalidInput),
    ],
)
async def test_bad_input_is_refused_and_changes_nothing(
    memory: Memory, arguments: dict[str, Any], error: type[Exception]
) -> None:
    given = {"subject": "Alice", "predicate": "city", "object": "Lyon", **arguments}
    with pytest.raises(error):
        await memory.assert_fact(**given)
    assert await memory.history() == []


async def test_a_window_that_a_default_empties_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidWindow):
        await memory.assert_fact("Alice", "city", "Lyon", valid_to="2000-01-01T00:00:00Z")
    assert await memory.history() == []


async def test_many_cannot_become_one_while_facts_overlap(memory: Memory) -> None:
    for city in ("Paris", "Lyon"):
        await memory.assert_fact("Alice", "city", city, valid_from="2026-01-01T00:00:00Z")
    with pytest.raises(PredicateConflict, match=r"Lyon.*Paris|Paris.*Lyon"):
        await memory.define_predicate("city", cardinality="one")
    await memory.retract_fact("Alice", "city", "Paris", valid_from=None)
    await memory.define_predicate("city", cardinality="one")
    receipt = await memory.assert_fact("Alice", "city", "Rome", valid_from="2026-06-01T00:00:00Z")
    assert len(receipt.closed) == 1


async def test_declaring_leaves_the_clock_alone(memory: Memory) -> None:
    await memory.assert_fact("Alice", "city", "Paris", recorded_at="2025-01-01T00:00:00Z")
    await memory.define_predicate("boss", cardinality="one", object="entity")
    await memory.assert_fact("Alice", "city", "Lyon", recorded_at="2025-01-01T00:00:00.000001Z")


async def test_a_new_label_applies_to_later_writes(memory: Memory) -> None:
    await memory.assert_fact("Alice", "lives_in", Entity("Paris"), valid_from="2020-01-01T00:00:00Z")
    await memory.define_predicate("lives_in", object="entity", label="has her home in")
    await memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from="2021-01-01T00:00:00Z")
    said = [fact.statement for fact in await memory.at().facts("Alice")]
    assert sorted(said) == ["Alice has her home in Lyon", "Alice lives in Paris"]


async def test_correct_and_retract_need_a_start(memory: Memory) -> None:
    with pytest.raises(InvalidInstant, match="valid_from"):
        await memory.correct_fact("Alice", "city", "Lyon")
    with pytest.raises(InvalidInstant, match="valid_from"):
        await memory.retract_fact("Alice", "city")


@pytest.mark.parametrize("failing", [False, True])
async def test_a_transaction_that_has_ended_takes_and_writes_nothing_more(
    memory: Memory, failing: bool
) -> None:
    """Neither an operation that comes too late, nor all of them a second time, nor those of a block that failed."""
    tx = memory.transaction()
    with suppress(ZeroDivisionError):
        async with tx:
            tx.add_episode("Hello.")
            tx.assert_fact("Alice", "city", "Lyon")
            if failing:
                raise ZeroDivisionError
    before = [each.id for each in await memory.history()]
    for late in (
        lambda: tx.add_episode("Again."),
        lambda: tx.assert_fact("Alice", "city", "Paris"),
        lambda: tx.correct_fact("Alice", "city", "Paris", valid_from=None),
        lambda: tx.retract_fact("Alice", "city", valid_from=None),
    ):
        with pytest.raises(InvalidInput, match="ended"):
            late()
    with pytest.raises(InvalidInput, match="ended"):
        async with tx:
            pass
    assert [each.id for each in await memory.history()] == before
    assert len(before) == (0 if failing else 1)
    if failing:
        with pytest.raises(InvalidInput, match="wrote nothing"):
            _ = tx.receipt
