"""Graph, timeline, history, changes, explain, and pages."""

from typing import Any

import pytest

from memory_provider import Entity, Memory
from memory_provider.memory.errors import NotFound
from memory_provider.memory.facts import Page
from memory_provider.temporal.errors import InvalidInput

pytestmark = pytest.mark.anyio

JAN, FEB, MAR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 3, 6))


async def test_a_walk_follows_relations_valid_in_the_view(memory: Memory) -> None:
    for subject, other in (("Alice", "Bob"), ("Bob", "Carol"), ("Carol", "Dan"), ("Eve", "Alice")):
        await memory.assert_fact(subject, "knows", Entity(other), valid_from=JAN)
    await memory.retract_fact("Bob", "knows", valid_from=MAR)
    near = await memory.at(as_of=FEB).graph("Alice", depth=1)
    assert set(near.entities) == {"Alice", "Bob", "Eve"} and near.entities[0] == "Alice"
    two = await memory.at(as_of=FEB).graph("Alice", depth=2)
    assert set(two.entities) == {"Alice", "Bob", "Eve", "Carol"}
    assert sorted((fact.subject, str(fact.object)) for fact in two.relations) == [
        ("Alice", "Bob"),
        ("Bob", "Carol"),
        ("Eve", "Alice"),
    ]
    later = await memory.at(as_of=JUN).graph("Alice", depth=3)
    assert set(later.entities) == {"Alice", "Bob", "Eve"}
    assert (await memory.at().graph("nobody")).relations == []
    cut = await memory.at(as_of=FEB).graph("Alice", depth=3, limit=2)
    assert cut.truncated and len(cut.relations) == 2
    for depth in (0, 6, True, 1.5):
        with pytest.raises(InvalidInput):
            await memory.at().graph("Alice", depth)  # type: ignore[arg-type]


async def test_history_shows_every_version_with_both_clocks(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    first = await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN, by="Alice")
    second = await memory.correct_fact("Alice", "city", "Rome", valid_from=FEB, by="Bob")
    rows = [
        (fact.object, fact.recorded_at, fact.superseded_at, fact.cause, fact.ended_by)
        for fact in await memory.history("Alice", "city")
    ]
    assert rows == [
        ("Paris", first.recorded_at, second.recorded_at, "assert", "correct"),
        ("Paris", second.recorded_at, None, "correct", None),
        ("Rome", second.recorded_at, None, "correct", None),
    ]


async def all_pages(read: Any) -> list[Any]:
    found: list[Any] = []
    page: Page[Any] = await read(None)
    while True:
        found.extend(page)
        if page.cursor is None:
            return found
        page = await read(page.cursor)


async def test_pages_hold_everything_once(memory: Memory) -> None:
    async with memory.transaction() as tx:
        for number in range(25):
            tx.assert_fact(f"s{number % 5}", "holds", number - 12, valid_from=JAN)
    view = memory.at(as_of=FEB)
    whole = await view.facts()
    paged = await all_pages(lambda after: view.facts(limit=4, after=after))
    assert len(whole) == 25 and whole.cursor is None
    assert [fact.id for fact in paged] == [fact.id for fact in whole]
    history = await all_pages(lambda after: memory.history(limit=7, after=after))
    assert sorted(fact.id for fact in history) == sorted(fact.id for fact in whole)
    for bad in ("", "x", "W10", "bnVsbA=="):
        with pytest.raises(InvalidInput, match="cursor"):
            await view.facts(after=bad or "?")


async def test_changes_tell_what_each_transaction_did(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    await memory.add_episode("hello", recorded_at="2025-01-01T00:00:00Z", speaker="Alice")
    await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN, recorded_at="2025-01-02T00:00:00Z")
    await memory.assert_fact("Alice", "city", "Lyon", valid_from=FEB, recorded_at="2025-01-03T00:00:00Z")
    await memory.correct_fact("Alice", "city", "Rome", valid_from=FEB, recorded_at="2025-01-04T00:00:00Z")
    await memory.retract_fact("Alice", "city", valid_from=MAR, recorded_at="2025-01-05T00:00:00Z")
    await memory.erase(subject="Alice", object="Lyon", reason="asked to", recorded_at="2025-01-06T00:00:00Z")
    told = [(change.recorded_at.day, change.kind) for change in await memory.changes()]
    assert told == [
        (1, "episode"),
        (2, "learned"),
        (3, "closed"),
        (3, "learned"),
        (4, "corrected"),
        (5, "retracted"),
        (6, "erased"),
    ] or told == [
        (1, "episode"),
        (2, "learned"),
        (3, "closed"),
        (4, "corrected"),
        (5, "retracted"),
        (6, "erased"),
    ]
    some = await memory.changes(since="2025-01-02T00:00:00Z", until="2025-01-04T00:00:00Z")
    assert {change.recorded_at.day for change in some} == {3, 4}
    paged = await all_pages(lambda after: memory.changes(limit=1, after=after))
    assert [(change.id, change.kind) for change in paged] == [
        (change.id, change.kind) for change in await memory.changes()
    ]


async def test_explain_tells_the_story_of_a_fact(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    episode = await memory.add_episode("I moved to Lyon", speaker="Alice", occurred_at=FEB)
    paris = await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN)
    lyon = await memory.assert_fact(
        "Alice", "city", "Lyon", episode=episode.episode_id, by="Alice", confidence=0.9
    )
    rome = await memory.correct_fact("Alice", "city", "Rome", valid_from=MAR)
    story = await memory.explain(lyon.fact_id or "")
    assert [fact.object for fact in story.versions] == ["Lyon", "Lyon"]
    assert [(s.by, s.confidence) for s in story.versions[0].sources] == [("Alice", 0.9)]
    assert [each.text for each in story.episodes] == ["I moved to Lyon"]
    assert [fact.id for fact in story.replaced] == [paris.fact_id]
    assert [fact.id for fact in story.replaced_by] == [rome.fact_id]
    told = await memory.explain(episode.episode_id or "")
    assert told.kind == "episode" and told.episodes[0].speaker == "Alice"
    for unknown in ("fact_x", "ep_x", "nonsense", "graph:ent_x:all:0"):
        with pytest.raises(NotFound):
            await memory.explain(unknown)


async def test_explain_shows_the_facts_of_a_graph_frame(memory: Memory) -> None:
    receipt = await memory.assert_fact("Alice", "knows", Entity("Bob"), valid_from=JAN)
    frame = (await memory.at().recall("Alice", kinds=["graph"])).frames[0]
    story = await memory.explain(frame)
    assert [fact.id for fact in story.versions] == [receipt.fact_id]


async def test_a_large_neighbourhood_is_served_in_parts(memory: Memory) -> None:
    async with memory.transaction() as tx:
        for number in range(120):
            tx.assert_fact("Hub", "knows", Entity(f"person {number}"), valid_from=JAN)
        for number in range(10):
            tx.assert_fact("Hub", "owns", Entity(f"thing {number}"), valid_from=JAN)
    read = memory.at(as_of=FEB)
    before = (await read.recall("Hub", kinds=["graph"], max_frames=100, max_tokens=100_000)).frames
    parts = [frame for frame in before if frame.title.endswith(" Hub")]
    lines = [line for frame in parts for line in frame.content.split("\n")[1:]]
    assert len(lines) == 130 == len(set(lines)) and len(parts) >= 4
    await memory.assert_fact("Hub", "knows", Entity("a newcomer"), valid_from=JAN)
    statuses = [verdict.status for verdict in await memory.verify(parts)]
    assert statuses.count("stale") == 1 and statuses.count("valid") == len(parts) - 1
