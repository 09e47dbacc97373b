"""What the frames of the fixed history are, and the file they are frozen in.

    python -m tests.golden.freeze

adds the frames that are not in the file yet. It refuses to change one that is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_provider import Memory
from memory_provider.memory.evidence.frames import Frame
from memory_provider.protocol import ContextQueryResult, encode
from memory_provider.protocol import Frames as FramesEnvelope
from memory_provider.provider.frames import context_frame
from memory_provider.store.contract import Store

from .history import ENTITIES, QUESTIONS, Recorded, is_one_of_many, moments, write_history
from .record_history import RECORD_QUESTIONS, record_moments, write_records

FILE = Path(__file__).with_name("frames.json")

Frames = dict[str, dict[str, Any]]
"""By frame id: everything a frame says on the wire but its score, which depends on the question and the store."""


async def frames_of(memory: Memory, recorded: Recorded) -> dict[str, Frames]:
    """The frames of each frozen view, by its name."""
    return {name: await _frames_at(memory, *view) for name, view in moments(recorded).items()}


async def served_by(store: Store, scope: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Frames]:
    """Write both histories, each in a scope of its own: the frames of each frozen view."""
    recorded = Recorded(monkeypatch)
    memory = Memory(store, scope)
    await write_history(memory, recorded)
    served = await frames_of(memory, recorded)
    recorded = Recorded(monkeypatch)
    memory = Memory(store, f"{scope}/records")
    await write_records(memory, recorded)
    for name, view in record_moments(recorded).items():
        served[name] = await _frames_at(memory, *view, RECORD_QUESTIONS)
    return served


async def _frames_at(
    memory: Memory, as_of: Any, known_at: Any, questions: Sequence[str] = QUESTIONS
) -> Frames:
    found: Frames = {}
    view = memory.at(as_of=as_of, known_at=known_at)
    for question in questions:
        recall = await view.recall(question, max_tokens=2**31, max_frames=1000, anchors=ENTITIES)
        assert not recall.truncated
        for frame in as_sent(recall.frames):
            frame.pop("score")
            if not is_one_of_many(frame):
                assert found.setdefault(frame["id"], frame) == frame, "a frame depends on the question"
    return dict(sorted(found.items()))


def as_sent(frames: list[Frame]) -> list[dict[str, Any]]:
    result = ContextQueryResult(
        frames=tuple(context_frame(frame, "memory-provider") for frame in frames), truncated=False
    )
    sent: list[dict[str, Any]] = json.loads(encode(FramesEnvelope(result=result)))["result"]["frames"]
    return sent


async def _write(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Memory.open("memory:", scope="golden") as memory:
        served = await served_by(memory.store, "golden", monkeypatch)
    frozen: dict[str, Frames] = json.loads(FILE.read_bytes()) if FILE.exists() else {}
    for name, frames in served.items():
        known = frozen.setdefault(name, {})
        changed = [id for id in known if known[id] != frames.get(id)]
        if changed:
            sys.exit(f"{name}: these frames are frozen, and would change: {', '.join(changed)}")
        frozen[name] = dict(sorted((known | frames).items()))
    FILE.write_text(json.dumps(frozen, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print({name: len(frames) for name, frames in frozen.items()})


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        anyio.run(_write, patch)
