"""The extension `memory-provider:explain`: why each candidate of a query was served or not."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.access import ALL_RIGHTS, Principal, Right
from memory_provider.provider import EXPLAIN, KNOWN_AT, SCOPE, Provider, data_flow, explaining

from .conftest import Ask
from .kettle import JULY
from .records import append, record
from .wire import assert_valid

pytestmark = pytest.mark.anyio


def query(**members: Any) -> dict[str, Any]:
    asked = {"goal": "kettle", "max_frames": 4, "max_tokens": 600, "as_of": JULY, EXPLAIN: True}
    return {"type": "query", "id": "q", "query": {**asked, **members}}


async def test_the_result_says_what_became_of_each_candidate(ask: Ask) -> None:
    result = (await ask(query()))["result"]
    told = result[EXPLAIN]
    assert set(told) == {"candidates", "arms", "left_out"}
    ranked = [each for each in told["candidates"] if "rank" in each]
    assert [each["rank"] for each in ranked] == list(range(1, len(ranked) + 1))
    served = [each for each in told["candidates"] if each["outcome"] == "served"]
    assert [(each["id"], each["kind"], each["score"], each["token_cost"]) for each in served] == [
        (frame["id"], frame["kind"], frame["score"], frame["token_cost"]) for frame in result["frames"]
    ]
    assert {each["outcome"] for each in told["candidates"]} >= {"served", "over_max_frames"}
    assert result["dropped_estimate"] == len(ranked) - len(served) + told["left_out"]
    for each in ranked:
        assert sum(each["parts"].values()) == pytest.approx(each["score"], abs=5e-6)


async def test_it_says_the_budget(ask: Ask) -> None:
    told = (await ask(query(max_tokens=20)))["result"][EXPLAIN]
    over = [each for each in told["candidates"] if each["outcome"] == "over_budget"]
    assert over
    assert all(each["token_cost"] > each["remaining"] for each in over)


async def test_only_who_asks_is_told(ask: Ask) -> None:
    for asked in (query(**{EXPLAIN: False}), query(**{EXPLAIN: None})):
        assert EXPLAIN not in (await ask(asked))["result"]
    plain = (await ask(query(**{EXPLAIN: False})))["result"]
    explained = (await ask(query()))["result"]
    del explained[EXPLAIN]
    assert explained == plain, "being asked why changes nothing"


@pytest.mark.parametrize(
    "nothing", [{"kinds": ["symbol"]}, {KNOWN_AT: "0000-01-01T00:00:00Z"}], ids=["kind", "year-0"]
)
async def test_where_nothing_was_searched_nothing_was_considered(nothing: dict[str, Any], ask: Ask) -> None:
    result = (await ask(query(**nothing)))["result"]
    assert result["frames"] == []
    assert result[EXPLAIN] == {"candidates": [], "arms": [], "left_out": 0}


async def test_what_had_not_begun_in_year_0_says_so(ask: Ask) -> None:
    """The memory's calendar begins a year later, and knows of copper then."""
    result = (await ask(query(as_of="0000-06-01T00:00:00Z", max_frames=50)))["result"]
    served = {each["id"] for each in result[EXPLAIN]["candidates"] if each["outcome"] == "served"}
    assert served == {frame["id"] for frame in result["frames"]}
    assert "not_valid" in {each["outcome"] for each in result[EXPLAIN]["candidates"] if "rank" in each}


async def test_it_holds_ids_and_numbers_alone(ask: Ask) -> None:
    """Texts are ids, and words of this provider's own."""
    told = (await ask(query(anchors=["kettle", "shelf", "Ada"], max_frames=100, max_tokens=9000)))["result"][
        EXPLAIN
    ]
    ids = [each.pop("id") for each in told["candidates"]]
    assert all(id.startswith(("fact_", "ep_", "graph:ent_", "lineage:")) for id in ids)
    texts = json.dumps(told).lower()
    for word in ("kettle", "shelf", "ada", "copper", "decided", "minute"):
        assert word not in texts


@pytest.fixture(scope="module")
async def two(anyio_backend: str) -> AsyncIterator[Provider]:
    async with Memory.open("memory:", scope="mine") as mine:
        await mine.assert_fact("kettle", "is", "green")
        await mine.scoped("theirs").assert_fact("kettle", "is", "red")
        await mine.scoped("theirs").add_episode("the kettle is red", speaker="kettle")
        yield Provider(mine, data_flow=data_flow(local=True))


async def test_nothing_of_another_scope_is_told(two: Provider) -> None:
    everywhere = Principal("root", "theirs", frozenset(), frozenset({Right.READ}))
    mine = Principal("me", "mine", frozenset(), frozenset({Right.READ}))

    async def explained(principal: Principal, **members: Any) -> dict[str, Any]:
        data = (await two.handle(json.dumps(query(**members)).encode(), principal)).data
        return assert_valid(json.loads(data or b""))

    theirs = (await explained(everywhere, as_of=None))["result"][EXPLAIN]["candidates"]
    ids = [each["id"] for each in theirs]
    assert len(ids) == 2
    alone = await explained(mine, as_of=None)
    assert len(alone["result"][EXPLAIN]["candidates"]) == 1
    with_anchors = (await explained(mine, as_of=None, anchors=ids))["result"][EXPLAIN]
    invented = [f"{id[:-1]}{'a' if id[-1] != 'a' else 'b'}" for id in ids]
    assert with_anchors == (await explained(mine, as_of=None, anchors=invented))["result"][EXPLAIN]
    assert not set(ids) & {each["id"] for each in with_anchors["candidates"]}
    assert (await explained(mine, **{SCOPE: "theirs"}))["code"] == "bad_request"


async def test_nothing_of_records_without_part_in_them_is_told() -> None:
    """Neither an id nor a number: more of them than a search brings change nothing of the answer."""

    def of(user: str, number: int) -> Any:
        return record(f"{user} {number}", scope={"user_id": user}, statement="The kettle is in the attic.")

    async with Memory.open("memory:", scope="home") as memory:
        provider = Provider(memory, data_flow=data_flow(local=True))
        anybody = Principal("anybody", "home", rights=ALL_RIGHTS)
        bob = anybody._replace(name="bob", labels=frozenset({("user_id", "bob")}))

        async def say(message: Any, principal: Principal) -> Any:
            return json.loads((await provider.handle(json.dumps(message).encode(), principal)).data or b"")

        asked = query(as_of=None, kinds=["fact"], max_frames=9)
        await say(append(of("bob", 0)), anybody)
        before = (await say(asked, bob))["result"]
        assert [each["outcome"] for each in before[EXPLAIN]["candidates"]] == ["served"]
        written = await say(append(*(of("alice", number) for number in range(90))), anybody)
        assert {each["status"] for each in written["response"]["receipts"]} == {"accepted"}
        assert (await say(asked, bob))["result"] == before
        whole = (await say(asked, anybody))["result"]
        assert len(whole[EXPLAIN]["candidates"]) > 1
        assert whole[EXPLAIN]["left_out"] > 0


async def test_an_account_is_cut_before_it_fills_a_message(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = (await ask(query()))["result"][EXPLAIN]["candidates"]
    monkeypatch.setattr(explaining, "MOST_CANDIDATES", 2)
    told = (await ask(query()))["result"][EXPLAIN]
    assert told["candidates"] == whole[:2]
    assert told["candidates_omitted"] == len(whole) - 2


async def test_a_frame_that_no_message_had_room_for_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from memory_provider.provider import fitting

    limit = 100_000
    monkeypatch.setattr(fitting, "MAX_BYTES", limit)
    monkeypatch.setattr(fitting, "SHELL", 1000)
    monkeypatch.setattr("memory_provider.protocol.encoding.MAX_BYTES", limit)
    async with Memory.open("memory:", scope="s") as large:
        for number in range(60):
            await large.add_episode(f"kettle {number} " + '"\\\n' * 700)
        provider = Provider(large, data_flow=data_flow(local=True))
        asked = query(max_frames=1000, max_tokens=2**32 - 1, as_of=None)
        data = (await provider.handle(json.dumps(asked).encode())).data
        assert data
        result = assert_valid(json.loads(data))["result"]
    assert limit / 2 < len(data) <= limit
    outcomes = [each["outcome"] for each in result[EXPLAIN]["candidates"]]
    served = len(result["frames"])
    assert 0 < served < 60
    assert outcomes == ["served"] * served + ["over_message_size"] * (60 - served)
