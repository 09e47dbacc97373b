"""Compact and reference frames of the fixed history, as they are sent, and the file they are frozen in.

    python -m tests.golden.freeze_representations

adds the answers that are not in the file yet. It refuses to change one that is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_provider import Memory

from .freeze import as_sent
from .history import Recorded, moments, write_history

FILE = Path(__file__).with_name("representations.json")

QUESTIONS = ("minutes of the meeting", "Point 4.11 kettle", "where does Alice live?", "茶が熱い")

Answers = dict[str, dict[str, dict[str, Any]]]
"""By what was asked, then by frame id: everything that a frame with a handle says on the wire but its score."""


async def answers_of(memory: Memory, recorded: Recorded) -> Answers:
    """What is answered to each question, asked in each way, in each of the frozen views."""
    found: Answers = {}
    for name, (as_of, known_at) in moments(recorded).items():
        for question in QUESTIONS:
            for accepted in ("compact", "reference"):
                recall = await memory.at(as_of=as_of, known_at=known_at).recall(
                    question, max_frames=1000, max_tokens=2**31, representations=[accepted]
                )
                assert not recall.truncated
                frames = {frame["id"]: frame for frame in as_sent(recall.frames) if "representation" in frame}
                for frame in frames.values():
                    frame.pop("score")
                if frames:
                    found[f"{name}; {question}; {accepted}"] = dict(sorted(frames.items()))
    return found


async def _write(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = Recorded(monkeypatch)
    async with Memory.open("memory:", scope="golden") as memory:
        await write_history(memory, recorded)
        answers = await answers_of(memory, recorded)
    frozen: Answers = json.loads(FILE.read_bytes()) if FILE.exists() else {}
    changed = [asked for asked in frozen if frozen[asked] != answers.get(asked)]
    if changed:
        sys.exit(f"these answers are frozen, and would change: {'; '.join(changed)}")
    FILE.write_text(json.dumps(answers, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print({asked: len(frames) for asked, frames in answers.items()})


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        anyio.run(_write, patch)
