"""Providers that nobody here wrote break exactly what is known of them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from memory_provider.host.inspection import Status, inspect_provider
from tests.host.test_real_providers import EXAMPLES

KNOWN = {
    "T3": "a notification of an unknown type is answered",
    "H3": "a host of 2.0 is acknowledged",
    "H7": "and one of 10.0",
    "H4": "an error has no id",
    "QFMT": "any as_of is taken",
    "D1": "a digest is that of the file, not of the content",
    "B1": "max_tokens is ignored",
    "B4": "max_frames is ignored",
    "R1": "invalid UTF-8 ends it",
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.parts[-3])
async def test_the_example_of_the_protocol_s_own_crates(example: Path) -> None:
    report = await inspect_provider(f"stdio: {shlex.quote(str(example))}")
    broken = {each.requirement.id: each for each in report.of(Status.BROKEN)}
    assert set(broken) == set(KNOWN)
    assert not report.passes()
    assert broken["QFMT"].level == broken["H7"].level == "SHOULD"
    ended = [each.what for each in broken["R1"].evidence if not each.holds]
    assert any("invalid UTF-8" in what and "exit code" in what for what in ended)
    signed = "2.0.0" in example.parts
    assert (report["F7"].status is Status.MET) is signed
    unseen = {each.requirement.id for each in report.of(Status.NOT_OBSERVED)}
    assert unseen == {"C3", "U4"} | ({"F12"} if signed else set())
