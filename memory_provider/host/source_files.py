"""Whether the files that a frame comes from are on this machine as it says (F5, F17)."""

from __future__ import annotations

import os
import stat
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from ..protocol import ContextFrame, ProvenanceLink
from ..protocol.digests import EXPECTED, digest, is_digest
from .line_ranges import lines_of

LONGEST_FILE: Final = 16 * 1024 * 1024
"""How many bytes of a file are read to be compared."""


class SourceStatus(StrEnum):
    """What a file says of a link to it."""

    SAME = "same"
    """It holds the bytes that the link has the digest of."""
    OTHER = "other"
    """It holds other bytes."""
    UNCHECKABLE = "uncheckable"
    """It cannot be compared. That says nothing against the frame."""


class SourceCheck(NamedTuple):
    """What was found of one link."""

    link: ProvenanceLink
    status: SourceStatus
    detail: str = ""
    """Why it is not the same; nothing that the provider wrote is in it."""


def check_sources(frame: ContextFrame, *, under: str | os.PathLike[str]) -> tuple[SourceCheck, ...]:
    """Each `file` link of a frame, compared with the file that it names, if that is in the directory `under`.

    A provider chooses the names: no file anywhere else is opened, no link out of the directory is followed, and nothing
    but regular files is read. A host that asks for it shows the result; it decides nothing about the frame.
    """
    root = Path(under).resolve()
    return tuple(_check(link, root) for link in frame.provenance if link.type == "file")


def _check(link: ProvenanceLink, root: Path) -> SourceCheck:
    try:
        found = _digest(link, root)
    except (OSError, ValueError) as problem:
        said = (problem.strerror if isinstance(problem, OSError) else str(problem)) or type(problem).__name__
        return SourceCheck(link, SourceStatus.UNCHECKABLE, said)
    if found == link.digest:
        return SourceCheck(link, SourceStatus.SAME)
    return SourceCheck(link, SourceStatus.OTHER, f"the digest of these bytes is {found}")


def _digest(link: ProvenanceLink, root: Path) -> str:
    """The digest of the bytes there. Raises `ValueError` and `OSError` where there are none to compare."""
    if link.digest is None or not is_digest(link.digest):
        raise ValueError(f"digest: expected {EXPECTED}")
    data = _read(_path(link.uri or "", root))
    named = data if link.range is None else lines_of(data, link.range)
    if named is None:
        raise ValueError("range: the file has no such lines")
    return digest(named)


def _path(uri: str, root: Path) -> Path:
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc.lower() not in ("", "localhost"):
        raise ValueError("uri: it names no file on this machine")
    path = Path(unquote(parts.path, errors="strict")).resolve()
    if not path.is_relative_to(root):
        raise ValueError(f"uri: the file is not in {root}")
    return path


def _read(path: Path) -> bytes:
    # Not blocking: a named pipe would keep whoever opens it waiting.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("uri: it is no regular file")
        data = file.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise ValueError(f"the file is longer than the {LONGEST_FILE} bytes that are read")
    return data
