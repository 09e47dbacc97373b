"""Which lines of a file a provenance link means: `L<n>` or `L<n>-<m>` (F17); `L<n>-L<m>` is understood, too."""

from __future__ import annotations

import re
from typing import Final

EXPECTED: Final = "L<n> or L<n>-<m>"
"""What error messages say is expected."""

_RANGE: Final = re.compile(r"L([1-9][0-9]*)(?:-L?([1-9][0-9]*))?")
_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")
_MOST_DIGITS: Final = 18
"""No file has more lines than so many digits can say, and longer numbers are slow to read."""


def is_range(text: str) -> bool:
    """Whether it keeps to the grammar, and does not end before it begins."""
    return _bounds(text) is not None


def lines_of(data: bytes, text: str) -> bytes | None:
    """The bytes of these lines; None where there are none.

    A line ends with LF, which belongs to it, and with nothing else. A range that ends after the last line ends with it.
    """
    bounds = _bounds(text)
    if bounds is None:
        return None
    lines = _LINE.findall(data)
    first, last = (10**_MOST_DIGITS if len(digits) > _MOST_DIGITS else int(digits) for digits in bounds)
    return b"".join(lines[first - 1 : last]) if first <= len(lines) else None


def _bounds(text: str) -> tuple[str, str] | None:
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    first, last = match[1], match[2] or match[1]
    # Without leading zeros the longer number is the greater one.
    return (first, last) if (len(first), first) <= (len(last), last) else None
