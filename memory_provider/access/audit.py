"""The audit log: one JSON object a line for each request, saying who did what to which ids, and no contents."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final, NamedTuple

from ..temporal.instants import Instant, now, to_text
from .errors import AuditError
from .rights import Right

LONGEST_SCOPE: Final = 256
"""Characters of a scope's name that are kept where it was not granted: then it may be any text."""

LONGEST_ID: Final = 1024
"""Characters of an id that are kept: one that a peer gives to what it writes may be any text."""


class AuditEntry(NamedTuple):
    """What somebody did, or was refused."""

    who: str
    token: str | None
    """The id of the token it was done with; None for whoever started the process."""
    operation: str
    """The type of the request."""
    right: Right
    """What it takes to do this."""
    scope: str | None
    """The scope that was answered from, or that was asked for in vain."""
    outcome: str
    """`answered`; `refused`; `failed`; `interrupted`: it was given up while under way, and may have been done."""
    code: str | None = None
    """The code of the error that was answered."""
    ids: tuple[str, ...] = ()
    """Ids of what was served, written or erased; of an interrupted write, of what was to be."""


class AuditLog:
    """Appends to a file, which its owner alone may read. It may be moved away at any time: then a new one is begun.

    An entry is there before the answer it is about is sent, and survives a kill of this process. It is not waited for
    until the disk has it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises `AuditError` where it cannot be written."""
        self.path = Path(path)
        self._append(b"")

    def __repr__(self) -> str:
        return f"AuditLog({str(self.path)!r})"

    def write(self, entry: AuditEntry, at: Instant | None = None) -> None:
        """Append one line. Raises `AuditError`: then nothing may be answered."""
        members = {"at": to_text(now() if at is None else at), **entry._asdict()}
        if entry.outcome == "refused" and entry.scope is not None:
            members["scope"] = entry.scope[:LONGEST_SCOPE]
        members["ids"] = [id if len(id) <= LONGEST_ID else f"{id[:LONGEST_ID]}…" for id in entry.ids]
        kept = {name: value for name, value in members.items() if value is not None}
        # Escaped to ASCII, no text can end a line or steer a terminal.
        self._append(json.dumps(kept, separators=(",", ":")).encode() + b"\n")

    def _append(self, line: bytes) -> None:
        try:
            descriptor = os.open(self.path, _FLAGS, 0o600)
            try:
                # One call: lines of several processes do not run into one another.
                if os.write(descriptor, line) != len(line):
                    raise OSError(28, "No space left on device")
            finally:
                os.close(descriptor)
        except OSError as problem:
            raise AuditError(f"the audit log {self.path} cannot be written: {problem.strerror}") from None


_FLAGS = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_CLOEXEC", 0)
    # A pipe that nobody reads is one that cannot be written, and holds nobody up.
    | getattr(os, "O_NONBLOCK", 0)
)
