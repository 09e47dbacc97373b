"""Idempotency keys from what an entry says: the same file loaded again, from anywhere, asks for nothing new."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import Any

from ..memory.values import to_object_value
from ..memory.writing.operations import Unset
from ..temporal.instants import Instant
from .items import ChangeItem, EpisodeItem, Item, Side


class Keys:
    """The keys of one file. What it says twice, in the same words, has two."""

    def __init__(self) -> None:
        self._seen: Counter[int] = Counter()
        self._episodes: dict[str, str] = {}

    def key_of(self, item: Item, recorded_at: Instant | None) -> str:
        """The key of the next item of the file."""
        said = _episode(item) if isinstance(item, EpisodeItem) else self._change(item)
        text = json.dumps([*said, recorded_at], ensure_ascii=False)
        mark = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        self._seen[int(mark[:16], 16)] += 1
        times = self._seen[int(mark[:16], 16)]
        key = f"seed:{mark}" if times == 1 else f"seed:{mark}:{times}"
        if isinstance(item, EpisodeItem) and item.id is not None:
            self._episodes[item.id] = key
        return key

    def _change(self, item: ChangeItem) -> list[Any]:
        file = item.file
        return [
            item.kind,
            item.subject,
            item.predicate,
            None if item.object is None else to_object_value(item.object),
            _side(item.valid_from),
            _side(item.valid_to),
            None if item.replaces is None else to_object_value(item.replaces),
            None if item.cites is None else self._episodes.get(item.cites),
            None if file is None else [file.uri, file.digest, file.range],
            item.by,
            item.confidence,
        ]


def _episode(item: EpisodeItem) -> list[Any]:
    return ["episode", item.id, item.text, item.occurred_at, item.speaker, item.session, item.source]


def _side(side: Side) -> Any:
    return "left out" if isinstance(side, Unset) else side
