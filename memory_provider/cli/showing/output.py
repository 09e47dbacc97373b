"""What is printed: results on stdout (JSON for programs, tables for people), everything else on stderr."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from contextlib import suppress
from typing import Any


def print_json(value: Any) -> None:
    """A result for programs, on stdout."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    text = json.dumps(value, ensure_ascii=not plain, indent=2)
    write(_STEERING_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_lines(*lines: str) -> None:
    """A result for people, on stdout."""
    write("".join(f"{printable(line)}\n" for line in lines))


def note(*lines: str) -> None:
    """A message for people, on stderr. That nobody can read it there takes no result away."""
    with suppress(OSError):
        sys.stderr.write("".join(f"{printable(line)}\n" for line in lines))


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


_STEERING_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What `json` leaves as it is and `_steers`: in JSON it stands in texts alone, where an escape says the same."""

_REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def write(text: str) -> None:
    """Text as it is, on stdout, in any encoding."""
    encoding = sys.stdout.encoding or "utf-8"
    printed = text.encode(encoding, "backslashreplace").decode(encoding)
    for start in range(0, len(printed), _PIECE):
        # In pieces: unbuffered, Python takes part of a long text for all of it when the reader goes away.
        sys.stdout.write(printed[start : start + _PIECE])
    sys.stdout.flush()


_PIECE = 16_384
