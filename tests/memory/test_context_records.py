"""Context records: appended in batches, corrected along their lineage, served as frames, read, verified and erased."""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.memory.errors import NotFound
from memory_provider.memory.records.context_records import NewContextRecord, RecordReceipt, Retention
from memory_provider.temporal import clock
from memory_provider.temporal.errors import ClockRefused, InvalidInput

pytestmark = pytest.mark.anyio

OBSERVED = "2026-07-29T14:00:00Z"
JAN, FEB, MAR, JUN = (f"2026-{month:02}-01T00:00:00Z" for month in (1, 2, 3, 6))


def record(says: str | None, id: str = "rec_1", lineage: str = "lin_1", **changed: Any) -> NewContextRecord:
    kind = changed.pop("kind", "memory")
    body = changed.pop("body", None) or json.dumps({"record_id": id, "record_kind": kind, "statement": says})
    return NewContextRecord(
        **{
            "record_id": id,
            "lineage_id": lineage,
            "kind": kind,
            "status": "active",
            "observed_at": OBSERVED,
            "sharing_scope": "user",
            "digest": "sha256:" + sha256(body.encode()).hexdigest(),
            "body": body,
            "statement": says,
            "subject_scope": {"user_id": "ann"},
            **changed,
        }
    )


async def append(memory: Memory, *records: NewContextRecord, **options: Any) -> list[RecordReceipt]:
    return await memory.append_records(records, **{"client": "a test", **options})


async def contents(memory: Memory, question: str = "kettle", **view: Any) -> list[str]:
    found = await memory.at(**view).recall(question)
    return sorted(frame.content for frame in found.frames)


async def test_a_memory_is_served_verbatim_under_the_id_of_its_lineage(memory: Memory) -> None:
    says = "The kettle\nis “Red” 🫖  "
    (receipt,) = await append(memory, record(says, by="Ann", valid_from=JAN, valid_to=JUN))
    assert (receipt.status, receipt.code, receipt.superseded_id) == ("accepted", None, None)
    (frame,) = (await memory.at(as_of=FEB).recall("kettle")).frames
    assert (frame.id, frame.kind, frame.content) == ("lineage:lin_1", "memory", says)
    assert frame.digest == "sha256:" + sha256(says.encode()).hexdigest()
    assert (frame.valid_from, frame.valid_to) == (
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 6, 1, tzinfo=UTC),
    )
    assert frame.recorded_at == receipt.recorded_at
    assert frame.citation_label == "The kettle is “Red” 🫖 (observed 2026-07-29, by Ann)"
    (link,) = frame.provenance
    assert (link.type, link.uri, link.method, link.by) == ("record", "memory:record/rec_1", "memory", "Ann")
    assert link.digest == record(says).digest
    assert (
        await contents(memory, as_of=JUN) == [] and await contents(memory, as_of="2025-12-31T00:00:00Z") == []
    )


async def test_knowledge_is_a_fact_and_joins_no_key(memory: Memory) -> None:
    await memory.assert_fact("kettle", "stands on", "the shelf", valid_from=JAN)
    await append(memory, record("the kettle stands on the table", kind="knowledge"))
    found = await memory.at().recall("kettle stands", kinds=["fact"])
    assert sorted(frame.kind for frame in found.frames) == ["fact", "fact"]
    (fact,) = await memory.at().facts()
    assert fact.object == "the shelf"
    assert len(await memory.history()) == 1
    other = await memory.at().recall("kettle stands", kinds=["memory"])
    assert other.frames == []


async def test_a_correction_takes_the_place_of_what_was_said(memory: Memory) -> None:
    (first,) = await append(memory, record("the kettle is red"))
    (frame,) = (await memory.at().recall("kettle")).frames
    (second,) = await append(memory, record("the kettle is blue", id="rec_2"))
    assert (second.status, second.superseded_id) == ("accepted", "rec_1")
    assert await contents(memory) == ["the kettle is blue"]
    assert await contents(memory, known_at=first.recorded_at) == ["the kettle is red"]
    (verdict,) = await memory.verify([frame])
    blue = "sha256:" + sha256(b"the kettle is blue").hexdigest()
    assert (verdict.status, verdict.replacement_digest) == ("stale", blue)
    (verdict,) = await memory.verify([frame], known_at=first.recorded_at)
    assert verdict.status == "valid"
    lineage = await memory.lineage("lin_1")
    assert [each.record_id for each in lineage] == ["rec_1", "rec_2"]
    assert lineage[0].superseded_at == second.recorded_at == lineage[1].recorded_at
    before = await memory.record("rec_1", known_at=first.recorded_at)
    assert before.superseded_at is None, "nobody knew then"
    assert (await memory.record("rec_1")).superseded_at == second.recorded_at
    (lookup,) = await memory.records(["rec_2"], known_at=first.recorded_at)
    assert lookup.status == "unknown"


@pytest.mark.parametrize("status", ["retracted", "archived"])
async def test_what_is_no_longer_active_is_gone_and_readable(memory: Memory, status: str) -> None:
    (first,) = await append(memory, record("the kettle is red"))
    (frame,) = (await memory.at().recall("kettle")).frames
    await append(memory, record("the kettle is red", id="rec_2", status=status, body="{}"))
    assert await contents(memory) == []
    assert [each.status for each in await memory.verify([frame])] == ["gone"]
    assert [each.status for each in await memory.verify([frame], known_at=first.recorded_at)] == ["valid"]
    assert (await memory.record("rec_2")).status == status
    await append(memory, record("the kettle is blue", id="rec_3"))
    assert await contents(memory) == ["the kettle is blue"]


async def test_other_kinds_are_kept_and_not_served(memory: Memory) -> None:
    body = '{"record_id":"rec_1","n":1e21,"extra":{"é":[1,null]}}'
    await append(
        memory, record("saw a kettle", kind="observation", body=body, subject_scope={"b": "=", "a": "x"})
    )
    await append(memory, record(None, id="rec_2", lineage="lin_2", kind="context_use"))
    assert await contents(memory) == []
    kept = await memory.record("rec_1")
    assert (kept.body, kept.kind, kept.statement) == (body, "observation", "saw a kettle")
    assert (kept.subject_scope, kept.sharing_scope, kept.client) == ({"a": "x", "b": "="}, "user", "a test")
    assert kept.observed_at == datetime(2026, 7, 29, 14, tzinfo=UTC)
    assert (await memory.record("rec_2")).statement is None
    (verdict,) = await memory.verify([("lineage:lin_1", "sha256:" + "0" * 64)])
    assert verdict.status == "unknown", "no frame of that id was ever issued"


async def test_a_batch_is_one_transaction_with_a_verdict_for_each(memory: Memory) -> None:
    await append(memory, record("there already", id="rec_0", lineage="lin_0"))
    await append(memory, record("another", id="rec_x", lineage="lin_x", kind="knowledge"))
    receipts = await append(
        memory,
        record("one kettle", id="rec_1"),
        record("there already", id="rec_0", lineage="lin_0"),
        record("not what is there", id="rec_0", lineage="lin_0"),
        record("", id="rec_3", lineage="lin_3"),
        record("another kind", id="rec_4", lineage="lin_x"),
        record("two kettles", id="rec_2"),
        record("two kettles", id="rec_2"),
        record("naive", id="rec_5", lineage="lin_5", observed_at="2026-07-29T14:00:00"),
        record("x", id="rec_6", lineage="lin_6", status="superseded"),
        record("x", id="rec_7", lineage="lin_7", digest="sha256:abc"),
        record("x", id="rec_8", lineage="lin_8", valid_from=JUN, valid_to=JAN),
    )
    assert [(each.record_id, each.status, each.code) for each in receipts] == [
        ("rec_1", "accepted", None),
        ("rec_0", "duplicate", None),
        ("rec_0", "rejected", "record_identity_conflict"),
        ("rec_3", "rejected", "invalid_record"),
        ("rec_4", "rejected", "invalid_record"),
        ("rec_2", "accepted", None),
        ("rec_2", "duplicate", None),
        ("rec_5", "rejected", "invalid_record"),
        ("rec_6", "rejected", "invalid_record"),
        ("rec_7", "rejected", "invalid_record"),
        ("rec_8", "rejected", "invalid_record"),
    ]
    assert all((each.message is None) == (each.status != "rejected") for each in receipts)
    at = {each.recorded_at for each in receipts if each.status == "accepted"}
    assert len(at) == 1 and receipts[5].superseded_id == "rec_1"
    # The first of the two was overtaken within its transaction, and never visible.
    assert await contents(memory) == ["two kettles"]
    assert await contents(memory, known_at=at.pop()) == ["two kettles"]
    assert [each.record_id for each in await memory.lineage("lin_1")] == ["rec_1", "rec_2"]


async def test_a_batch_that_is_all_rejected_leaves_no_trace(memory: Memory) -> None:
    (receipt,) = await append(memory, record("  "), idempotency_key="k")
    assert (receipt.status, receipt.record_id, receipt.lineage_id) == ("rejected", "rec_1", "lin_1")
    (receipt,) = await append(memory, record("a kettle"), idempotency_key="k")
    assert receipt.status == "accepted", "the key was not spent"
    assert await append(memory) == []


async def test_a_key_stands_for_one_request_of_one_client(memory: Memory) -> None:
    batch = record("one kettle"), record("two kettles", id="rec_2", lineage="lin_2")
    first = await append(memory, *batch, idempotency_key="k")
    again = await append(memory, *batch, idempotency_key="k")
    assert [each.status for each in again] == ["duplicate", "duplicate"]
    assert [each.recorded_at for each in again] == [each.recorded_at for each in first]
    third = record("three kettles", id="rec_3", lineage="lin_3")
    for other in ([third], [*batch, third], [batch[0]]):
        receipts = await append(memory, *other, idempotency_key="k")
        assert {each.code for each in receipts} == {"idempotency_conflict"}
    (receipt,) = await append(memory, third, idempotency_key="k", client="another")
    assert receipt.status == "accepted"
    await memory.add_episode("a key of another operation", idempotency_key="k")
    assert len(await memory.lineage("lin_3")) == 1


async def test_a_key_may_stand_for_more_than_the_records(memory: Memory) -> None:
    kept = record("a kettle", retention=Retention("long"))
    await append(memory, kept, idempotency_key="k", command="hash 1")
    (receipt,) = await append(memory, kept, idempotency_key="k", command="hash 1")
    assert receipt.status == "duplicate"
    (receipt,) = await append(memory, kept, idempotency_key="k", command="hash 2")
    assert receipt.code == "idempotency_conflict"
    await append(memory, record("b", id="rec_2", lineage="lin_2"), idempotency_key="k2")
    other = record("b", id="rec_2", lineage="lin_2", retention=Retention("short", timedelta(days=1)))
    (receipt,) = await append(memory, other, idempotency_key="k2")
    assert receipt.code == "idempotency_conflict", "how long it is kept is part of what was asked"


async def test_a_replay_tells_of_what_was_rejected(memory: Memory) -> None:
    await append(memory, record("there", id="rec_0", lineage="lin_0"))
    batch = record("a kettle"), record("other content", id="rec_0", lineage="lin_0")
    for expected in ("accepted", "duplicate", "duplicate"):
        receipts = await append(memory, *batch, idempotency_key="k")
        assert [each.status for each in receipts] == [expected, "rejected"]
        assert receipts[1].code == "record_identity_conflict"


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The wall clock that appending and reading go by, to be set."""
    from memory_provider.memory import api, changes, view
    from memory_provider.memory.evidence import resolving
    from memory_provider.memory.records import planning, reading

    shown = [clock.TOLERANCE + int(datetime(2026, 8, 1, tzinfo=UTC).timestamp()) * 1_000_000]
    for module in (api, changes, planning, reading, resolving, view):
        monkeypatch.setattr(module, "now", lambda: shown[0])
    return shown


async def test_retention_ends(memory: Memory, wall: list[int]) -> None:
    kept = Retention("an hour", timedelta(hours=1))
    receipt, _ = await append(
        memory, record("the kettle is red", retention=kept), record("a kettle", "b", "b")
    )
    assert receipt.recorded_at and receipt.expires_at == receipt.recorded_at + timedelta(hours=1)
    assert (await memory.record("rec_1")).retention == "an hour"
    (red,) = (await memory.at().recall("red")).frames
    wall[0] += 3_600_000_000 - 1
    assert len(await contents(memory)) == 2
    wall[0] += 1
    for view in ({}, {"known_at": receipt.recorded_at}, {"as_of": JUN, "known_at": receipt.recorded_at}):
        assert await contents(memory, **view) == ["a kettle"]
        (verdict,) = await memory.verify([red], known_at=view.get("known_at"))
        assert verdict.status == "gone"
        (lookup,) = await memory.records(["rec_1"], known_at=view.get("known_at"))
        assert (lookup.status, lookup.record) == ("expired", None)
    assert await memory.lineage("lin_1") == []
    for each in ("lineage:lin_1", "record:rec_1"):
        with pytest.raises(NotFound):
            await memory.explain(each)
    with pytest.raises(NotFound, match="retention"):
        await memory.record("rec_1")
    assert "red" not in str(await memory.changes())
    assert (await memory.at().recall("", anchors=[red.uri])).frames == []
    (again,) = await append(memory, record("the kettle is red", retention=kept))
    assert again.status == "duplicate", "records never change, and ids are not used again"


async def test_a_key_is_over(memory: Memory, wall: list[int]) -> None:
    options = {"idempotency_key": "k", "key_lifetime": timedelta(seconds=5)}
    await append(memory, record("a kettle"), **options)
    wall[0] += 5_000_000 - 1
    assert [each.status for each in await append(memory, record("a kettle"), **options)] == ["duplicate"]
    wall[0] += 1
    for again in (record("a kettle"), record("another", "rec_2", "lin_2")):
        (receipt,) = await append(memory, again, **options)
        assert (receipt.status, receipt.code) == ("rejected", "idempotency_expired")


async def test_an_erased_record_keeps_its_id(memory: Memory) -> None:
    await append(memory, record("the kettle is red"), idempotency_key="k1")
    (frame,) = (await memory.at().recall("kettle")).frames
    second = record("the kettle is blue", id="rec_2")
    await append(memory, second, idempotency_key="k2")
    dry = await memory.erase(record="rec_2", reason="asked to", dry_run=True)
    assert dry.record_ids == ("rec_2",) and await contents(memory) == ["the kettle is blue"]
    report = await memory.erase(record="rec_2", reason="asked to", by="Ann")
    assert report.record_ids == ("rec_2",) and not report.empty
    assert await contents(memory) == [], "what it had taken the place of does not come back"
    (lookup,) = await memory.records(["rec_2"])
    assert lookup.status == "erased"
    with pytest.raises(NotFound, match="was erased"):
        await memory.record("rec_2")
    told = await memory.explain("record:rec_2")
    assert told.erased and (told.erased.reason, told.erased.by) == ("asked to", "Ann")
    for key in ("k2", "k3", None):
        (receipt,) = await append(memory, second, idempotency_key=key)
        assert (receipt.status, receipt.erased) == ("rejected", True)
    (receipt,) = await append(memory, record("the kettle is red"), idempotency_key="k1")
    assert receipt.status == "duplicate"
    assert (await memory.verify([frame]))[0].status == "gone"
    await memory.erase(record="rec_1", reason="asked to")
    assert (await memory.verify([frame]))[0].status == "gone", "also when no record of the lineage is left"
    assert (await memory.explain("lineage:lin_1")).erased
    assert (await memory.erase(record="rec_1", reason="again")).empty
    kinds = [(each.kind, each.id) for each in await memory.changes()]
    assert ("erased", "record:rec_2") in kinds and not any(kind == "record" for kind, _ in kinds)


async def test_explaining_a_lineage(memory: Memory) -> None:
    await append(memory, record("the kettle is red"))
    await append(memory, record("the kettle is blue", id="rec_2"))
    (frame,) = (await memory.at().recall("kettle")).frames
    for given in (frame, frame.id, "record:rec_1", frame.provenance[0].uri or ""):
        told = await memory.explain(given)
        assert told.kind == "memory" and [each.record_id for each in told.records] == ["rec_1", "rec_2"]
    for unknown in ("lineage:lin_2", "record:nobody", "lineage:", "record:"):
        with pytest.raises(NotFound):
            await memory.explain(unknown)


async def test_changes_tell_of_records(memory: Memory) -> None:
    await memory.assert_fact("kettle", "is", "red", valid_from=JAN)
    await append(
        memory, record("the kettle is red", by="Ann"), record(None, "rec_2", "lin_2", kind="context_use")
    )
    told = [(each.kind, each.id, each.after, each.by) for each in (await memory.changes())[1:]]
    assert told == [
        ("record", "record:rec_1", "the kettle is red", "Ann"),
        ("record", "record:rec_2", None, "a test"),
    ]
    pages = [await memory.changes(limit=1)]
    while pages[-1].cursor:
        pages.append(await memory.changes(limit=1, after=pages[-1].cursor))
    assert [each for page in pages for each in page] == list(await memory.changes())


async def test_an_anchor_brings_a_lineage_first(memory: Memory) -> None:
    await append(memory, record("the kettle is red"), record("much ado about tea", "rec_2", "lin_2"))
    (frame,) = (await memory.at().recall("kettle")).frames
    for anchor in (frame.uri, frame.id):
        found = (await memory.at().recall("tea", anchors=[anchor])).frames
        assert [each.content for each in found] == ["the kettle is red", "much ado about tea"]
    assert (await memory.at().recall("tea", anchors=[frame.uri], kinds=["fact"])).frames == []


async def test_a_record_stands_beside_what_the_question_names(memory: Memory) -> None:
    await memory.assert_fact("Ann", "likes", "jam", valid_from=JAN)
    await append(
        memory, record("Ann takes her tea without milk"), record("the tea is cold", "rec_2", "lin_2")
    )
    found = (await memory.at().recall("how does Ann take tea?")).frames
    assert found[0].content == "Ann takes her tea without milk"


async def test_ids_are_the_clients_own(memory: Memory) -> None:
    for place, id in enumerate(("fact_1", "ep_1#2", "graph:a:b:0", "lineage:x", "ünï/ 🫖?#%", "a" * 1024)):
        await append(memory, record(f"kettle number {place}", id=id, lineage=id))
    frames = (await memory.at().recall("kettle")).frames
    assert len(frames) == 6
    assert {each.status for each in await memory.verify(frames)} == {"valid"}
    for frame in frames:
        (alone,) = (await memory.at().recall("", anchors=[frame.uri])).frames
        assert alone.id == frame.id
        told = await memory.explain(frame)
        assert await memory.explain(frame.provenance[0].uri or "") == told.__class__(
            **{**_fields(told), "id": frame.provenance[0].uri}
        )


def _fields(told: Any) -> dict[str, Any]:
    return {name: getattr(told, name) for name in told.__dataclass_fields__}


async def test_a_scope_of_its_own(memory: Memory, store_address: str) -> None:
    await append(memory, record("the kettle is red"))
    (frame,) = (await memory.at().recall("kettle")).frames
    other = Memory(memory.store, memory.scope + "/other")
    assert await contents(other) == []
    assert (await other.at().recall("", anchors=[frame.uri])).frames == []
    assert (await other.verify([frame]))[0].status == "unknown"
    assert [each.status for each in await other.records(["rec_1"])] == ["unknown"]
    assert await other.lineage("lin_1") == [] and await other.changes() == []
    for given in ("lineage:lin_1", "record:rec_1"):
        with pytest.raises(NotFound):
            await other.explain(given)
    assert (await other.erase(record="rec_1", reason="not mine")).empty
    (receipt,) = await append(other, record("another kettle"), idempotency_key="k")
    assert receipt.status == "accepted"
    assert await contents(memory) == ["the kettle is red"]


async def test_replaying_supplies_recorded_times(memory: Memory) -> None:
    (receipt,) = await append(memory, record("a kettle"), recorded_at=FEB)
    assert receipt.recorded_at == datetime(2026, 2, 1, tzinfo=UTC)
    with pytest.raises(ClockRefused):
        await append(memory, record("b", id="rec_2"), recorded_at=JAN)
    (again,) = await append(memory, record("a kettle"), recorded_at=JAN)
    assert again.status == "duplicate", "what writes nothing needs no time"


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["no record"], {}),
        ("no list", {}),
        ([record("x")], {"client": ""}),
        ([record("x")], {"client": None}),
        ([record("x")], {"idempotency_key": ""}),
        ([record("x")], {"idempotency_key": "k", "key_lifetime": timedelta(0)}),
        ([record("x")], {"idempotency_key": "k", "key_lifetime": 5}),
    ],
)
async def test_odd_calls_are_refused(memory: Memory, arguments: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        await memory.append_records(arguments, **{"client": "c", **options})


@pytest.mark.parametrize(
    "changed",
    [
        {"id": ""},
        {"id": 7},
        {"id": "x" * 1025},
        {"lineage": " "},
        {"lineage": "\ud800"},
        {"kind": None},
        {"says": None},
        {"says": "x" * 65_537},
        {"says": "\ud800", "body": "{}"},
        {"body": "x" * 1_048_577},
        {"digest": None},
        {"subject_scope": {"a=b": "c"}},
        {"subject_scope": {"a": 1}},
        {"subject_scope": ["a"]},
        {"retention": "year"},
        {"retention": Retention("year", timedelta(0))},
        {"retention": Retention("", timedelta(1))},
        {"by": ""},
    ],
    ids=lambda changed: next(iter(changed)),
)
async def test_odd_records_are_rejected_by_name(memory: Memory, changed: dict[str, Any]) -> None:
    odd = (
        record(**{"says": "x", **changed})
        if "body" in changed
        else record(**{"says": "x", "body": "{}", **changed})
    )
    receipts = await append(memory, odd, record("fine", "rec_fine", "lin_fine"))
    assert [(each.status, each.code) for each in receipts] == [
        ("rejected", "invalid_record"),
        ("accepted", None),
    ]
    assert receipts[0].message


async def test_odd_reads_are_refused_or_find_nothing(memory: Memory) -> None:
    for odd in ("rec_1", 7, [7]):
        with pytest.raises(InvalidInput):
            await memory.records(odd)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        await memory.lineage(7)  # type: ignore[arg-type]
    assert [each.status for each in await memory.records(["\ud800", ""])] == ["unknown", "unknown"]
    assert await memory.lineage("\ud800") == [] and await memory.records([]) == []
    for record_id in ("", "\ud800"):
        with pytest.raises(InvalidInput):
            await memory.erase(record=record_id, reason="x")
    with pytest.raises(InvalidInput):
        await memory.erase(record="a", episode="b", reason="x")
