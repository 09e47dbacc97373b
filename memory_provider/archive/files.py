"""The file beneath an archive: a path or an open binary file, plain or gzipped, read more than once."""

from __future__ import annotations

import gzip
import io
import os
import secrets
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from ..durable_files import sync_directory
from .errors import ArchiveError

PathOrFile = str | os.PathLike[str] | BinaryIO
"""Where an archive is: a path, or a file open for bytes (a pipe will do)."""

UNREADABLE = (OSError, EOFError, zlib.error)
"""What reading a file raises: the disk's errors, and those of a gzip stream that is cut short or damaged."""


@contextmanager
def written(target: PathOrFile) -> Iterator[BinaryIO]:
    """A file to write an archive to.

    At a path the archive appears whole and on disk, or not at all, readable by its owner alone; a name ending in
    `.gz` gzips it. A device or a named pipe is written through. Raises `ArchiveError` when it cannot be written.
    """
    if not isinstance(target, str | os.PathLike):
        yield target
        target.flush()
        return
    path = Path(target)
    # A device or a pipe is written into: a file renamed over it would take its place.
    through = path.exists() and not path.is_file()
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with ExitStack() as stack:
            descriptor = (
                os.open(path, os.O_WRONLY)
                if through
                else os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            )
            file = stack.enter_context(open(descriptor, "wb"))
            if path.name.endswith(".gz"):
                # Without a time and a name in it, the same state makes the same bytes.
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield file
            file.flush()
            if not through:
                os.fsync(descriptor)
        if not through:
            os.replace(partial, path)
            with suppress(OSError):
                sync_directory(path.parent)
    except OSError as problem:
        raise ArchiveError(f"the archive {path} could not be written: {problem}") from problem
    finally:
        with suppress(OSError):
            partial.unlink()


@contextmanager
def readable(source: PathOrFile) -> Iterator[BinaryIO]:
    """The bytes of an archive, unpacked, from the beginning and as often as wanted (`seek(0)`).

    A file that cannot be read twice is copied to a temporary one first. Raises `ArchiveError` when it is not there.
    """
    with ExitStack() as stack:
        try:
            file = _opened(source, stack)
            magic = file.read(2)
            file.seek(0)
        except OSError as problem:
            raise ArchiveError(f"the archive {source} could not be read: {problem}") from problem
        if magic == b"\x1f\x8b":
            file = cast(BinaryIO, stack.enter_context(gzip.GzipFile("", "rb", fileobj=file)))
            file = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, file), 1 << 18))
        yield file


def _opened(source: PathOrFile, stack: ExitStack) -> BinaryIO:
    if isinstance(source, str | os.PathLike):
        return stack.enter_context(open(source, "rb"))
    if source.seekable() and source.tell() == 0:
        return source
    copy = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    stack.callback(copy.close)
    shutil.copyfileobj(source, copy)
    copy.seek(0)
    return copy
