"""Values in the words of an error."""

from __future__ import annotations


def shown(value: object, width: int = 80) -> str:
    """A refused value as an error names it: its repr, at most `width` characters of it, and never an error of its own.

    Python refuses to write out an integer of thousands of digits, and a `repr` may be anybody's code.
    """
    try:
        text = repr(value)
    except Exception:
        return f"this {type(value).__name__}"
    return text if len(text) <= width else text[: width - 1] + "…"
