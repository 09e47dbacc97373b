"""How a write's receipt is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .output import note, print_json, print_lines
from .shapes import instant_text, receipt_shape, window_text

if TYPE_CHECKING:
    from ...memory.writing.receipts import ClosedFact, Receipt
    from ..settings import Settings


def show(settings: Settings, receipt: Receipt, did: str) -> None:
    """The ids written on stdout, what was closed and every warning; with `--json` the whole receipt."""
    note(*(f"warning: {each}" for each in receipt.warnings))
    if settings.json:
        print_json(receipt_shape(receipt))
        return
    if receipt.erased:
        note("nothing written: what was written under this key has been erased since")
        return
    if receipt.duplicate:
        note(f"nothing written: done under this key at {instant_text(receipt.recorded_at)}")
    else:
        note(f"{did} at {instant_text(receipt.recorded_at)}")
    print_lines(*receipt.episode_ids, *receipt.fact_ids)
    for each in receipt.closed:
        note(f"{'ended' if each.ended else 'changed'}: {closed_text(each)}")


def closed_text(closed: ClosedFact) -> str:
    """What a closed fact said before."""
    return f"{closed.statement} ({window_text(closed.valid_from, closed.valid_to)}) {closed.id}"
