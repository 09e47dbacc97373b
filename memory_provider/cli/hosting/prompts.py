"""A composed prompt and the books on it, printed."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from ..showing.output import print_lines, printable, write
from ..showing.shapes import Shape
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...host import AuditEntry, ComposedPrompt, Offered, UsageReport


def print_prompt(prompt: ComposedPrompt) -> None:
    """The prompt as it is, for whatever reads it; where that is a terminal, nothing in it can steer it."""
    write(printable(prompt.text) if sys.stdout.isatty() else prompt.text)


def prompt_shape(prompt: ComposedPrompt) -> Shape:
    """A prompt as `--json` has it, with its frames as they were answered."""
    from ...protocol.encoding import plain

    return {
        "prompt": prompt.text if prompt.frames else "",
        "frames": [_frame(each) for each in prompt.frames],
        "citations": [
            {"label": each.label, "frame": plain(each.frame), "provenance": plain(each.provenance)}
            for each in prompt.citations
        ],
        "audit": prompt.audit.plain(),
    }


def _frame(offered: Offered) -> Shape:
    """A frame as it was answered, under the id of its provider here: the provider itself has no say in that."""
    from ...protocol.encoding import plain

    provider = {"provider_id": offered.provider_id}
    return {**provider, **plain(offered.frame), **provider}


def print_books(prompt: ComposedPrompt, usage: UsageReport) -> None:
    """Every frame that was offered, what became of it, and what the answers cost."""
    audit = prompt.audit
    print_lines("")
    if audit.entries:
        print_table(
            ["provider", "outcome", "evidence", "frame"],
            [
                (each.frame.provider_id, _outcome(each), each.verdict.status.value, each.frame.frame_id)
                for each in sorted(audit.entries, key=_place)
            ],
            text=1,
            ids=3,
        )
        print_lines("")
    print_table(
        ["provider", "frames", "rejected", "tokens"],
        [
            (each.provider_id, str(each.frames_served), str(each.frames_rejected), str(each.token_cost))
            for each in usage.providers
        ],
    )
    print_lines(
        "",
        f"prompt: {audit.tokens_used} of {audit.global_budget} tokens, ranked {audit.ranking}",
        f"usage: {usage.budget_consumed} of {usage.budget_requested} tokens",
    )


def _place(entry: AuditEntry) -> float:
    """Those in the prompt as they stand in it, then the others as they come."""
    from ...host.composition import Included

    disposition = entry.disposition
    return disposition.position if isinstance(disposition, Included) else math.inf


def _outcome(entry: AuditEntry) -> str:
    from ...host.composition import Duplicate, Included, OverBudget, Rejected

    match entry.disposition:
        case Included(position, rank, cost, _):
            return f"included as block {position + 1}, rank {rank + 1}: {cost} tokens"
        case Duplicate(of, by):
            return f"duplicate of {of.frame_id} of {of.provider_id}: same {by.value}"
        case OverBudget(cost, remaining):
            return f"over budget: {cost} tokens, {remaining} were left"
        case Rejected(reasons):
            return f"rejected: {'; '.join(reasons)}"
