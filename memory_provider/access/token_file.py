"""Tokens in a file: JSON, for its owner alone, replaced whole, and read again when somebody has replaced it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ..durable_files import Held, locked_beside, replace_text
from ..temporal.instants import Instant, now, parse, to_text
from .authorization import Refused, authorize
from .errors import InvalidToken, TokenFileError, TokenNotFound
from .principal import Principal
from .rights import Right
from .tokens import Token, Tokens, check

FORMAT: Final = 1


class TokenFile:
    """The tokens in one file. Any number of processes may read and change it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._read: Tokens | None = None
        self._mark: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"TokenFile({str(self.path)!r})"

    def authorize(self, header: str | None) -> Principal | Refused:
        """Who sent a request with this value of `Authorization`. Raises `TokenFileError`: then let nobody in."""
        return authorize(header, self.tokens())

    def tokens(self) -> Tokens:
        """The tokens as the file has them now. Raises `TokenFileError`."""
        mark = self._stat()
        if self._read is None or mark != self._mark:
            self._read = Tokens(self._load())
            self._mark = mark
        return self._read

    def add(self, token: Token) -> None:
        """Keep another token; makes the file if there is none. Raises `TokenFileError`."""
        with self._locked():
            kept = self._load() if self.path.exists() else []
            self._replace([*kept, token])

    def revoke(self, name_or_id: str, at: Instant | None = None) -> Token:
        """Take a token no more. Raises `TokenNotFound` where no token that is not revoked yet has this id or name, and
        `InvalidToken` where several have the name."""
        with self._locked():
            kept = self._load()
            found = [each for each in kept if each.revoked_at is None and name_or_id in (each.id, each.name)]
            if not found:
                raise TokenNotFound(f"no token that could be revoked has this name or id in {self.path}")
            if len(found) > 1:
                ids = ", ".join(each.id for each in found)
                raise InvalidToken(f"several tokens have this name; give the id of one: {ids}")
            revoked = found[0].revoked(now() if at is None else at)
            self._replace([revoked if each is found[0] else each for each in kept])
            return revoked

    def _stat(self) -> tuple[int, ...]:
        try:
            found = os.stat(self.path)
        except OSError as problem:
            raise TokenFileError(
                f"the tokens' file {self.path} cannot be read: {problem.strerror}; `memory-provider token create` "
                "makes it"
            ) from None
        if not stat.S_ISREG(found.st_mode):  # reading a named pipe would wait until somebody writes to it
            raise TokenFileError(f"the tokens' file {self.path} is no regular file")
        if os.name == "posix" and found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise TokenFileError(
                f"others may write the tokens' file {self.path}, so it is not trusted: chmod 600 it"
            )
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_mode

    def _load(self) -> list[Token]:
        self._stat()
        try:
            return _tokens_of(json.loads(self.path.read_bytes()))
        except OSError as problem:
            raise TokenFileError(f"the tokens' file {self.path} cannot be read: {problem.strerror}") from None
        except (ValueError, TypeError, KeyError, RecursionError, InvalidToken):
            # What is wrong is not quoted: it may be a secret that somebody put there.
            raise TokenFileError(f"{self.path} is not a file of tokens of format {FORMAT}") from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with locked_beside(self.path):
                yield
        except Held:
            raise TokenFileError(f"another process holds {self.path}.lock; try again") from None
        except OSError as problem:
            raise TokenFileError(
                f"the tokens' file {self.path} cannot be written: {problem.strerror}"
            ) from None

    def _replace(self, tokens: list[Token]) -> None:
        kept = json.dumps({"format": FORMAT, "tokens": [_members(each) for each in tokens]}, indent=2)
        replace_text(self.path, kept + "\n")


def _members(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "scope": token.scope,
        "scopes": sorted(token.scopes),
        "rights": [right.value for right in Right if right in token.rights],
        "created_at": to_text(token.created_at),
        "expires_at": _maybe(to_text, token.expires_at),
        "revoked_at": _maybe(to_text, token.revoked_at),
        "hash": token.hash,
        "labels": sorted(token.labels),
    }


def _tokens_of(value: Any) -> list[Token]:
    if value["format"] != FORMAT:
        raise ValueError
    found = [_token(each) for each in value["tokens"]]
    if len({each.id for each in found}) != len(found):
        raise ValueError
    return found


def _token(members: Any) -> Token:
    token = Token(
        id=_text(members["id"]),
        name=_text(members["name"]),
        scope=_text(members["scope"]),
        scopes=frozenset(map(_text, members["scopes"])),
        rights=frozenset(map(Right, members["rights"])),
        created_at=parse(_text(members["created_at"])),
        expires_at=_maybe(parse, members["expires_at"]),
        revoked_at=_maybe(parse, members["revoked_at"]),
        hash=_maybe(_text, members["hash"]),
        labels=frozenset((_text(key), _text(value)) for key, value in members.get("labels", ())),
    )
    check(token)
    return token


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _maybe(convert: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else convert(value)
