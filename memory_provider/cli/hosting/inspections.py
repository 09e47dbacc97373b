"""An inspection, printed: a row for every requirement, and what was seen of the broken ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..output import note, print_lines
from ..tables import print_table

if TYPE_CHECKING:
    from ...host.inspection import Report, Result


def print_inspection(report: Report) -> None:
    """Broken requirements first, then what was not observed, what was met, and what does not apply."""
    from ...host.errors import peer_text
    from ...host.inspection import Status

    shown = (Status.BROKEN, Status.NOT_OBSERVED, Status.MET)
    rows = [each for status in shown for each in report.of(status)]
    print_table(
        ["requirement", "level", "status", "what was seen"],
        [(each.requirement.id, each.level, each.status.value, _seen(each)) for each in rows],
        text=3,
    )
    others = report.of(Status.NOT_APPLICABLE)
    for reason in dict.fromkeys(each.reason for each in others):
        ids = ", ".join(each.requirement.id for each in others if each.reason == reason)
        print_lines("", f"not applicable, as {reason}: {ids}")
    for result in report.of(Status.BROKEN):
        print_lines("", f"{result.requirement.id}: {result.requirement.text}", *_evidence(result))
    who = f"{peer_text(report.name or 'a provider without a name')} {peer_text(report.version or '')}".strip()
    counts = ", ".join(
        f"{len(report.of(status))} {status.value}" for status in (*shown, Status.NOT_APPLICABLE)
    )
    note(f"{who} over {report.transport}: {counts}")


def _seen(result: Result) -> str:
    """Why there is nothing to see, or the first that was seen: of a broken requirement, a breach."""
    return result.reason or (result.evidence[0].what if result.evidence else "")


def _evidence(result: Result) -> list[str]:
    lines = []
    for each in result.evidence:
        if not each.holds:
            lines.append(f"  {each.what}")
            lines += [
                f"    {name}  {text}" for name, text in (("sent", each.sent), ("came", each.came)) if text
            ]
    return lines
