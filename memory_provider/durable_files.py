"""Small files that are replaced whole, and that several processes change."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LOCK_SECONDS: Final = 10
"""How long another process is waited for."""


class Held(Exception):
    """Another process holds the lock."""


@contextmanager
def locked_beside(path: Path) -> Iterator[None]:
    """Be the only one that changes the file at `path`; its directory is made if it is not there.

    The lock is a file beside it and not the file itself, as that is replaced; links to it share the lock.
    Raises `Held` and `OSError`.
    """
    from filelock import FileLock, Timeout

    path = path.resolve()  # whatever links it is reached by
    lock = FileLock(f"{path}.lock", timeout=LOCK_SECONDS, mode=0o600)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock.acquire()
    except Timeout:
        raise Held from None
    try:
        yield
    finally:
        lock.release()


def read_regular(path: Path) -> bytes:
    """What a regular file says. Raises `OSError` for anything else: a pipe is not waited for, nor a device emptied."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return file.read()


def replace_text(path: Path, text: str) -> None:
    """Replace what a file says, for its owner alone: durable when this returns, and never half of it.

    A link is followed, and goes on pointing to the file. Raises `OSError`, and the file is as it was.
    """
    target = path.resolve()
    # mkstemp makes a file that its owner alone may read and write.
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
    sync_directory(target.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory as durable as the bytes of its files, where directories can be synced."""
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
