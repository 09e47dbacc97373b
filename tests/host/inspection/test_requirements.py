"""The table of requirements is the protocol's."""

from __future__ import annotations

import json

from memory_provider.host.inspection import REQUIREMENTS
from tests.protocol.test_obligations import ROOT

DUE = [
    (each["id"], each["level"], each["requirement"])
    for each in json.loads((ROOT / "tests" / "data" / "protocol" / "requirements.json").read_bytes())
    if each["party"] in ("provider", "both")
]


def test_every_requirement_on_a_provider_is_there_in_its_own_words() -> None:
    assert [(each.id, each.level, each.text) for each in REQUIREMENTS] == DUE


def test_few_cannot_be_seen_and_each_says_why() -> None:
    assert [each.id for each in REQUIREMENTS if each.unseen] == ["C3", "U4", "LX4", "LO-ID3", "LO-ID4"]
