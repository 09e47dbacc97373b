"""Somebody who has part in some context records only: the others are as if they were not there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import pytest

from memory_provider import Memory
from memory_provider.errors import NotFound, ReferenceNotFound
from memory_provider.memory.evidence.addressing import content_uri
from memory_provider.memory.records import sharing as shared_records
from memory_provider.memory.records.context_records import NewContextRecord

pytestmark = pytest.mark.anyio

OTHER = "sha256:" + sha256(b"{}").hexdigest()


def record(
    user: str, number: int = 0, says: str | None = None, lineage: str | None = None
) -> NewContextRecord:
    id = f"{user}_{number}"
    statement = says or f"the kettle of {user} whistles {number}"
    body = json.dumps({"record_id": id})
    return NewContextRecord(
        record_id=id,
        lineage_id=lineage or f"lin_{id}",
        kind="memory",
        status="active",
        observed_at="2026-07-29T14:00:00Z",
        sharing_scope="user",
        digest="sha256:" + sha256(body.encode()).hexdigest(),
        body=body,
        statement=statement,
        subject_scope={"user_id": user},
    )


def of_ann(subjects: Mapping[str, str], sharing: str) -> bool:
    return sharing == "user" and subjects.get("user_id") == "ann"


@pytest.fixture
def anns(memory: Memory) -> Memory:
    """The same scope as Ann sees it."""
    return memory.scoped(memory.scope, sees=of_ann)


async def test_a_recall_has_the_ones_seen(memory: Memory, anns: Memory) -> None:
    await memory.append_records([record("ann"), record("bob")], client="c")
    await memory.add_episode("the kettle whistles")
    assert len((await memory.at().recall("kettle")).frames) == 3
    found = await anns.at().recall("kettle", anchors=["lineage:lin_bob_0", "lineage:lin_ann_0"], explain=True)
    assert sorted(frame.content for frame in found.frames) == [
        "the kettle of ann whistles 0",
        "the kettle whistles",
    ]
    assert "bob" not in repr(found)
    assert not found.truncated


async def test_it_is_the_same_as_without_them(memory: Memory, anns: Memory, scope: str) -> None:
    """No score, count or order tells of the others, as long as not too many match."""
    mine = [record("ann", number, f"kettle {'copper ' * number}") for number in range(4)]
    await memory.append_records(mine, client="c")
    alone = await anns.at(as_of="2026-08-01T00:00:00Z").recall("copper kettle", max_frames=3)
    await memory.append_records([record("bob", number) for number in range(100)], client="c")
    found = await anns.at(as_of="2026-08-01T00:00:00Z").recall("copper kettle", max_frames=3)
    assert [frame.id for frame in found.frames] == [frame.id for frame in alone.frames]
    assert (found.truncated, found.dropped_estimate) == (alone.truncated, alone.dropped_estimate) == (True, 1)


async def test_many_others_do_not_starve_them(
    memory: Memory, anns: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memory.append_records([record("ann")], client="c")
    await memory.append_records([record("bob", number) for number in range(300)], client="c")
    found = await anns.at().recall("kettle whistles", max_frames=1)
    assert [frame.id for frame in found.frames] == ["lineage:lin_ann_0"]
    assert (found.truncated, found.dropped_estimate) == (False, 0)
    monkeypatch.setattr(shared_records, "MOST", 100)  # there is an end to looking
    assert (await anns.at().recall("kettle whistles", max_frames=1)).frames == []


async def test_others_are_unknown(memory: Memory, anns: Memory) -> None:
    await memory.append_records([record("ann"), record("bob")], client="c")
    held = [(frame.id, frame.digest) for frame in (await memory.at().recall("kettle")).frames]
    assert {each.status for each in await memory.verify(held)} == {"valid"}
    verdicts = {each.frame_id: each for each in await anns.verify([*held, ("lineage:lin_bob_0", "x")])}
    assert verdicts["lineage:lin_ann_0"].status == "valid"
    assert verdicts["lineage:lin_bob_0"].status == "unknown"
    assert verdicts["lineage:lin_bob_0"].replacement_digest is None
    digests = dict(held)
    assert (await anns.resolve(content_uri("lineage:lin_ann_0", digests["lineage:lin_ann_0"], None))).content
    with pytest.raises(ReferenceNotFound) as refused:
        await anns.resolve(content_uri("lineage:lin_bob_0", digests["lineage:lin_bob_0"], None))
    with pytest.raises(ReferenceNotFound) as missing:
        await anns.resolve(content_uri("lineage:lin_eve_0", digests["lineage:lin_bob_0"], None))
    assert str(refused.value) == str(missing.value).replace("eve", "bob")
    looked_up = await anns.records(["ann_0", "bob_0", "eve_0"])
    assert [each.status for each in looked_up] == ["found", "unknown", "unknown"]
    assert await anns.lineage("lin_bob_0") == []
    for id in ("lineage:lin_bob_0", "record:bob_0"):
        with pytest.raises(NotFound):
            await anns.explain(id)
        assert (await memory.explain(id)).records


async def test_a_lineage_that_went_to_somebody_else_is_gone_from_view(memory: Memory, anns: Memory) -> None:
    await memory.append_records([record("ann", lineage="l")], client="c")
    [frame] = (await anns.at().recall("kettle")).frames
    await memory.append_records([record("bob", says="the kettle is mine", lineage="l")], client="c")
    assert (await anns.at().recall("kettle")).frames == []
    assert [each.status for each in await anns.verify([frame])] == ["unknown"]


async def test_what_it_writes_is_written(memory: Memory, anns: Memory) -> None:
    await anns.append_records([record("ann"), record("bob")], client="c")
    await anns.assert_fact("Ann", "likes", "tea")
    assert len((await memory.at().recall("kettle")).frames) == 2
    assert len(await memory.at().facts()) == 1


async def test_it_takes_no_place_of_what_it_does_not_see(memory: Memory, anns: Memory) -> None:
    await memory.append_records([record("bob", lineage="l")], client="c")
    batch = [record("ann", lineage="l"), record("ann", 1), record("ann", 2, lineage="l")]
    for _ in range(2):  # the second time as a repetition under the same key
        receipts = await anns.append_records(batch, client="c", idempotency_key="k")
        assert [(each.status, each.code, each.superseded_id) for each in receipts[::2]] == [
            ("rejected", "scope_denied", None)
        ] * 2
        assert receipts[1].status in ("accepted", "duplicate")
    assert [each.record_id for each in await memory.lineage("l")] == ["bob_0"]
    assert sorted(frame.id for frame in (await memory.at().recall("kettle")).frames) == [
        "lineage:l",
        "lineage:lin_ann_1",
    ]


async def test_an_id_that_is_taken_says_nothing_of_who_has_it(memory: Memory, anns: Memory) -> None:
    await memory.append_records([record("bob", lineage="a secret plan")], client="c")
    for given in (record("bob", lineage="a secret plan"), replace(record("bob"), body="{}", digest=OTHER)):
        mine = replace(given, subject_scope={"user_id": "ann"}, lineage_id="l")
        [receipt] = await anns.append_records([mine], client="c")
        assert (receipt.status, receipt.code) == ("rejected", "record_identity_conflict")
        assert (receipt.recorded_at, receipt.expires_at) == (None, None)
        assert "secret" not in repr(receipt)
