"""Recall: what may be seen, what is found, and the budget."""

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_provider import Entity, Memory
from memory_provider.temporal.errors import InvalidInput

pytestmark = pytest.mark.anyio

JAN, FEB, APR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 4, 6))


async def move(memory: Memory) -> None:
    await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    episode = await memory.add_episode(
        "We moved to Lyon last spring!", occurred_at="2026-05-02T18:00:00Z", speaker="Alice", session="s1"
    )
    await memory.assert_fact("Alice", "lives_in", Entity("Paris"), valid_from=JAN)
    await memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from=APR, episode=episode.episode_id)
    await memory.assert_fact("Bob", "lives_in", Entity("Rome"), valid_from=JAN)


async def contents(memory: Memory, question: str, **moment: str) -> list[str]:
    return [frame.content for frame in (await memory.at(**moment).recall(question)).frames]


async def test_the_same_question_at_two_instants(memory: Memory) -> None:
    await move(memory)
    assert (await contents(memory, "where does alice live?", as_of=FEB))[0] == (
        "Alice lives in Paris (from 2026-01-01 until 2026-04-01)"
    )
    later = await contents(memory, "where does alice live?", as_of=JUN)
    assert later[0] == "Alice lives in Lyon (since 2026-04-01)"
    assert not any("Paris" in each for each in later)


async def test_words_are_stemmed_and_stop_words_do_not_count(memory: Memory) -> None:
    await move(memory)
    assert "We moved to Lyon last spring!" in await contents(memory, "when did they move", as_of=JUN)
    assert await contents(memory, "what is the of and", as_of=JUN) == []


async def test_a_turn_is_found_by_the_turn_before_it(memory: Memory) -> None:
    await memory.add_episode("Where did you adopt your dog?", speaker="Bob", session="s", occurred_at=JAN)
    await memory.add_episode("At the shelter downtown.", speaker="Alice", session="s", occurred_at=JAN)
    found = await contents(memory, "dog adoption")
    assert found == ["Where did you adopt your dog?", "At the shelter downtown."]


async def test_erasing_a_turn_takes_its_words_from_the_next(memory: Memory) -> None:
    first = await memory.add_episode("Where did you adopt your dog?", speaker="Bob", session="s")
    await memory.add_episode("At the shelter downtown.", speaker="Alice", session="s")
    await memory.erase(episode=first.episode_id, reason="asked to")
    assert await contents(memory, "dog adoption") == []
    assert await contents(memory, "shelter") == ["At the shelter downtown."]


async def test_an_alias_names_the_entity(memory: Memory) -> None:
    await move(memory)
    await memory.assert_fact("Alice", "also_known_as", "Ally Cooper", valid_from=FEB, valid_to=JUN)
    inside = await contents(memory, "where is ally cooper now", as_of=APR)
    assert any("Alice lives in Lyon" in each for each in inside)
    outside = await contents(memory, "where is ally cooper now", as_of="2026-07-01T00:00:00Z")
    assert not any("Alice lives in Lyon" in each for each in outside)


async def test_nothing_from_the_future_of_either_clock(memory: Memory) -> None:
    first = await memory.add_episode("The kettle is on the shelf", occurred_at=JAN, recorded_at=JAN)
    await memory.add_episode("The kettle moved to the garage", occurred_at=APR, recorded_at=APR)
    assert await contents(memory, "kettle", as_of=FEB) == ["The kettle is on the shelf"]
    assert await contents(memory, "kettle", as_of=JUN, known_at=FEB) == ["The kettle is on the shelf"]
    assert len(await contents(memory, "kettle", as_of=JUN)) == 2
    assert first.episode_id


async def test_closed_matches_do_not_starve_the_open_one(memory: Memory) -> None:
    await memory.define_predicate("status", cardinality="one")
    async with memory.transaction() as tx:
        for number in range(300):
            tx.assert_fact(
                f"job {number}",
                "status",
                "kettle kettle kettle",
                valid_from="2020-01-01T00:00:00Z",
                valid_to="2020-02-01T00:00:00Z",
            )
        tx.assert_fact("the last job", "status", "something about one kettle and much else", valid_from=JAN)
    found = await contents(memory, "kettle", as_of=JUN)
    assert found == ["the last job status something about one kettle and much else (since 2026-01-01)"]


async def test_kinds_are_a_filter(memory: Memory) -> None:
    await move(memory)
    for kind in ("fact", "episode", "graph"):
        found = await memory.at(as_of=JUN).recall("Alice moved to Lyon", kinds=[kind], anchors=["Alice"])
        assert found.frames and {frame.kind for frame in found.frames} == {kind}
    with pytest.raises(InvalidInput, match="no kind of frame"):
        await memory.at().recall("Alice", kinds=["symbol"])


async def test_anchors_bring_their_surroundings_first(memory: Memory) -> None:
    await move(memory)
    (rome,) = await memory.at().facts("Bob")
    for anchor in ("Bob", "memory:entity/Bob", rome.id, f"memory:frame/{rome.id}"):
        first = (await memory.at(as_of=JUN).recall("Lyon", anchors=[anchor])).frames[0]
        named = [first.uri, *(relation.target_uri for relation in first.relations)]
        assert first.id == rome.id or "memory:entity/Bob" in named
    assert (
        await memory.at(as_of=JUN).recall("Lyon", anchors=["", "not a uri at all", "memory:entity/%ff"])
    ).frames


async def test_an_anchor_brings_what_its_entity_said(memory: Memory) -> None:
    for number in range(8):
        await memory.add_episode(
            f"saying {number}", speaker="Zoe", occurred_at=f"2026-01-0{number + 1}T00:00:00Z"
        )
    found = (await memory.at(as_of="2026-01-06T12:00:00Z").recall("nothing like it", anchors=["Zoe"])).frames
    assert [frame.content for frame in found] == [f"saying {number}" for number in (5, 4, 3, 2, 1)]


async def test_a_named_speaker_brings_what_was_said(memory: Memory) -> None:
    await memory.add_episode("We moved to Lyon last spring!", speaker="Alice", occurred_at=FEB)
    await memory.add_episode("I stayed in Rome.", speaker="Bob", occurred_at=FEB)
    for question in ("Alice", "what did Alice say?", "where does Alice live?"):
        assert await contents(memory, question, as_of=JUN) == ["We moved to Lyon last spring!"]
    assert await contents(memory, "Alice", as_of=JAN) == []


async def test_a_graph_frame_is_an_anchor(memory: Memory) -> None:
    await move(memory)
    graphs = (await memory.at(as_of=JUN).recall("Bob", kinds=["graph"])).frames
    (frame,) = [each for each in graphs if each.uri == "memory:entity/Bob"]
    for anchor in (frame.id, f"memory:frame/{frame.id}"):
        found = (await memory.at(as_of=JUN).recall("unrelated", anchors=[anchor])).frames
        assert frame.id in {each.id for each in found}


async def test_a_huge_question_is_answered(memory: Memory) -> None:
    await move(memory)
    question = "where did Alice move? " + "漢" * 100_000
    assert (await memory.at(as_of=JUN).recall(question, anchors=["x"] * 10_000 + ["Alice"])).frames


async def test_a_view_fixes_its_instants_at_its_first_read(memory: Memory) -> None:
    receipt = await memory.assert_fact("Alice", "city", "Paris", valid_from=JAN)
    view = memory.at()
    assert view.known_at is None
    assert len(await view.facts("Alice")) == 1
    assert view.known_at == receipt.recorded_at and view.as_of is not None
    await memory.assert_fact("Alice", "city", "Lyon", valid_from=JAN)
    assert len(await view.facts("Alice")) == 1
    assert len(await memory.at().facts("Alice")) == 2


async def test_a_writer_reads_its_own_writes_ahead_of_the_clock(memory: Memory) -> None:
    from datetime import UTC, datetime, timedelta

    ahead = datetime.now(UTC) + timedelta(seconds=50)
    await memory.assert_fact("Alice", "city", "Paris", recorded_at=ahead)
    assert len(await memory.at().facts("Alice")) == 1
    assert len((await memory.at().recall("city Paris")).frames) == 1


async def test_a_long_episode_is_served_in_chunks(memory: Memory) -> None:
    text = " ".join(f"Sentence number {n} says nothing of note." for n in range(200))
    text = text.replace("number 150 says", "number 150 mentions the kettle and says")
    receipt = await memory.add_episode(text, speaker="Alice")
    frames = (await memory.at().recall("kettle", max_tokens=5000)).frames
    (frame,) = frames
    assert frame.id.startswith(f"{receipt.episode_id}#") and frame.content in text
    assert len(frame.content.encode()) <= 2400 and "kettle" in frame.content
    assert [v.status for v in await memory.verify(frames)] == ["valid"]


async def test_the_budget_is_a_hard_contract(memory: Memory) -> None:
    async with memory.transaction() as tx:
        for number in range(30):
            tx.add_episode(f"kettle story {number} " + "very long " * number, speaker="Alice")
    for max_tokens in (0, 1, 5, 17, 50, 200, 10_000):
        for max_frames in (0, 1, 3, 100):
            found = await memory.at().recall("kettle", max_tokens=max_tokens, max_frames=max_frames)
            assert sum(frame.token_cost for frame in found.frames) <= max_tokens
            assert len(found.frames) <= max_frames
            assert all(frame.token_cost == -(-len(frame.content.encode()) // 4) for frame in found.frames)
            assert found.truncated == (len(found.frames) < 30)
            assert found.dropped_estimate == 30 - len(found.frames)
    for bad in ({"max_tokens": -1}, {"max_frames": 1.5}, {"max_tokens": True}):
        with pytest.raises(InvalidInput):
            await memory.at().recall("kettle", **bad)  # type: ignore[arg-type]


NASTY = st.text(st.sampled_from(string.punctuation + "abkettle \0\n\t'\"*:()^~-é漢😀"), max_size=40)


async def test_user_text_is_never_query_syntax(memory: Memory) -> None:
    await memory.add_episode(
        'kettle" OR scope:* AND NEAR(a b) -- {x}: [1 TO 9] ^0 \\', speaker="O'Brien: (x)"
    )
    for question in (
        'kettle"',
        "kettle*",
        "NOT kettle",
        "kettle AND",
        "(kettle",
        "scope:kettle",
        "-kettle",
        "kettle^9 ~1",
        "{kettle}:x",
        "kettle\0\\",
        "NEAR(kettle)",
        "o'brien kettle",
    ):
        assert len(await contents(memory, question)) == 1, question
    for question in ("", " ", "\0", "***", "😀", "AND OR NOT", '"""'):
        await contents(memory, question)


@given(NASTY, NASTY)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_any_text_can_be_kept_and_asked(text: str, question: str) -> None:
    import anyio

    async def main() -> None:
        async with Memory.open("memory:") as memory:
            if text.strip():
                await memory.add_episode(text)
                await memory.assert_fact(text, "says", text)
            await memory.at().recall(question, anchors=[question])
            await memory.at().recall(text)

    anyio.run(main)


async def test_scripts_without_spaces_are_found(memory: Memory) -> None:
    await memory.add_episode("昨日、京都に引っ越しました。")
    await memory.add_episode("Мы переехали в Москву")
    assert await contents(memory, "京都はどうですか") == ["昨日、京都に引っ越しました。"]
    assert await contents(memory, "москву") == ["Мы переехали в Москву"]
    await memory.add_episode("Nous avons déménagé à Besançon")
    assert await contents(memory, "besancon") == ["Nous avons déménagé à Besançon"]


async def test_nothing_crosses_a_scope(memory: Memory) -> None:
    await move(memory)
    other = Memory(memory.store, memory.scope + "/other")
    (fact,) = await memory.at().facts("Bob")
    frames = (await memory.at(as_of=JUN).recall("Alice Lyon")).frames
    anchors = ["Alice", "memory:entity/Alice", fact.id, *(frame.id for frame in frames)]
    assert (await other.at(as_of=JUN).recall("Alice Lyon moved", anchors=anchors)).frames == []
    assert (await other.at().graph("Alice")).relations == []
    assert await other.at().facts() == [] and await other.history() == [] and await other.changes() == []
    assert await other.timeline("Alice", "lives_in") == []
