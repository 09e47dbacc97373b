"""Frames that carry less than their content: budgets, digests, what they lead to, and what becomes of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_provider import Entity, Memory
from memory_provider.errors import ContentMismatch, InvalidInput, ReferenceExpired, ReferenceNotFound
from memory_provider.memory.evidence import verifying
from memory_provider.memory.evidence.frames import Frame, Representation
from memory_provider.memory.records.context_records import NewContextRecord
from memory_provider.memory.text.extracting import AFTER, BEFORE, SIZES, Extracts
from memory_provider.store.records import Episode

pytestmark = pytest.mark.anyio

JAN, FEB, APR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 4, 6))
ALL: tuple[Representation, ...] = get_args(Representation)
HOURS = "The wind was from the west. Nothing was seen by the watch. "


def log(ship: str, found: str) -> str:
    """A page of a log: one sentence in it says something."""
    return f"Log of the {ship}. {HOURS * 15}At noon the {ship} found {found}. {HOURS * 15}".strip()


SHIPS = {"Tern": "a floating anchor", "Gull": "a crate of anchor chain", "Knot": "an anchor of bronze"}


async def write_logs(memory: Memory) -> dict[str, str]:
    """Three long episodes, each one chunk; their ids by ship."""
    ids = {}
    for ship, found in SHIPS.items():
        receipt = await memory.add_episode(log(ship, found), occurred_at=FEB, source=f"the {ship}")
        assert receipt.episode_id
        ids[ship] = receipt.episode_id
    return ids


def assert_honest(frame: Frame) -> None:
    """A frame says what its digest and its cost are of, and what it stands for."""
    content = frame.content.encode()
    of_content = f"sha256:{sha256(content).hexdigest()}"
    assert frame.token_cost == -(-len(content) // 4)
    if frame.representation == "full":
        assert frame.canonical is None
        assert frame.digest == of_content
        return
    assert frame.canonical is not None
    assert frame.canonical.uri.startswith("memory:content/")
    if frame.representation == "reference":
        assert (frame.content, frame.digest) == ("", frame.canonical.digest)
    else:
        assert frame.digest == of_content != frame.canonical.digest


async def test_more_evidence_fits_when_extracts_are_taken(memory: Memory) -> None:
    await write_logs(memory)
    view = memory.at(as_of=JUN)
    budget = 550
    full = await view.recall("who found an anchor?", max_tokens=budget)
    assert [frame.representation for frame in full.frames] == ["full"]
    assert full.dropped_estimate == 2
    found = await view.recall("who found an anchor?", max_tokens=budget, representations=["compact", "full"])
    assert [frame.representation for frame in found.frames] == ["compact"] * 3
    both = await view.recall("who found an anchor?", max_tokens=budget, representations=["full", "compact"])
    assert [frame.representation for frame in both.frames] == ["full", "compact"]
    small = await view.recall(
        "who found an anchor?", max_tokens=budget // 2, representations=["full", "compact"]
    )
    assert not (await view.recall("who found an anchor?", max_tokens=budget // 2)).frames
    assert [frame.token_cost <= 150 for frame in small.frames] == [True, True]
    for recall in (full, found, both, small):
        assert sum(frame.token_cost for frame in recall.frames) <= budget
        assert recall.truncated == (len(recall.frames) < 3)
        for frame in recall.frames:
            assert_honest(frame)
            assert "anchor" in frame.content, "the sentence that answers is in the extract"


async def test_everything_fits_in_references(memory: Memory) -> None:
    await write_logs(memory)
    view = memory.at(as_of=JUN)
    found = await view.recall("anchor", max_tokens=0, representations=["reference"])
    assert [frame.representation for frame in found.frames] == ["reference"] * 3
    assert not found.truncated
    assert len((await view.recall("anchor", max_frames=2, representations=["reference"])).frames) == 2
    mixed = await view.recall("anchor", max_tokens=550, representations=["full", "compact", "reference"])
    assert [frame.representation for frame in mixed.frames] == ["full", "compact", "reference"]
    for frame in (*found.frames, *mixed.frames):
        assert_honest(frame)


async def test_an_extract_is_of_whole_sentences(memory: Memory) -> None:
    ids = await write_logs(memory)
    found = await memory.at(as_of=JUN).recall("bronze", representations=["compact"])
    frame = next(frame for frame in found.frames if frame.id == ids["Knot"])
    assert "At noon the Knot found an anchor of bronze." in frame.content
    said = frame.content.removeprefix(BEFORE).removesuffix(AFTER)
    assert said != frame.content
    assert said in log("Knot", SHIPS["Knot"])
    assert said.endswith(".")
    assert said[0].isupper()


async def test_what_is_short_or_no_episode_is_served_whole(memory: Memory) -> None:
    await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    await memory.assert_fact("Ada", "lives_in", Entity("Lyon"), valid_from=JAN)
    await memory.add_episode("Ada: I like it here.", speaker="Ada", occurred_at=FEB)
    found = await memory.at(as_of=JUN).recall("Ada", representations=["compact"])
    assert {frame.kind for frame in found.frames} == {"fact", "episode", "graph"}
    assert {frame.representation for frame in found.frames} == {"full"}


async def test_two_questions_may_take_two_extracts_and_both_stand(memory: Memory) -> None:
    ids = await write_logs(memory)
    view = memory.at(as_of=JUN)
    one = (await view.recall("Tern anchor", max_frames=1, representations=["compact"])).frames[0]
    other = (
        await view.recall("wind", max_tokens=160, anchors=[ids["Tern"]], representations=["compact"])
    ).frames[0]
    assert one.id == other.id == ids["Tern"]
    assert one.content != other.content
    assert one.digest != other.digest
    assert [each.status for each in await memory.verify([one, other])] == ["valid", "valid"]


async def test_what_a_host_may_hold_of_an_episode(memory: Memory) -> None:
    ids = await write_logs(memory)
    view = memory.at(as_of=JUN)
    reference = (await view.recall("Gull", max_frames=1, representations=["reference"])).frames[0]
    compact = (await view.recall("Gull", max_frames=1, representations=["compact"])).frames[0]
    content = await memory.resolve(compact)
    assert (content.content, content.frame_id) == (log("Gull", SHIPS["Gull"]), ids["Gull"])
    made_up = f"sha256:{sha256(b'an extract of nothing').hexdigest()}"
    held: list[Any] = [
        reference,
        compact,
        (compact.id, content.digest),
        (compact.id, made_up),
        (compact.id, compact.digest + "x"),
        (compact.id, None),
        (ids["Tern"], compact.digest),
        ("ep_never", compact.digest),
    ]
    verdicts = await memory.verify(held)
    assert [each.status for each in verdicts] == [
        *["valid"] * 3,
        *["stale"] * 2,
        "unknown",
        "stale",
        "unknown",
    ]
    assert verdicts[3].replacement_digest == verdicts[4].replacement_digest == content.digest
    await memory.erase(episode=ids["Gull"], reason="asked to")
    assert {each.status for each in await memory.verify(held[:5])} == {"gone"}
    for frame in (reference, compact):
        with pytest.raises(ReferenceExpired, match="no longer stands"):
            await memory.resolve(frame)


async def test_no_other_bytes_are_given_out(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the store says of a digest, the content itself is held to it."""
    await write_logs(memory)
    frame = (await memory.at(as_of=JUN).recall("anchor", max_frames=1, representations=["compact"])).frames[0]
    monkeypatch.setattr(Episode, "text_of", lambda episode, chunk: f"{episode.text} ")
    with pytest.raises(ContentMismatch):
        await memory.resolve(frame)


async def test_any_number_of_extracts_is_verified(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "EPISODES", 1)
    ids = await write_logs(memory)
    found = await memory.at(as_of=JUN).recall("anchor", max_tokens=2**31, representations=["compact"])
    assert {frame.id for frame in found.frames} == set(ids.values())
    held = [(frame.id, digest) for frame in found.frames for digest in (frame.digest, digest_of("else"))]
    assert [each.status for each in await memory.verify(held)] == ["valid", "stale"] * 3


async def test_a_chunk_of_a_long_episode_resolves_to_itself(memory: Memory) -> None:
    text = "\n\n".join(log(ship, found) for ship, found in SHIPS.items())
    receipt = await memory.add_episode(text, occurred_at=FEB)
    found = await memory.at(as_of=JUN).recall("bronze", max_frames=1, representations=["compact"])
    frame = found.frames[0]
    assert frame.id.startswith(f"{receipt.episode_id}#")
    content = (await memory.resolve(frame)).content
    assert "an anchor of bronze" in content
    assert content in text
    assert len(content) < len(text) / 2
    assert (await memory.verify([frame]))[0].status == "valid"


async def test_the_statement_of_a_record_is_cut_like_an_episode(memory: Memory) -> None:
    record = NewContextRecord(
        record_id="r1",
        lineage_id="the log",
        kind="memory",
        status="active",
        observed_at=FEB,
        sharing_scope="user",
        digest=digest_of("r1"),
        body="{}",
        statement=log("Tern", SHIPS["Tern"]),
    )
    knowledge = replace(record, record_id="k1", lineage_id="known", kind="knowledge", digest=digest_of("k1"))
    receipts = await memory.append_records([record, knowledge], client="mate")
    assert [each.status for each in receipts] == ["accepted"] * 2
    found = await memory.at(as_of=JUN).recall("anchor", max_tokens=600, representations=["compact"])
    assert {frame.kind for frame in found.frames} == {"memory", "fact"}
    for frame in found.frames:
        assert_honest(frame)
        assert "the Tern found a floating anchor." in frame.content
        assert (await memory.resolve(frame)).content == record.statement
    held = [*found.frames, (found.frames[0].id, digest_of("else"))]
    assert [each.status for each in await memory.verify(held)] == ["valid", "valid", "stale"]
    corrected = replace(record, record_id="r2", digest=digest_of("r2"), statement="The Tern found a rope.")
    await memory.append_records([corrected], client="mate")
    (frame,) = (frame for frame in found.frames if frame.kind == "memory")
    assert (await memory.verify([frame]))[0].status == "stale"
    with pytest.raises(ContentMismatch):
        await memory.resolve(frame)


async def test_a_reference_to_a_fact_is_to_what_it_says(memory: Memory) -> None:
    await memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    await memory.assert_fact("Ada", "lives_in", Entity("Paris"), valid_from=JAN)
    view = memory.at(as_of=JUN)
    found = (await view.recall("where does Ada live", representations=["reference"])).frames
    latest = (await memory.at(as_of=JUN).recall("where does Ada live", representations=["reference"])).frames
    assert {frame.kind for frame in found} == {"fact", "graph"}
    for frame in latest:
        assert "Ada lives in Paris" in (await memory.resolve(frame)).content or frame.kind == "graph"
        assert (await memory.verify([frame]))[0].status == "valid"
    pinned = (await view.recall("where does Ada live", representations=["reference"])).frames
    await memory.assert_fact("Ada", "lives_in", Entity("Lyon"), valid_from=APR)
    for frame in latest:
        assert (await memory.verify([frame]))[0].status == "stale"
        with pytest.raises(ContentMismatch, match="something else now"):
            await memory.resolve(frame)
    for frame in pinned:  # the view had its second instant then, and so has what it led to
        assert "Paris" in (await memory.resolve(frame)).content
    await memory.retract_fact("Ada", "lives_in", valid_from=None)
    with pytest.raises(ReferenceExpired):
        await memory.resolve(next(frame for frame in latest if frame.kind == "fact"))
    await memory.erase(subject="Ada", reason="asked to")
    for frame in (*latest, *pinned):
        with pytest.raises(ReferenceExpired):
            await memory.resolve(frame)


async def test_what_leads_nowhere(memory: Memory) -> None:
    await write_logs(memory)
    frame = (await memory.at(as_of=JUN).recall("anchor", max_frames=1, representations=["compact"])).frames[0]
    assert frame.canonical
    uri, digest = frame.canonical.uri, frame.canonical.digest
    assert (await memory.resolve(uri, digest=digest)).digest == digest
    for handle in (
        "",
        "memory:content/",
        "memory:frame/x",
        uri + "x",
        uri.replace(frame.id, "nothing"),
        "\ud800",
    ):
        with pytest.raises(ReferenceNotFound):
            await memory.resolve(handle)
    with pytest.raises(ReferenceNotFound, match="has no frame"):
        await memory.resolve(uri.replace(frame.id, "ep_0"))
    for wrong in (uri.replace(digest, "sha256:" + "0" * 64), uri):
        with pytest.raises(ContentMismatch):
            await memory.resolve(wrong, digest="sha256:" + "0" * 64)
    with pytest.raises(ContentMismatch):
        await memory.resolve(uri.replace(digest, "sha256:" + "0" * 64))
    full = (await memory.at(as_of=JUN).recall("anchor", max_frames=1)).frames[0]
    with pytest.raises(InvalidInput, match="carries its content itself"):
        await memory.resolve(full)
    with pytest.raises(InvalidInput, match="not 7"):
        await memory.resolve(7)  # type: ignore[arg-type]


async def test_another_scope_finds_nothing_behind_a_handle(
    memory: Memory, store_address: str, scope: str
) -> None:
    await write_logs(memory)
    frame = (await memory.at(as_of=JUN).recall("anchor", max_frames=1, representations=["compact"])).frames[0]
    other = memory.scoped(f"{scope}/other")
    await other.add_episode("An anchor of ours.", occurred_at=FEB)
    with pytest.raises(ReferenceNotFound):
        await other.resolve(frame)
    assert (await other.verify([frame]))[0].status == "unknown"


async def test_representations_are_checked(memory: Memory) -> None:
    view = memory.at()
    for wrong in ("full", 7, ["holographic"], [["full"]]):
        with pytest.raises(InvalidInput, match="full, compact, reference"):
            await view.recall("anchor", representations=wrong)  # type: ignore[arg-type]
    assert (await view.recall("anchor", representations=[])).frames == []


async def test_an_explanation_says_as_what_a_frame_was_served(memory: Memory) -> None:
    await write_logs(memory)
    found = await memory.at(as_of=JUN).recall(
        "anchor", max_tokens=550, representations=["full", "compact"], explain=True
    )
    assert found.explanation
    assert [each.representation for each in found.explanation.candidates] == ["full", "compact", None]
    assert [each.outcome for each in found.explanation.candidates] == ["served", "served", "over_budget"]


@pytest.fixture(scope="module")
async def library(anyio_backend: str) -> AsyncIterator[Memory]:
    async with Memory.open("memory:", scope="library") as memory:
        await write_logs(memory)
        await memory.add_episode("\n\n".join(log(*each) for each in SHIPS.items()), occurred_at=JAN)
        await memory.add_episode("The anchor is at the quay.", speaker="Ada", occurred_at=FEB)
        await memory.add_episode(" \n" * 400 + "anchor" + "\t" * 400, occurred_at=FEB)
        await memory.add_episode("anchor鐵" * 200, occurred_at=FEB)
        await memory.assert_fact("Tern", "lost", "an anchor", valid_from=JAN)
        await memory.assert_fact("Tern", "berths_at", Entity("quay"), valid_from=JAN)
        yield memory


@settings(max_examples=200)
@given(
    question=st.lists(st.sampled_from(["anchor", "Tern", "bronze", "wind", "鐵", "quay", "the"]), max_size=3),
    representations=st.lists(st.sampled_from(ALL), max_size=4),
    max_tokens=st.integers(0, 700) | st.just(2**32),
    max_frames=st.integers(0, 8),
)
async def test_no_budget_is_ever_broken(
    question: list[str],
    representations: list[Representation],
    max_tokens: int,
    max_frames: int,
    library: Memory,
) -> None:
    found = await library.at(as_of=JUN).recall(
        " ".join(question), max_tokens=max_tokens, max_frames=max_frames, representations=representations
    )
    assert len(found.frames) <= max_frames
    assert sum(frame.token_cost for frame in found.frames) <= max_tokens
    assert len({frame.id for frame in found.frames}) == len(found.frames)
    accepted = {*representations} or {"full"}
    assert not found.truncated or "reference" not in accepted or len(found.frames) == max_frames
    for frame in found.frames:
        assert_honest(frame)
        whole = frame.representation == "full" and "compact" in accepted
        assert frame.representation in accepted or whole
        if frame.representation != "full":
            content = await library.resolve(frame)
            assert frame.canonical
            assert content.digest == frame.canonical.digest
            assert frame.digest in {content.digest, *map(digest_of, Extracts(content.content))}
    verdicts = await library.verify(found.frames)
    assert {each.status for each in verdicts} <= {"valid"}


def digest_of(text: str) -> str:
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def test_sizes_are_of_tokens() -> None:
    assert [size // 4 for size in SIZES] == [300, 150, 75]
