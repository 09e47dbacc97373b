"""Ids of lines and what verify says of them."""

import pytest

from memory_provider import Entity, Memory

pytestmark = pytest.mark.anyio

JAN, FEB, MAR, APR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 3, 4, 6))


async def test_a_closed_fact_is_stale_with_its_new_digest(memory: Memory) -> None:
    await memory.define_predicate("city", cardinality="one")
    await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN)
    (held,) = (await memory.at(as_of=FEB).recall("city of Alice", kinds=["fact"])).frames
    assert [v.status for v in await memory.verify([held])] == ["valid"]
    await memory.assert_fact("Alice", "city", "Lyon", valid_from=APR)
    (verdict,) = await memory.verify([held])
    (now,) = await memory.at(as_of=FEB).facts("Alice")
    assert (verdict.status, verdict.replacement_digest) == ("stale", now.digest)
    assert now.id == held.id and now.content == "Alice city Paris (from 2026-01-01 until 2026-04-01)"


async def test_verify_at_an_earlier_knowledge(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN)
    (held,) = await memory.at().facts("Alice")
    await memory.retract_fact("Alice", "city", valid_from=None)
    assert [v.status for v in await memory.verify([held])] == ["gone"]
    assert [v.status for v in await memory.verify([held], known_at=first.recorded_at)] == ["valid"]
    assert [v.status for v in await memory.verify([held], known_at="2000-01-01T00:00:00Z")] == ["unknown"]


async def test_a_cut_keeps_the_id_on_the_left(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "skill", "Go", valid_from=JAN)
    await memory.retract_fact("Alice", "skill", "Go", valid_from=FEB, valid_to=MAR)
    left, right = (await memory.history("Alice", "skill"))[-2:]
    assert left.id == first.fact_id != right.id
    assert (left.valid_to.month, right.valid_from.month) == (2, 3)  # type: ignore[union-attr]


async def test_a_cut_at_the_front_keeps_the_id(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "skill", "Go", valid_from=JAN)
    await memory.retract_fact("Alice", "skill", "Go", valid_from=None, valid_to=MAR)
    (fact,) = await memory.at(as_of=JUN).facts("Alice")
    assert fact.id == first.fact_id


async def test_an_absorbed_line_is_stale_without_a_digest(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "skill", "Go", valid_from=JAN, valid_to=FEB)
    second = await memory.assert_fact("Alice", "skill", "Go", valid_from=MAR, valid_to=APR)
    (early,) = await memory.at(as_of=JAN).facts("Alice")
    (late,) = await memory.at(as_of=MAR).facts("Alice")
    merged = await memory.assert_fact("Alice", "skill", "Go", valid_from=FEB, valid_to=MAR)
    assert merged.fact_ids == first.fact_ids and second.fact_id in merged.superseded_ids
    verdicts = await memory.verify([early, late])
    assert [v.status for v in verdicts] == ["stale", "stale"]
    assert verdicts[0].replacement_digest and verdicts[1].replacement_digest is None
    await memory.retract_fact("Alice", "skill", valid_from=None)
    assert [v.status for v in await memory.verify([early, late])] == ["gone", "gone"]


async def test_ids_follow_the_net_effect(memory: Memory) -> None:
    first = await memory.assert_fact("Alice", "skill", "Go", valid_from=JAN)
    (held,) = await memory.at().facts("Alice")
    async with memory.transaction() as tx:
        tx.retract_fact("Alice", "skill", valid_from=None)
        tx.assert_fact("Alice", "skill", "Go", valid_from=JAN, by="Bob")
    (fact,) = await memory.at().facts("Alice")
    assert fact.id == first.fact_id and len(await memory.history("Alice")) == 1
    assert [source.by for source in fact.sources] == ["Bob"]
    assert [v.status for v in await memory.verify([held])] == ["valid"]


async def test_erased_is_gone_and_foreign_is_unknown(memory: Memory) -> None:
    await memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from=JAN)
    episode = await memory.add_episode("Alice lives in Lyon", speaker="Alice")
    frames = (await memory.at().recall("Alice lives in Lyon")).frames
    assert sorted(frame.kind for frame in frames) == ["episode", "fact", "graph", "graph"]
    assert {v.status for v in await memory.verify(frames)} == {"valid"}
    other = Memory(memory.store, memory.scope + "/other")
    assert {v.status for v in await other.verify(frames)} == {"unknown"}
    await memory.erase(entity="Alice", reason="asked to")
    assert episode.episode_id not in [c.id for c in await memory.changes() if c.kind == "episode"]
    status = {frame.kind: v.status for frame, v in zip(frames, await memory.verify(frames), strict=True)}
    assert status["fact"] == status["episode"] == "gone"


async def test_a_graph_frame_goes_stale_when_its_neighbourhood_changes(memory: Memory) -> None:
    await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    await memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from=JAN)
    frames = (await memory.at(as_of=FEB).recall("Alice", kinds=["graph"])).frames
    (frame,) = [each for each in frames if each.title.endswith("Alice")]
    assert frame.content == "Relations of Alice (since 2026-01-01):\nAlice lives in Lyon"
    await memory.assert_fact("Bob", "knows", Entity("Carol"), valid_from=JAN)
    assert [v.status for v in await memory.verify([frame])] == ["valid"]
    await memory.assert_fact("Alice", "works_at", Entity("Acme"), valid_from=APR)
    (verdict,) = await memory.verify([frame])
    assert verdict.status == "stale" and verdict.replacement_digest
    await memory.retract_fact("Alice", "works_at", valid_from=None)
    assert [v.status for v in await memory.verify([frame])] == ["valid"]
    await memory.retract_fact("Alice", "lives_in", valid_from=None)
    assert [v.status for v in await memory.verify([frame])] == ["gone"]


async def test_ids_nobody_issued_are_unknown(memory: Memory) -> None:
    digest = "sha256:" + "0" * 64
    ids = [
        "",
        "fact_x",
        "ep_x",
        "ep_x#1",
        "ep_x#",
        "graph:ent_x:all:0",
        "graph:",
        "graph:a:b",
        "mem:42",
        "fact_x\0",
        "é",
    ]
    assert [v.status for v in await memory.verify([(each, digest) for each in ids])] == ["unknown"] * len(ids)
    assert await memory.verify([]) == []


async def test_without_a_digest_there_is_nothing_to_compare(memory: Memory) -> None:
    receipt = await memory.assert_fact("Alice", "city", "Paris")
    assert [v.status for v in await memory.verify([(receipt.fact_id or "", None)])] == ["unknown"]
