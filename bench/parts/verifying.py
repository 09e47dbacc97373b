"""`verify` of a thousand frames, beside a look-up of a thousand digests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from ..counting import statements
from ..measuring import Effort, compare
from ..results import Row, compared
from ..stores import Measured

PART = "Verifying 1,000 frames"
FRAMES = 1000


async def run(measured: Measured, effort: Effort) -> AsyncIterator[Row]:
    """One call, all of them valid."""
    memory, by_hand = measured.memory, measured.by_hand
    held = await memory.at().facts(limit=FRAMES)
    frames = [(each.id, each.digest) for each in held]
    ids = [each.id for each in held]
    verdicts = await memory.verify(frames)
    if any(each.status != "valid" for each in verdicts) or len(await by_hand.digests(ids)) != len(ids):
        raise RuntimeError("what was just read does not verify")

    async def ours(_: Any) -> Any:
        return await memory.verify(frames)

    async def theirs(_: Any) -> Any:
        found = await by_hand.digests(ids)
        return [found.get(id) == digest for id, digest in frames]

    count = await statements(measured, lambda: memory.verify(frames))
    found = await compare(ours, theirs, [None], effort)
    yield compared(PART, measured.name, f"verify({len(frames)} frames)", found)
    target, note = (
        ("<= 1", "") if measured.path is None else ("", "however many frames, in one read transaction")
    )
    yield Row(
        PART, measured.name, "statements of that call", value=float(count), unit="", target=target, note=note
    )
