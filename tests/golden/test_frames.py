"""Ids, contents, digests and all else that frames say are frozen: the same over every store, today and later.

Later work may add frames (`python -m tests.golden.freeze`), never change these.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from memory_provider import Memory

from .freeze import FILE, served_by

pytestmark = pytest.mark.anyio

FROZEN: dict[str, dict[str, dict[str, Any]]] = json.loads(FILE.read_bytes())


async def test_frames_are_as_they_were(
    store_address: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        served = await served_by(memory.store, scope, monkeypatch)
        for view, frozen in FROZEN.items():
            assert {id: served[view].get(id) for id in frozen} == frozen, view
        latest = [
            frame
            for view in ("2026-06-15, all known", "2024-03-01, all known")
            for frame in FROZEN[view].values()
        ]
        verdicts = await memory.verify([(frame["id"], frame["content_digest"]) for frame in latest])
        assert {verdict.status for verdict in verdicts} == {"valid"}
        records = FROZEN["records, 2026-05-15, all known"].values()
        held = [(frame["id"], frame["content_digest"]) for frame in records]
        verdicts = await Memory(memory.store, f"{scope}/records").verify(held)
        assert {verdict.status for verdict in verdicts} == {"valid"}


def test_what_is_frozen_is_worth_it() -> None:
    everything = [frame for frozen in FROZEN.values() for frame in frozen.values()]
    assert {frame["kind"] for frame in everything} == {"fact", "episode", "graph", "memory"}
    assert any(frame["id"].endswith("#3") for frame in everything), "a chunk of a long episode"
    parts = {frame["id"].split(":")[2] for frame in everything if frame["kind"] == "graph"}
    assert "all" in parts
    assert any(part.endswith("-out-4-3") for part in parts), "a neighbourhood cut by direction and by bucket"
    for frame in everything:
        assert frame["content_digest"] == f"sha256:{sha256(frame['content'].encode()).hexdigest()}"
    seen: dict[tuple[str, str], str] = {}
    for frame in everything:
        assert seen.setdefault((frame["id"], frame["content_digest"]), frame["content"]) == frame["content"]
