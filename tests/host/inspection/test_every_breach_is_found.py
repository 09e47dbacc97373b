"""Each way of breaking a requirement is found, under its name and no other: no check is vacuous."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory_provider.host.inspection import REQUIREMENTS, Report, Status
from memory_provider.host.inspection.runner import inspect_over

from .modes import MODES, WRITES
from .small_provider import Spoil
from .wires import ProcessLike, ServerLike

PATIENCE = 0.3
"""Nothing here takes time, so whoever has not answered by now never will."""


BY_WRITING = {id for mode in WRITES.values() for id in mode.breaks}


async def report(spoil: Spoil, *, is_stdio: bool = True, **options: Any) -> Report:
    make: Callable[[Spoil], Any] = ProcessLike if is_stdio else ServerLike
    return await inspect_over(
        lambda: make(spoil), is_stdio=is_stdio, is_here=True, patience=PATIENCE, settle=0.01, **options
    )


def broken(report: Report) -> set[str]:
    return {each.requirement.id for each in report.of(Status.BROKEN)}


def as_it_should(moment: str, asked: Any, what: Any) -> Any:
    return what


@pytest.mark.parametrize("is_stdio", [True, False])
async def test_a_provider_that_does_everything_right(is_stdio: bool) -> None:
    found = await report(as_it_should, is_stdio=is_stdio)
    assert not found.of(Status.BROKEN), [each.evidence for each in found.of(Status.BROKEN)]
    unseen = {each.requirement.id for each in found.of(Status.NOT_OBSERVED)}
    assert unseen == {"C3", "U4", "LR2", "LX4", "LO-ID1", "LO-ID2", "LO-ID3", "LO-ID4"}
    assert {each.requirement.id for each in found.of(Status.NOT_APPLICABLE)} == {"T4" if is_stdio else "T1"}


async def test_writing_shows_the_rest_and_is_taken_back() -> None:
    erased: list[str] = []

    def spoil(moment: str, asked: Any, what: Any) -> Any:
        if moment == "memory-provider:records_erase":
            erased.extend(each["record_id"] for each in what["response"]["receipts"])
        return what

    found = await report(spoil, writes=True)
    assert not broken(found)
    for id in BY_WRITING:
        assert found[id].status is Status.MET
    assert len(erased) == 2 and all(id.startswith("inspection-") for id in erased)


async def test_nothing_is_written_unasked() -> None:
    moments: set[str] = set()

    def spoil(moment: str, asked: Any, what: Any) -> Any:
        moments.add(moment)
        return what

    await report(spoil)
    assert "memory-provider:records_get" in moments
    assert not {"memory-provider:records_append", "memory-provider:records_erase"} & moments


@pytest.mark.parametrize("name", WRITES)
async def test_each_mode_of_writing_breaks_its_requirement(name: str) -> None:
    found = await report(WRITES[name].spoil, writes=True)
    assert broken(found) == WRITES[name].breaks


@pytest.mark.parametrize("name", MODES)
async def test_each_mode_breaks_its_requirements_and_no_other(name: str) -> None:
    mode = MODES[name]
    found = await report(mode.spoil)
    assert broken(found) - {"LP-ID1"} == mode.breaks, {
        each.requirement.id: [seen.what for seen in each.evidence if not seen.holds]
        for each in found.of(Status.BROKEN)
    }
    core = [each for each in found.broken("MUST") if not each.requirement.id.startswith("L")]
    assert (found["LP-ID1"].status is Status.BROKEN) is bool(core)
    assert found.passes() is not bool(found.broken("MUST"))
    assert not found.passes(strict=True)


def test_every_requirement_that_can_be_seen_is_broken_by_some_mode() -> None:
    tried = {id for mode in MODES.values() for id in mode.breaks}
    seen = {each.id for each in REQUIREMENTS if each.unseen is None} - BY_WRITING
    assert tried == seen - {"LP-ID1", "T4"}  # broken by others, and over HTTP
