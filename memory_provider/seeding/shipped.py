"""The data sets that ship, found by their names."""

from __future__ import annotations

from pathlib import Path

from ..resources import directory


def found(name: str | Path) -> Path:
    """The file at that path; where there is none, the one of that bare name that ships with the package."""
    path = Path(name)
    if path.name != str(name) or path.exists():
        return path
    try:
        shipped = directory("seeds") / path
    except FileNotFoundError:
        return path
    return shipped if shipped.is_file() else path
