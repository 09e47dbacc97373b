"""The provider in `examples/` that the documents ask beside a memory keeps to the protocol."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from memory_provider.host import Host, compose_answers
from memory_provider.host.inspection import inspect_provider
from memory_provider.protocol import ContextQuery

NOTES = Path(__file__).parents[2] / "examples" / "providers" / "notes.py"
ADDRESS = f"stdio: {shlex.join([sys.executable, str(NOTES)])}"
GOAL = "where does Noor live in Lisbon, and is the tram stop closed?"


async def test_it_breaks_no_rule_that_can_be_seen() -> None:
    report = await inspect_provider(ADDRESS, goal=GOAL)
    assert report.broken("MUST") == report.broken("SHOULD") == ()


async def test_its_frames_are_quoted_verified_and_kept_within_the_budget() -> None:
    async with Host(strict=True) as host:
        host.add("notes", ADDRESS)
        [outcome] = await host.query(ContextQuery(goal=GOAL, max_frames=3, max_tokens=75))
        prompt = compose_answers([outcome], 75)
        assert len(prompt.frames) == 2
        held = [each.identity for each in prompt.frames]
        assert list((await host.verify(held)).retained) == held
