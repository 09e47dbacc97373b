"""What was measured, as rows: written as JSON, and as the Markdown tables of docs/benchmarks.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .measuring import Comparison, Timings


@dataclass(frozen=True)
class Row:
    """One measured thing. `target` bounds `value`, which is a ratio unless `unit` says otherwise."""

    part: str
    store: str
    what: str
    ours: str = ""
    base: str = ""
    value: float | None = None
    unit: str = "×"
    spread: str = ""
    """The lowest and highest of the rounds."""
    target: str = ""
    """`<= 3` or `>= 0.5`; empty where something is only reported."""
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if not self.target or self.value is None:
            return None
        sign, _, bound = self.target.partition(" ")
        shown = round(self.value, 2)
        return shown <= float(bound) if sign == "<=" else shown >= float(bound)


def compared(part: str, store: str, what: str, found: Comparison, target: str = "", note: str = "") -> Row:
    """A row of two sides that took turns."""
    return Row(
        part,
        store,
        what,
        shown(found.ours),
        shown(found.base),
        found.ratio,
        spread=f"{found.lowest:.2f}–{found.highest:.2f}",
        target=target,
        note=note,
    )


def shown(found: Timings) -> str:
    """Median and 95th percentile, in milliseconds."""
    return f"{_figure(found.median)} / {_figure(found.p95)} ms"


def _figure(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def as_json(machine: dict[str, Any], rows: Iterable[Row]) -> str:
    """Everything, for programs."""
    return json.dumps(
        {"machine": machine, "rows": [asdict(row) | {"met": row.met} for row in rows]},
        indent=2,
        ensure_ascii=False,
    )


def save(path: Path, text: str) -> None:
    """Write a result, making its directory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def as_markdown(machine: dict[str, Any], rows: Sequence[Row]) -> str:
    """A table a part, under what it was measured on."""
    lines = [f"- {name}: {value}" for name, value in machine.items()]
    for part in dict.fromkeys(row.part for row in rows):
        lines += ["", f"### {part}", ""]
        lines += [
            "| store | what | ours | by hand | value | rounds | target | |",
            "|---|---|---|---|---|---|---|---|",
        ]
        lines += [_line(row) for row in rows if row.part == part]
    return "\n".join(lines)


def _line(row: Row) -> str:
    value = "" if row.value is None else f"{_number(row.value)} {row.unit}".strip()
    verdict = {True: "met", False: "**missed**", None: ""}[row.met]
    note = "; ".join(filter(None, (verdict, row.note)))
    cells = (row.store, row.what, row.ours, row.base, value, row.spread, row.target, note)
    return f"| {' | '.join(cells)} |"


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"
