"""Compact and reference frames are frozen like full ones, each for the question it answers; so is what they lead to."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from memory_provider import Memory

from .freeze_representations import FILE, Answers, answers_of
from .history import Recorded, write_history

pytestmark = pytest.mark.anyio

FROZEN: Answers = json.loads(FILE.read_bytes())


async def test_frames_with_handles_are_as_they_were(
    store_address: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = Recorded(monkeypatch)
    async with Memory.open(store_address, scope=scope) as memory:
        await write_history(memory, recorded)
        answers = await answers_of(memory, recorded)
        assert {asked: answers.get(asked) for asked in FROZEN} == FROZEN
        everything = [frame for frames in FROZEN.values() for frame in frames.values()]
        for uri, digest in {
            (frame["content_ref"]["uri"], frame["canonical_content_hash"]) for frame in everything
        }:
            content = (await memory.resolve(uri)).content
            assert f"sha256:{sha256(content.encode()).hexdigest()}" == digest
        compact = {(frame["id"], frame["content_digest"]) for frame in everything if "content" in frame}
        assert {each.status for each in await memory.verify(sorted(compact))} == {"valid"}


def test_what_is_frozen_is_worth_it() -> None:
    everything = [frame for frames in FROZEN.values() for frame in frames.values()]
    assert {frame["representation"] for frame in everything} == {"compact", "reference"}
    references = [frame for frame in everything if frame["representation"] == "reference"]
    assert {frame["kind"] for frame in references} == {"fact", "episode", "graph"}
    compact = {
        (frame["id"], frame["content_digest"]): frame["content"] for frame in everything if "content" in frame
    }
    assert len(compact) > len({id for id, _ in compact}) > 2, "several extracts of one frame"
