"""Tables for people: as wide as their window, with long texts wrapped and ids whole."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence

from .output import printable, write

WIDTH = 100
"""Columns when nothing says how wide the reader's window is."""
NARROWEST, WIDEST = 60, 120
GAP = 3
"""Blanks between two columns."""
READABLE = 30
"""The room a text needs beside a column of ids."""
WHOLE = 32
"""Words up to this length are not broken in texts; ids are shorter."""
LEAST = 6
"""No column is made narrower."""


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, text: int = 0, ids: int | None = None
) -> None:
    """A table on stdout, whose column `text` is wrapped to the room that the others leave.

    The column `ids` is never broken; where it stands after the text and leaves too little room, each id goes below it.
    """
    from io import StringIO

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    names, cells = list(columns), [[printable(cell) for cell in row] for row in rows]
    natural = _natural(names, cells)
    if ids is not None and ids > text and _room(natural, text) < min(READABLE, natural[text]):
        _move_below(names, cells, text, ids)
        ids = None
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    widths = _widths(names, cells, text, ids)
    for name, width in zip(names, widths, strict=True):
        table.add_column(name, overflow="fold", width=width)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    page = StringIO()
    styled = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    whole = sum(widths) + GAP * len(widths)  # wider than the window if ids are
    Console(file=page, width=whole, force_terminal=styled, emoji=False, markup=False, highlight=False).print(
        table
    )
    write("".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines()))


def window() -> int:
    """How wide a table may be."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDTH, 24)).columns))


def _natural(names: list[str], cells: list[list[str]]) -> list[int]:
    """How wide each column is with nothing wrapped."""
    from rich.cells import cell_len

    columns = zip(names, *cells, strict=True)
    return [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in columns]


def _room(widths: list[int], text: int) -> int:
    """What the other columns leave for the text."""
    return window() - sum(widths) + widths[text] - GAP * (len(widths) - 1)


def _move_below(names: list[str], cells: list[list[str]], text: int, ids: int) -> None:
    names.pop(ids)
    for row in cells:
        row[text] = f"{row[text]}\n  {row[ids]}"
        row.pop(ids)


def _widths(names: list[str], cells: list[list[str]], text: int, ids: int | None) -> list[int]:
    widths = _natural(names, cells)
    lines = [line for row in cells for line in row[text].split("\n")]
    words = [len(word) + len(line) - len(line.lstrip()) for line in lines for word in line.split()]
    least = max([LEAST, *(length for length in words if length <= WHOLE)])
    widths[text] = min(widths[text], max(least, _room(widths, text)))
    # Whatever is no text and no id gives way last, the widest first.
    others = [place for place in range(len(widths)) if place not in (text, ids)]
    while others and _room(widths, text) < widths[text]:
        widest = max(others, key=lambda place: widths[place])
        if widths[widest] <= LEAST:
            break
        widths[widest] -= 1
    return widths
