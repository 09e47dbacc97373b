"""Nothing of one scope reaches another: not what it holds, not that it holds it, and not that it is there.

Whoever asks knows everything of the other scope (ids, digests, names, words) and tries all of it in every request.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import unquote

import pytest

from memory_provider import Memory
from memory_provider.access import Principal, Right
from memory_provider.errors import NotFound
from memory_provider.provider import SCOPE, Provider, data_flow

from .isolation import (
    AS_OF,
    SECRETS,
    Known,
    appended,
    asks,
    guess,
    on_records,
    query,
    resolve,
    verify,
    write_foreign,
    write_own,
)

pytestmark = pytest.mark.anyio


class Stranger:
    """Reads in a scope of its own, and in nothing else."""

    def __init__(self, memory: Memory, scope: str) -> None:
        self.memory = memory.scoped(f"{scope}/own")
        self.foreign = memory.scoped(f"{scope}/foreign")
        self.missing = f"{scope}/missing"
        self._provider = Provider(memory, data_flow=data_flow(local=True))
        self._principal = Principal("stranger", self.memory.scope, rights=frozenset(Right))

    async def reply(self, message: dict[str, Any]) -> bytes:
        """What is answered, byte for byte."""
        return (await self._provider.handle(json.dumps(message).encode(), self._principal)).data or b""


@pytest.fixture
async def stranger(anyio_backend: str, store_address: str, scope: str) -> AsyncIterator[Stranger]:
    async with Memory.open(store_address, scope=f"{scope}/first") as memory:
        found = Stranger(memory, scope)
        await write_own(found.memory)
        yield found


@pytest.fixture
async def known(stranger: Stranger) -> Known:
    return await write_foreign(stranger.foreign)


def put(text: bytes, known: Known, guessed: Known) -> bytes:
    """An answer to a guess, as it would be about what is known."""
    for true, made_up in sorted(guessed.texts.items(), key=lambda each: -len(each[1])):
        text = text.replace(made_up.encode(), true.encode())
    return text


async def test_nothing_of_another_scope_is_served(stranger: Stranger, known: Known) -> None:
    for message in asks(known):
        asked = unquote(json.dumps(message))
        answer = (await stranger.reply(message)).decode()
        told = [secret for secret in (*SECRETS, *known.digests) if secret in answer and secret not in asked]
        assert not told, message
        for verdict in json.loads(answer).get("response", {}).get("verdicts", []):
            assert verdict["status"] == "unknown", verdict
            assert "replacement_digest" not in verdict


async def test_not_yours_is_not_there(stranger: Stranger, known: Known) -> None:
    """What is true of another scope and what is true of none are answered with the same bytes, apart from the ids."""
    guessed = guess(known)
    for message, other in zip(asks(known), asks(guessed), strict=True):
        about_known = await stranger.reply(message)
        about_nothing = put(await stranger.reply(other), known, guessed)
        assert about_known == about_nothing, message


async def test_another_scope_changes_no_answer(stranger: Stranger) -> None:
    """Neither what it holds nor that it is there: no score, no rank, no count, no order."""
    nothing = Known({}, ("kettle", "shelf", "Ada"), ("copper", "water", "whistles"))
    before = [await stranger.reply(message) for message in asks(nothing)]
    known = await write_foreign(stranger.foreign)
    assert [await stranger.reply(message) for message in asks(nothing)] == before
    before = [await stranger.reply(message) for message in asks(known)]
    for name in known.names:
        await stranger.foreign.erase(entity=name, reason="asked to")
    assert [await stranger.reply(message) for message in asks(known)] == before
    await stranger.foreign.store.erase_scope(stranger.foreign.scope)
    assert [await stranger.reply(message) for message in asks(known)] == before


async def test_what_is_written_meets_nothing_of_another_scope(stranger: Stranger, known: Known) -> None:
    """Ids, lineages and idempotency keys of another scope are free here, and stay what they were there."""
    before = await stranger.foreign.records(known.records)
    first, lineage, second, _ = known.records
    for message in (appended(first, lineage), appended(second, lineage)):
        [receipt] = json.loads(await stranger.reply(message))["response"]["receipts"]
        assert (receipt["status"], receipt.get("superseded_record_id")) == ("accepted", None)
        await stranger.reply(on_records("erase", [receipt["record_id"]], reason="mine"))
        await stranger.memory.store.erase_scope(stranger.memory.scope)
    assert await stranger.foreign.records(known.records) == before
    answer = json.loads(await stranger.reply(on_records("get", [*known.records, first])))
    assert {each["status"] for each in answer["response"]["records"]} == {"not_found"}


async def test_a_scope_by_name_is_the_same_as_none(stranger: Stranger, known: Known) -> None:
    handle = resolve(*next(iter(known.digests.items())))
    for ask, code in (
        (query("copper"), "bad_request"),
        (verify(known.digests), "bad_request"),
        (handle, "scope_denied"),
        (on_records("get", known.records), "scope_denied"),
        (on_records("erase", known.records, reason="mine"), "scope_denied"),
    ):
        body = next(ask[name] for name in ("query", "request") if name in ask)
        answers = []
        for name in (stranger.foreign.scope, stranger.missing):
            body[SCOPE] = name
            answers.append(await stranger.reply(ask))
        assert json.loads(answers[0])["code"] == code
        assert answers[0] == answers[1]


async def test_the_memory_itself_keeps_to_its_scope(stranger: Stranger, known: Known) -> None:
    """What has no request of its own: walks, explanations, histories, timelines, changes."""
    memory, guessed = stranger.memory, guess(known)
    view = memory.at(as_of=AS_OF)

    async def seen(each: Known) -> str:
        found: list[Any] = []
        for name in each.names:
            found.append(await view.graph(name, depth=5))
            found.append(await view.facts(name))
            found.append(await memory.history(name))
            found.append(await memory.timeline(name, "made of"))
            found.append(await memory.timeline(name, "kept_on"))
        found.append(await memory.changes())
        for id in (*each.digests, *(f"{kind}:{id}" for id in each.records for kind in ("record", "lineage"))):
            with pytest.raises(NotFound) as refused:
                await memory.explain(id)
            found.append(str(refused.value))
        found.append(await memory.records(each.records))
        found += [await memory.lineage(id) for id in each.records]
        return repr(found)

    about_known, about_nothing = await seen(known), await seen(guessed)
    assert about_known == put(about_nothing.encode(), known, guessed).decode()
    asked = {*known.digests, *known.names, *known.words}
    assert not [each for each in SECRETS if each in about_known and not any(each in text for text in asked)]


async def test_the_other_scope_has_what_is_tried(stranger: Stranger, known: Known) -> None:
    """The tests above do not pass for want of anything to find."""
    owner = Principal("owner", stranger.foreign.scope, rights=frozenset({Right.READ}))
    provider = Provider(stranger.foreign, data_flow=data_flow(local=True))
    answers = b"".join(
        [(await provider.handle(json.dumps(message).encode(), owner)).data or b"" for message in asks(known)]
    ).decode()
    assert [secret for secret in SECRETS if secret not in answers] == []
    assert sum(f'"id":"{id}"' in answers for id in known.digests) > 20
    assert '"status":"valid"' in answers
    assert '"status":"stale"' in answers
    assert '"type":"memory-provider:resolved"' in answers
    assert '"code":"content_hash_mismatch"' in answers
    assert '"status":"found"' in answers
