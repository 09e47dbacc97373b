"""Whatever is asked, what is served keeps every rule: budgets, filter, instants, digests, costs, labels."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_provider.memory.rendering import token_cost
from memory_provider.provider import KNOWN_AT, Provider

from .kettle import Kettle
from .wire import KINDS, assert_keeps, assert_valid

pytestmark = pytest.mark.anyio

U32 = 2**32 - 1
WORDS = [
    "kettle",
    "shelf",
    "Ada",
    "Ben",
    "minutes",
    "decided",
    "March",
    "teapot",
    "the",
    "xylophone",
    "\U0001fad6",
    '"',
    "*",
]

limits = st.one_of(st.integers(0, 60), st.integers(0, 5000), st.sampled_from([0, 1, U32]))
instants = st.one_of(
    st.datetimes().map(lambda moment: moment.isoformat() + "Z"),
    st.sampled_from(
        [
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00Z",
            "2026-01-31T23:59:60Z",
            "2026-02-01T00:00:00Z",
            "2026-02-01T23:59:59.999999999Z",
            "2026-02-02T00:00:00Z",
            "2026-02-04T02:40:00Z",
            "2026-03-01T00:00:00.0000001Z",
            "2026-07-01T00:00:00Z",
            "9999-12-31T23:59:60Z",
        ]
    ),
)
anchors = st.sampled_from(
    [
        "kettle",
        "memory:entity/shelf",
        "memory:entity/Ada",
        "memory:entity/",
        "memory:frame/x",
        "mem:1",
        "",
        " ",
        "graph:",
    ]
)
questions = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
queries = st.fixed_dictionaries(
    {"goal": st.one_of(questions, st.text(max_size=30)), "max_frames": limits, "max_tokens": limits},
    optional={
        "query_text": st.one_of(st.none(), questions),
        "kinds": st.lists(st.sampled_from([*KINDS, "symbol", "", "\x00"]), max_size=4),
        "anchors": st.lists(anchors, max_size=4),
        "as_of": st.one_of(st.none(), instants),
        KNOWN_AT: st.one_of(st.none(), instants),
        "representation_preferences": st.lists(st.sampled_from(["full", "compact", "reference"]), max_size=4),
    },
)


async def result_of(provider: Provider, query: dict[str, Any]) -> dict[str, Any]:
    message = {"type": "query", "id": "q", "query": query}
    reply = await provider.handle(json.dumps(message).encode())
    assert reply.data
    answer = assert_valid(json.loads(reply.data))  # F1-F5, P1-P4, D1, B3, G1, G2, U3
    assert (answer["type"], answer["id"]) == ("frames", "q"), answer
    assert_keeps(answer, query)  # B1, B4, Q1, Q2
    result: dict[str, Any] = answer["result"]
    accepted = set(query.get("representation_preferences", ())) or {"full"}
    carried = {frame.get("representation", "full") for frame in result["frames"]}
    assert carried <= accepted | ({"full"} if "compact" in accepted else set())
    assert ("dropped_estimate" in result) == result["truncated"]
    return result


@settings(max_examples=300)
@given(query=queries)
async def test_every_rule_holds(query: dict[str, Any], provider: Provider) -> None:
    await result_of(provider, query)


@settings(max_examples=100)
@given(query=queries, max_tokens=st.integers(0, 900), max_frames=st.integers(0, 12))
async def test_a_budget_takes_from_an_answer_and_changes_nothing(
    query: dict[str, Any], max_tokens: int, max_frames: int, provider: Provider
) -> None:
    everything = await result_of(provider, query | {"max_tokens": U32, "max_frames": 1000})
    some = await result_of(provider, query | {"max_tokens": max_tokens, "max_frames": max_frames})
    ids = [frame["id"] for frame in everything["frames"]]
    places = [ids.index(frame["id"]) for frame in some["frames"]]
    assert places == sorted(places)
    for place, frame in zip(places, some["frames"], strict=True):
        assert frame == everything["frames"][place] or "representation" in frame, "as much, or less of it"
    left_out = len(everything["frames"]) - len(some["frames"])
    assert some["truncated"] == (left_out > 0) or everything["truncated"]
    if left_out:
        assert some["dropped_estimate"] >= left_out


@given(st.text())
def test_the_cost_is_of_utf8_bytes(text: str) -> None:
    assert token_cost(text) == -(-len(text.encode()) // 4)


async def test_the_memory_has_all_there_is_to_see(provider: Provider, kettle: Kettle) -> None:
    """The rules above are not kept by serving nothing."""
    result = await result_of(provider, {"goal": "kettle Ada minutes", "max_frames": 1000, "max_tokens": U32})
    assert {frame["kind"] for frame in result["frames"]} == set(KINDS)
    assert len(result["frames"]) >= 9
