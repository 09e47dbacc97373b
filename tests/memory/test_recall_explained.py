"""Why a recall served what it served."""

from __future__ import annotations

from hashlib import sha256

import pytest

from memory_provider import Entity, Memory
from memory_provider.memory.recall.explanation import RecallCandidate
from memory_provider.memory.recall.recalling import Recall
from memory_provider.memory.records.context_records import NewContextRecord
from memory_provider.temporal.errors import InvalidInput

JAN, FEB, APR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 4, 6))
QUESTION = "where does Alice live, and where did she move?"


@pytest.fixture
async def told(memory: Memory) -> Memory:
    await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    heard = await memory.add_episode(
        "Alice: we moved to Lyon last spring!", occurred_at=APR, speaker="Alice", session="s1"
    )
    await memory.add_episode(
        "Bob: then you live by the river now, where the old mill stands and the market is held on Sundays?",
        occurred_at=APR,
        speaker="Bob",
        session="s1",
    )
    await memory.assert_fact("Alice", "lives_in", Entity("Paris"), valid_from=JAN)
    await memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from=APR, episode=heard.episode_id)
    await memory.assert_fact("Carol", "lives_in", Entity("Rome"), valid_from=JAN)
    return memory


def candidates(found: Recall) -> tuple[RecallCandidate, ...]:
    assert found.explanation is not None
    return found.explanation.candidates


def of(found: Recall, outcome: str) -> list[RecallCandidate]:
    return [each for each in candidates(found) if each.outcome == outcome]


async def test_nothing_is_explained_unasked(told: Memory) -> None:
    assert (await told.at(as_of=JUN).recall(QUESTION)).explanation is None


@pytest.mark.parametrize(("max_tokens", "max_frames"), [(800, 10), (20, 10), (800, 2), (0, 10), (800, 0)])
async def test_every_candidate_is_told_in_the_order_of_its_score(
    told: Memory, max_tokens: int, max_frames: int
) -> None:
    asked = {"max_tokens": max_tokens, "max_frames": max_frames}
    found = await told.at(as_of=JUN).recall(QUESTION, explain=True, **asked)
    plain = await told.at(as_of=JUN).recall(QUESTION, **asked)
    assert found.frames == plain.frames, "explaining changes nothing"
    ranked = [each for each in candidates(found) if each.rank is not None]
    assert [each.rank for each in ranked] == list(range(1, len(ranked) + 1))
    assert [each.score for each in ranked] == sorted((each.score or 0 for each in ranked), reverse=True)
    served = [(each.id, each.kind, each.score, each.token_cost) for each in of(found, "served")]
    assert served == [(frame.id, frame.kind, frame.score, frame.token_cost) for frame in found.frames]
    assert found.explanation is not None
    assert found.dropped_estimate == len(ranked) - len(served) + found.explanation.left_out


async def test_the_parts_add_up_to_the_score(told: Memory) -> None:
    found = await told.at(as_of=JUN).recall(QUESTION, anchors=["Bob"], explain=True)
    ranked = [each for each in candidates(found) if each.parts is not None]
    for each in ranked:
        assert each.parts is not None
        assert sum(each.parts) == pytest.approx(each.score, abs=5e-6), each
    fact = next(each for each in ranked if each.kind == "fact" and "facts" in each.arms)
    turn = next(each for each in ranked if each.kind == "episode" and "episodes" in each.arms)
    anchored = next(each for each in ranked if each.parts is not None and each.parts.anchor)
    assert fact.parts is not None
    assert fact.parts.text > 0
    assert fact.parts.words > 0
    assert fact.parts.names > 0
    assert turn.parts is not None
    assert turn.parts.neighbours > 0
    assert anchored.score is not None
    assert anchored.score >= 0.9


async def test_what_is_too_long_says_how_much_was_left(told: Memory) -> None:
    everything = await told.at(as_of=JUN).recall(QUESTION, explain=True)
    first = candidates(everything)[0]
    assert first.token_cost is not None
    budget = first.token_cost + 10
    found = await told.at(as_of=JUN).recall(QUESTION, max_tokens=budget, explain=True)
    left = budget
    for each in candidates(found):
        if each.rank is None:
            continue
        assert each.remaining == left
        assert each.token_cost is not None
        if each.outcome == "served":
            assert each.token_cost <= left
            left -= each.token_cost
        else:
            assert each.outcome == "over_budget"
            assert each.token_cost > left
    assert of(found, "over_budget")


async def test_what_comes_after_the_last_frame_says_so(told: Memory) -> None:
    found = await told.at(as_of=JUN).recall(QUESTION, max_frames=1, explain=True)
    assert len(of(found, "served")) == 1
    assert of(found, "over_max_frames")
    assert not of(found, "over_budget")


async def test_what_no_longer_holds_says_so(told: Memory) -> None:
    past = await told.at(as_of=FEB).facts("Alice", "lives_in")
    found = await told.at(as_of=JUN).recall(QUESTION, explain=True)
    assert [(each.id, each.rank, each.score) for each in of(found, "not_valid")] == [(past[0].id, None, None)]
    assert past[0].id not in {frame.id for frame in found.frames}


async def test_an_anchor_of_a_kind_not_asked_for_says_so(told: Memory) -> None:
    [fact] = await told.at(as_of=JUN).facts("Alice", "lives_in")
    found = await told.at(as_of=JUN).recall(QUESTION, kinds=["episode"], anchors=[fact.id], explain=True)
    assert [each.id for each in of(found, "kind_not_asked")] == [fact.id]
    heard = fact.sources[0].episode_id
    assert heard is not None
    found = await told.at(as_of=JUN).recall(QUESTION, kinds=["fact"], anchors=[heard], explain=True)
    assert [each.id for each in of(found, "kind_not_asked")] == [heard]


async def test_what_several_arms_find_is_one_candidate(told: Memory) -> None:
    [fact] = await told.at(as_of=JUN).facts("Alice", "lives_in")
    found = await told.at(as_of=JUN).recall(QUESTION, anchors=[fact.id], explain=True)
    [told_of] = [each for each in candidates(found) if each.id == fact.id]
    assert told_of.arms == ("facts", "relations", "anchored_facts")
    assert len({each.id for each in candidates(found)}) == len(candidates(found))


async def test_a_context_record_is_a_candidate_as_any_other(told: Memory) -> None:
    body = '{"record_id":"rec_1"}'
    record = NewContextRecord(
        record_id="rec_1",
        lineage_id="lin_1",
        kind="memory",
        status="active",
        observed_at=JAN,
        sharing_scope="user",
        digest="sha256:" + sha256(body.encode()).hexdigest(),
        body=body,
        statement="Alice would rather live by the sea",
        subject_scope={"user_id": "alice"},
    )
    await told.append_records([record], client="a test")
    found = await told.at(as_of=JUN).recall(QUESTION, explain=True)
    [frame] = [frame for frame in found.frames if frame.kind == "memory"]
    [candidate] = [each for each in candidates(found) if each.id == frame.id]
    assert (candidate.kind, candidate.outcome, candidate.arms) == ("memory", "served", ("records",))
    assert candidate.parts is not None
    assert candidate.parts.text > 0
    assert candidate.parts.names > 0, "it names Alice"
    anchored = await told.at(as_of=JUN).recall(QUESTION, anchors=[frame.uri], explain=True)
    assert candidates(anchored)[0].id == frame.id
    assert candidates(anchored)[0].arms == ("records", "anchored_records")


async def test_the_arms_say_how_many_each_brought(told: Memory) -> None:
    found = await told.at(as_of=JUN).recall(QUESTION, max_frames=3, explain=True)
    assert found.explanation is not None
    arms = {arm.name: arm for arm in found.explanation.arms}
    assert set(arms) == {"facts", "episodes", "entities", "relations", "records", "spoken_episodes"}
    assert arms["entities"].hits == 1
    assert arms["relations"].hits == 2  # Paris and Lyon
    for name, arm in arms.items():
        assert arm.limit is None or arm.hits <= arm.limit
        found_by_it = sum(name in each.arms for each in candidates(found))
        assert found_by_it <= arm.hits + (name == "relations"), "a graph frame comes from relations, too"


async def test_nothing_of_another_scope_is_told(store_address: str, scope: str) -> None:
    async with (
        Memory.open(store_address, scope=f"{scope}/a") as mine,
        Memory.open(store_address, scope=f"{scope}/b") as other,
    ):
        await mine.assert_fact("Alice", "likes", "tea")
        theirs = await other.assert_fact("Alice", "likes", "coffee")
        heard = await other.add_episode("Alice likes coffee", speaker="Alice")
        anchors = [*theirs.fact_ids, heard.episode_id or "", "Alice"]
        found = await mine.at().recall("what does Alice like? coffee?", anchors=anchors, explain=True)
        assert [each.kind for each in candidates(found)] == ["fact"]
        alone = await mine.at().recall("what does Alice like? coffee?", anchors=["Alice"], explain=True)
        assert candidates(found) == candidates(alone)


@pytest.mark.parametrize("explain", [None, 1, "yes"])
async def test_anything_but_a_boolean_is_refused(told: Memory, explain: object) -> None:
    with pytest.raises(InvalidInput, match="explain is True or False"):
        await told.at().recall("tea", explain=explain)  # type: ignore[arg-type]
