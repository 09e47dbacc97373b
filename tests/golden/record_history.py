"""A fixed history of context records, in a scope of its own. What is frozen of it is in `frames.json` with the others.

Never change what is here: ids, contents and digests are frozen. A new shape of frame gets a history of its own.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from memory_provider import Memory
from memory_provider.memory.records.context_records import NewContextRecord, Retention

from .history import Recorded

RECORD_QUESTIONS = ("deploy pipeline retry ceiling", "tea kettle", "Zoë diffs 茶", "milk")

RETRY = "the retry ceiling for the deploy pipeline is {} attempts"


def _record(number: int, lineage: str, kind: str, says: str | None, **changed: Any) -> NewContextRecord:
    body = json.dumps({"record_id": f"rec_{number}", "statement": says}, ensure_ascii=False)
    return NewContextRecord(
        **{
            "record_id": f"rec_{number}",
            "lineage_id": lineage,
            "kind": kind,
            "status": "active",
            "observed_at": "2026-04-30T14:00:00.25Z",
            "sharing_scope": "user",
            "digest": "sha256:" + sha256(body.encode()).hexdigest(),
            "body": body,
            "statement": says,
            "subject_scope": {"user_id": "user_mac", "workspace_id": "ws_main"},
            **changed,
        }
    )


async def write_records(memory: Memory, recorded: Recorded) -> None:
    """Everything. Each list is one batch."""
    for batch in (
        [
            _record(1, "lin_retry", "knowledge", RETRY.format("five"), by="Ann"),
            _record(2, "lin/ünï 茶?#%", "memory", "Zoë prefers terse\nreview-ready “diffs” – 茶が熱い "),
            _record(3, "lin_seen", "observation", "the tea kettle was seen on the shelf"),
        ],
        [
            _record(
                4,
                "lin_kettle",
                "memory",
                "The tea kettle stands on the shelf.",
                valid_from="2026-05-01T00:00:00Z",
                valid_to="2026-06-01T00:00:00.000001Z",
                retention=Retention("ages", timedelta(days=365_000)),
            ),
            _record(5, "lin_milk", "memory", "No milk in the tea."),
        ],
        [_record(6, "lin_retry", "knowledge", RETRY.format("three"))],
        [_record(7, "lin_milk", "memory", "No milk in the tea.", status="retracted", by="Zoë")],
        [_record(8, "lin_long", "memory", "tea, " * 900 + "and more tea.", by="a name " * 40)],
        [_record(9, "lin_gone", "memory", "The code of the tea tin is 1234.")],
    ):
        await memory.append_records(batch, client="agent://coder", recorded_at=recorded.next())
    await memory.erase(record="rec_9", reason="asked to", recorded_at=recorded.next())


def record_moments(recorded: Recorded) -> dict[str, tuple[str, datetime]]:
    """The views that are frozen: `as_of` and `known_at`."""
    return {
        "records, 2026-05-15, all known": ("2026-05-15T00:00:00Z", recorded.at(7)),
        "records, 2026-06-15, all known": ("2026-06-15T00:00:00Z", recorded.at(7)),
        "records, 2026-05-15, before the corrections": ("2026-05-15T00:00:00Z", recorded.at(2)),
    }
