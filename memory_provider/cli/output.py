"""What is printed: results on stdout (JSON for programs, tables for people), everything else on stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

WIDTH = 100
"""Columns of a table when nothing says how wide the reader's window is."""
NARROWEST, WIDEST = 60, 120


def print_json(value: Any) -> None:
    """A result for programs, on stdout."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    _write(json.dumps(value, ensure_ascii=not plain, indent=2) + "\n")


def print_lines(*lines: str) -> None:
    """A result for people, on stdout."""
    _write("".join(f"{printable(line)}\n" for line in lines))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table for people, on stdout; long cells are wrapped."""
    from io import StringIO

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    text = StringIO()
    styled = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    Console(
        file=text, width=width(), force_terminal=styled, emoji=False, markup=False, highlight=False
    ).print(table)
    _write("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))


def note(*lines: str) -> None:
    """A message for people, on stderr."""
    sys.stderr.write("".join(f"{printable(line)}\n" for line in lines))


def width() -> int:
    """How wide a table may be."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDTH, 24)).columns))


def printable(text: str) -> str:
    """Text that cannot move a terminal's cursor or hide what follows: control characters are shown as `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(each if each in "\n\t" or not _steers(each) else _escaped(each) for each in text)


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(printable(text).split())


def clip(text: str, limit: int = 240) -> str:
    """At most `limit` characters of a long text, on one line."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _steers(character: str) -> bool:
    """Controls, and the signs that reorder or hide the text around them."""
    kind = unicodedata.category(character)
    return kind in ("Cc", "Zl", "Zp") or (
        kind == "Cf" and unicodedata.bidirectional(character) in _REORDERING
    )


_REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def _write(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    printed = text.encode(encoding, "backslashreplace").decode(encoding)
    for start in range(0, len(printed), _PIECE):
        # In pieces: unbuffered, Python takes part of a long text for all of it when the reader goes away.
        sys.stdout.write(printed[start : start + _PIECE])
    sys.stdout.flush()


_PIECE = 16_384
