"""Where the files are that ship with the package: `cypher/` and `seeds/`.

In an installed package they lie inside it; in a checkout at the top of the repository, where people look for them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def directory(name: str) -> Path:
    """The directory of that name that ships with the package. Raises `FileNotFoundError` when it is missing."""
    for place in (_PACKAGE / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"the directory {name}/ of this package is missing from {_PACKAGE}: install it again"
    )
