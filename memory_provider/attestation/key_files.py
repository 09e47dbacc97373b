"""Private keys on disk: PKCS #8 in PEM, as OpenSSL writes them, readable by their owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from .errors import CryptographyMissing, KeyFileError
from .keys import SigningKey

MODE: Final = 0o600

_OTHERS = 0o077
_LONGEST = 16_384
_CLOSE_ON_EXEC = getattr(os, "O_CLOEXEC", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)  # or opening a named pipe waits until somebody writes to it


def create_key_file(path: str | os.PathLike[str]) -> SigningKey:
    """Make a key and keep it in a new file of mode 0600. Raises `KeyFileError`, also if anything is there already."""
    where = Path(path)
    key = SigningKey.generate()
    try:
        descriptor = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSE_ON_EXEC, MODE)
    except FileExistsError:
        raise KeyFileError(f"{where} exists, and a key is never overwritten: name another file") from None
    except OSError as problem:
        raise _cannot("make", where, problem) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key.to_pem())
            file.flush()
            os.fsync(descriptor)
    except OSError as problem:
        where.unlink(missing_ok=True)
        raise _cannot("write", where, problem) from None
    return key


def read_key_file(path: str | os.PathLike[str]) -> SigningKey:
    """The key in a file. Raises `KeyFileError` if it is no Ed25519 private key, or if others may use the file."""
    where = Path(path)
    try:
        descriptor = os.open(where, os.O_RDONLY | _NO_WAITING | _CLOSE_ON_EXEC)
        try:
            _check(where, os.fstat(descriptor).st_mode)
            text = os.read(descriptor, _LONGEST)
        finally:
            os.close(descriptor)
    except OSError as problem:
        raise _cannot("read", where, problem) from None
    try:
        return SigningKey.from_pem(text)
    except CryptographyMissing:
        raise
    except ValueError as problem:
        raise KeyFileError(
            f"{where} is no key file, {problem}: make one with memory-provider key new"
        ) from None


def _check(where: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise KeyFileError(f"{where} is no regular file: name the key file itself")
    if os.name == "posix" and mode & _OTHERS:
        raise KeyFileError(
            f"others than its owner may open the key file {where} (mode {stat.S_IMODE(mode):04o}): chmod 600 it,"
            " or make a new key if anybody may have read this one"
        )


def _cannot(what: str, where: Path, problem: OSError) -> KeyFileError:
    return KeyFileError(f"cannot {what} the key file {where}: {problem.strerror or problem}")
