"""What became of the candidates of a recall, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .output import print_lines
from .tables import print_table

if TYPE_CHECKING:
    from ...memory.recall.explanation import RecallCandidate, RecallExplanation


def print_explanation(told: RecallExplanation) -> None:
    """Every candidate on stdout, and below them how many each arm of the search brought."""
    if told.candidates:
        columns = ["rank", "score", "kind", "why", "frame"]
        print_table(columns, [_row(each) for each in told.candidates], text=3, ids=4)
    arms = ", ".join(
        f"{arm.name} {arm.hits}" + (f" (at most {arm.limit})" if arm.limit is not None else "")
        for arm in told.arms
    )
    left = f"; at least {told.left_out} more were left out by these limits" if told.left_out else ""
    print_lines(f"searched: {arms}{left}")


def _row(each: RecallCandidate) -> tuple[str, str, str, str, str]:
    rank = "" if each.rank is None else str(each.rank)
    score = "" if each.score is None else f"{each.score:.2f}"
    found = f"found by {', '.join(each.arms)}"
    if each.parts is not None:
        made_of = [f"{name} {part:.2f}" for name, part in each.parts._asdict().items() if part]
        found += f": {' + '.join(made_of) or 'nothing the question says'}"
    return rank, score, each.kind, f"{_why(each)}\n{found}", each.id


def _why(each: RecallCandidate) -> str:
    match each.outcome:
        case "served":
            whole = each.representation in (None, "full")
            served = "served" if whole else f"served as {each.representation}"
            return f"{served}, {each.token_cost} of {each.remaining} tokens"
        case "over_budget":
            return f"over budget: {each.token_cost} tokens, {each.remaining} were left"
        case "over_max_frames":
            return "over --max-frames: as many as that were served"
        case "not_valid":
            return "does not hold at this time"
        case "kind_not_asked":
            return "of a kind that was not asked for"
