"""Damaged records and requests: each is answered, no answer says more than it should, and nothing half is kept."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.protocol import Error, RecordsAppended, decode
from memory_provider.protocol.lifecycle.codes import LIFECYCLE_CODES
from memory_provider.provider import Provider, data_flow

from .records import append, erase, fixtures, get, record

pytestmark = pytest.mark.anyio

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**53 + 1, 1e308, "", " ", "x" * 2000, "\u0000", "😀", "../..", "%s' OR 1=1"),
    *([], [[]], {}, {"a": None}, {"record_hash": "sha256:" + "0" * 64}),
)


@pytest.fixture
async def provider(anyio_backend: str) -> AsyncIterator[Provider]:
    async with Memory.open("memory:", scope="damage") as memory:
        yield Provider(memory, data_flow=data_flow(local=True))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value but the whole."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for name, item in inner for place in ((*path, name), *places(item, (*path, name)))]


def damage(value: Any, chance: random.Random) -> Any:
    """A copy with a few members changed, moved or gone."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        place = chance.choice(places(value))
        holder = value
        for step in place[:-1]:
            holder = holder[step]
        if isinstance(holder, dict) and chance.random() < 0.3:
            del holder[place[-1]]
        else:
            holder[place[-1]] = copy.deepcopy(chance.choice(ODD))
        if not places(value):
            break
    return value


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_is_damaged_is_answered(provider: Provider, seed: int) -> None:
    chance = random.Random(seed)
    whole = [
        *(append(each, idempotency_key="k", requested_retention="P1D") for each in fixtures()),
        append(*fixtures()),
        get("rec_know_0001", "missing"),
        erase("rec_know_0001"),
    ]
    for _ in range(150):
        message = damage(chance.choice(whole), chance)
        message = message if isinstance(message, dict) else {}
        reply = await provider.handle(json.dumps(message).encode())
        if reply.data is None:
            assert message.get("id") is None  # a notification of a type nobody knows
            continue
        answer = decode(reply.data)
        if isinstance(answer, Error):
            assert answer.code in LIFECYCLE_CODES | {"bad_request"}, (answer, message)
        if isinstance(answer, RecordsAppended):
            for receipt in answer.response.receipts:
                assert (receipt.code is None) == (receipt.status != "rejected")
                assert receipt.code in {*LIFECYCLE_CODES, None}
    reply = await provider.handle(json.dumps(append(record("good"))).encode())
    assert reply.data is not None
    assert b'"accepted"' in reply.data


async def test_a_damaged_record_is_kept_whole_or_not_at_all(provider: Provider) -> None:
    chance = random.Random(7)
    for number in range(200):
        document = damage({**chance.choice(fixtures()), "record_id": f"r{number}"}, chance)
        from memory_provider.protocol.lifecycle.hashing import CanonicalizationError, hashed

        try:
            document = hashed(document)
        except CanonicalizationError:
            continue
        record_id = document.get("record_id")
        await provider.handle(json.dumps(append(document)).encode())
        if not isinstance(record_id, str) or not record_id:
            continue
        reply = await provider.handle(json.dumps(get(record_id)).encode())
        assert reply.data is not None
        [lookup] = json.loads(reply.data)["response"]["records"]
        assert lookup["status"] == "not_found" or lookup["record"] == document
