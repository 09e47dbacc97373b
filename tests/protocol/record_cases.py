"""The upstream record fixtures, and records like them with something changed."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data/protocol"
FIXTURES = DATA / "fixtures"

KINDS = (
    "observation",
    "knowledge",
    "memory",
    "directive",
    "record_proposal",
    "evidence",
    "artifact_contract",
    "contract_validation",
    "outcome_assessment",
    "promotion_event",
    "context_use",
    "context_use_feedback",
)


def fixture(kind: str) -> Any:
    """The fixture of a kind of record, as plain JSON."""
    return json.loads((FIXTURES / f"{kind}.json").read_bytes())


def changed(kind: str, change: Callable[[Any], object]) -> Any:
    """The fixture of a kind after a change to it."""
    record = copy.deepcopy(fixture(kind))
    change(record)
    return record


def without(kind: str, *members: str) -> Any:
    """The fixture of a kind, some members of it left out."""
    return {name: value for name, value in fixture(kind).items() if name not in members}
