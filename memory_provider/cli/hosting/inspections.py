"""An inspection, printed: a row for every requirement that was looked at, and what was seen of the broken ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..showing.output import note, print_lines
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...host.inspection import Report, Result


def print_inspection(report: Report) -> None:
    """Broken requirements first, then those that were met, why others were not looked at, and what broke."""
    from ...host.errors import peer_text
    from ...host.inspection import Status

    looked_at = (*report.of(Status.BROKEN), *report.of(Status.MET))
    print_table(
        ["requirement", "level", "status", "what was seen"],
        [(each.requirement.id, each.level, each.status.value, each.evidence[0].what) for each in looked_at],
        text=3,
    )
    for status in (Status.NOT_OBSERVED, Status.NOT_APPLICABLE):
        print_lines("", f"{status.value}:")
        results = report.of(status)
        for reason in dict.fromkeys(each.reason for each in results):
            ids = ", ".join(each.requirement.id for each in results if each.reason == reason)
            print_lines(f"  {reason}: {ids}")
    for result in report.of(Status.BROKEN):
        print_lines("", f"{result.requirement.id}: {result.requirement.text}", *_breaches(result))
    who = f"{peer_text(report.name or 'a provider without a name')} {peer_text(report.version or '')}".strip()
    counts = ", ".join(f"{len(report.of(status))} {status.value}" for status in Status)
    note(f"{who} over {report.transport}: {counts}")


def _breaches(result: Result) -> list[str]:
    lines = []
    for each in result.evidence:
        if not each.holds:
            lines.append(f"  {each.what}")
            lines += [
                f"    {name}  {text}" for name, text in (("sent", each.sent), ("came", each.came)) if text
            ]
    return lines
