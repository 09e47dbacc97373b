"""Seed files for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memory_provider.memory.api import Memory

Entry = Mapping[str, Any]


def write_lines(path: Path, entries: Iterable[Entry]) -> Path:
    """A JSON Lines file."""
    path.write_text(
        "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in entries), encoding="utf-8"
    )
    return path


def fact(number: int, **more: Any) -> dict[str, Any]:
    """A fact that no other is like."""
    return {
        "type": "fact",
        "subject": f"subject {number % 7}",
        "predicate": "p",
        "object": f"object {number}",
        **more,
    }


async def rows(memory: Memory, *, clocks: bool = True) -> list[tuple[object, ...]]:
    """Everything the history of a scope says, without ids; with `clocks`, also when it was recorded."""
    found = []
    after = None
    while True:
        page = await memory.history(after=after)
        for each in page:
            recorded = (each.recorded_at, each.superseded_at) if clocks else ()
            sources = tuple(sorted((str(one.by), one.method, bool(one.episode_id)) for one in each.sources))
            window = (each.valid_from, each.valid_to) if clocks else ()
            found.append((each.subject, each.predicate, each.object, *window, *recorded, sources))
        after = page.cursor
        if after is None:
            return sorted(found, key=repr)
