"""Odd arguments of every call are refused as bad input, by an error that is short; nothing else ever comes out."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memory_provider import Entity, Memory
from memory_provider.memory.writing.operations import File
from memory_provider.store.errors import InvalidAddress
from memory_provider.temporal.errors import InvalidInput, MemoryProviderError
from memory_provider.temporal.shown import shown

pytestmark = pytest.mark.anyio

JAN = "2026-01-01T00:00:00Z"
DIGEST = "sha256:" + "0" * 64


class Unspeakable:
    """Its repr is somebody's bug."""

    def __repr__(self) -> str:
        raise RuntimeError


ODD: list[Any] = [
    *(None, "", " ", "\0", "a\0b", "\ud800", "fact_\ud800", "ep_\ud800#1", "graph:\ud800:all:past", "é" * 513),
    *("x" * 9999, True, 0, -1, 1.5, float("nan"), 2**63, 10**5000, [], {}, (), object(), Unspeakable(), ["a"], [None]),
    *(b"x", ["\ud800"], [("a",)], [("a", "b", "c")], [(1, 2)], [("fact_\ud800", "d")], [("fact_x", 5)], Entity("")),
    *(Entity(None), File("u", DIGEST), File(None, DIGEST), File("u", DIGEST, 5), File("u", DIGEST, "L1-" + "9" * 5000)),  # type: ignore[arg-type]
    *(iter(["a"]), range(3), "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2020-01-01T00:00:00+24:00"),
]  # fmt: skip

Call = Callable[..., Awaitable[Any]]


def calls(memory: Memory) -> list[tuple[Call, dict[str, Any]]]:
    """Every call with arguments that are fine."""

    async def transaction(**given: Any) -> None:
        async with memory.transaction(**given) as tx:
            tx.add_episode("x")

    async def view(**given: Any) -> None:
        await memory.at(**given).facts()

    source = {"episode": None, "file": None, "by": None, "confidence": None}
    window = {"valid_from": JAN, "valid_to": None}
    write = {"recorded_at": None, "idempotency_key": None}
    fact = {"subject": "A", "predicate": "p", "object": "o"}
    labels = {"label": None, "inverse_label": None}
    page = {"limit": 10, "after": None}
    latest = memory.at()
    return [
        (memory.define_predicate, {"name": "q", "cardinality": "many", "object": None, **labels}),
        (
            memory.add_episode,
            {"text": "t", "occurred_at": None, "source": None, "speaker": None, "session": None, **write},
        ),
        (memory.assert_fact, {**fact, **window, **source, **write}),
        (memory.correct_fact, {**fact, **window, "replaces": None, **source, **write}),
        (memory.retract_fact, {**fact, **window, **write}),
        (memory.erase, {**fact, "reason": "r", "by": None, "dry_run": True, "recorded_at": None}),
        (memory.erase, {"subject": "said", "reason": "r", "by": None, "dry_run": False}),
        (memory.erase, {"episode": "e", "reason": "r", "dry_run": True}),
        (memory.erase, {"entity": "e", "reason": "r", "dry_run": True}),
        (transaction, {"recorded_at": None}),
        (view, {"as_of": None, "known_at": None}),
        (memory.timeline, {"subject": "A", "predicate": "p", "known_at": None}),
        (memory.history, {"subject": None, "predicate": None, **page}),
        (memory.changes, {"since": None, "until": None, **page}),
        (memory.explain, {"frame": "fact_x"}),
        (memory.verify, {"frames": [], "known_at": None}),
        (latest.facts, {"subject": None, "predicate": None, "object": None, **page}),
        (
            latest.recall,
            {"query": "q", "max_tokens": 99, "max_frames": 9, "kinds": None, "anchors": ()},
        ),
        (latest.graph, {"entity": "A", "depth": 1, "limit": 10}),
    ]


async def test_every_odd_argument_of_every_call() -> None:
    async with Memory.open("memory:", scope="odd") as memory:
        for call, given in calls(memory):
            for name in given:
                for odd in ODD:
                    if given.get("dry_run") is False:
                        await memory.assert_fact("said", "p", "o")
                    problem = await refusal(call, {**given, name: odd})
                    assert len(problem) < 400, (call, name, problem[:200])
                    assert problem.isprintable(), (call, name)


async def refusal(call: Call, given: dict[str, Any]) -> str:
    """What a call says to its arguments, nothing if they are fine; any error but our own is a fault."""
    try:
        await call(**given)
    except MemoryProviderError as problem:
        return str(problem)
    except Exception as problem:
        raise AssertionError(f"{call} {shown(list(given.values()), 400)}") from problem
    return ""


@pytest.mark.parametrize("url", [5, b"memory:", ["memory:"], Entity("memory:")])
def test_an_address_is_text(url: Any) -> None:
    with pytest.raises(InvalidAddress):
        Memory.open(url)


@pytest.mark.parametrize(
    "key",
    [
        [],
        [1],
        [1, 2, 3],
        ["a", "b", "c"],
        [True, 1, "x"],
        [2**80, 1, "x"],
        [1, 2**80, "x"],
        [1, 1, "\ud800"],
        ["\ud800"] * 6,
        ["a", "b", 2**80, "text", "o", "id"],
        ["a", "b", 1.5, "text", "o", "id"],
        [["a"]],
        {"a": 1},
        "a",
    ],
)
async def test_a_forged_cursor_is_refused(memory: Memory, key: Any) -> None:
    await memory.assert_fact("Alice", "likes", "tea")
    cursor = base64.urlsafe_b64encode(json.dumps(key).encode()).decode()
    for read in (memory.history, memory.changes, memory.at().facts):
        with pytest.raises(InvalidInput, match="cursor"):
            await read(after=cursor)


@pytest.mark.parametrize("raw", [b"[" * 100_000, b"[" + b"9" * 5000 + b"]", b"[NaN]", b"\xff"])
async def test_a_cursor_that_is_no_list_of_keys_is_refused(memory: Memory, raw: bytes) -> None:
    for read in (memory.history, memory.changes, memory.at().facts):
        with pytest.raises(InvalidInput, match="cursor"):
            await read(after=base64.urlsafe_b64encode(raw).decode())


async def test_a_cursor_of_another_query_is_refused(memory: Memory) -> None:
    for city in ("Paris", "Lyon"):
        await memory.assert_fact("Alice", "visited", city, valid_from=JAN)
    facts = await memory.at().facts(limit=1)
    history = await memory.history(limit=1)
    with pytest.raises(InvalidInput, match="cursor"):
        await memory.history(after=facts.cursor)
    with pytest.raises(InvalidInput, match="cursor"):
        await memory.at().facts(after=history.cursor)


async def test_ids_that_are_not_unicode_were_never_issued(memory: Memory) -> None:
    held = [("fact_\ud800", "d"), ("ep_\ud800", "d"), ("graph:\ud800:all:past", "d")]
    assert {each.status for each in await memory.verify(held)} == {"unknown"}


async def test_kinds_and_anchors_may_be_iterators(memory: Memory) -> None:
    await memory.assert_fact("Alice", "likes", "green tea")
    found = await memory.at().recall("green tea", kinds=iter(["fact"]), anchors=iter(["Alice"]))  # type: ignore[arg-type]
    assert [each.kind for each in found.frames] == ["fact"]
