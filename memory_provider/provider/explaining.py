"""Why each candidate of a query was served or not, as a member of the result: ids and numbers, no contents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..memory.recall.explanation import RecallCandidate, RecallExplanation

MOST_CANDIDATES: Final = 4096
"""How many are told; an anchor may name an episode of any number of chunks."""

NOTHING: Final[Mapping[str, Any]] = {"candidates": [], "arms": [], "left_out": 0}
"""Of a query that was answered without a search."""


def told(explanation: RecallExplanation, not_valid: Collection[str] = ()) -> dict[str, Any]:
    """The account on the wire. Candidates with an id in `not_valid` were found and do not hold at the instant."""
    found = explanation.candidates
    account = {
        "candidates": [_candidate(each) for each in found[:MOST_CANDIDATES]],
        "arms": [
            {"name": arm.name, "hits": arm.hits}
            if arm.limit is None
            else {"name": arm.name, "hits": arm.hits, "limit": arm.limit}
            for arm in explanation.arms
        ],
        "left_out": explanation.left_out,
    }
    if len(found) > MOST_CANDIDATES:
        account["candidates_omitted"] = len(found) - MOST_CANDIDATES
    return changed(account, not_valid, "not_valid")


def changed(account: Mapping[str, Any], ids: Collection[str], outcome: str) -> dict[str, Any]:
    """The same with another outcome for some candidates."""
    candidates = [
        {**each, "outcome": outcome} if each["id"] in ids else each for each in account["candidates"]
    ]
    return {**account, "candidates": candidates}


def _candidate(each: RecallCandidate) -> dict[str, Any]:
    members = {
        "id": each.id,
        "kind": each.kind,
        "outcome": each.outcome,
        "arms": list(each.arms),
        "rank": each.rank,
        "score": each.score,
        "parts": None if each.parts is None else each.parts._asdict(),
        "token_cost": each.token_cost,
        "remaining": each.remaining,
        "representation": each.representation,
    }
    return {name: value for name, value in members.items() if value is not None}
