"""What is kept of breaches where there are many."""

from __future__ import annotations

from memory_provider.host.inspection import Status
from memory_provider.host.inspection.observations import MOST_KEPT, Observations
from memory_provider.host.inspection.report import results_of


def test_no_number_of_broken_shoulds_hides_a_broken_must() -> None:
    seen = Observations()
    for number in range(2 * MOST_KEPT):
        seen.broken("R1", f"question {number} is answered", level="SHOULD")
    seen.broken("R1", "the process ended")
    [result] = [each for each in results_of(seen) if each.requirement.id == "R1"]
    assert (result.status, result.level) == (Status.BROKEN, "MUST")
    assert [each.what for each in result.evidence] == [
        "the process ended",
        *(f"question {number} is answered" for number in range(MOST_KEPT)),
    ]
    assert result.observations == 2 * MOST_KEPT + 1
