"""How a name is compared: the one rule that stores, planner and questions share."""

from __future__ import annotations

import re
import unicodedata

_SEPARATORS = re.compile(r"[\W_]+")


def normalise_name(text: str) -> str:
    """NFKC and case folded, every run of characters that are neither letters nor digits one space, ends stripped.

    Combining marks belong to the letter before them. A name of signs alone becomes the empty string, which no
    question can name.
    """
    if text.isascii():
        return _SEPARATORS.sub(" ", text.lower()).strip()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(
        each if each.isalnum() or unicodedata.category(each).startswith("M") else " " for each in folded
    )
    return " ".join(kept.split())
