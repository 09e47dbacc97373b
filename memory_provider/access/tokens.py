"""Bearer tokens: a secret for whoever holds it, and what is kept here, which is everything but the secret.

The text of a token is `mpt_<id>_<secret>`: 32 random bytes after an id that finds what they are compared with. A
secret of that length cannot be guessed from its hash, so a fast hash is enough.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from ..temporal.instants import Instant
from ..temporal.shown import shown
from .errors import InvalidToken
from .principal import EVERY_SCOPE, LABEL_KEYS, Principal
from .rights import Right

SECRET_BYTES: Final = 32
LONGEST_NAME: Final = 128
LONGEST_SCOPE: Final = 1024
"""In UTF-8 bytes, as the memory has it."""

_TEXT = re.compile(r"mpt_([0-9a-f]{12})_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token."""

    id: str
    name: str
    """Whose it is. Several may have one name, so that a new one can take over from an old one."""
    scope: str
    """The scope of requests that name none."""
    scopes: frozenset[str]
    """Others that a request may name; `*` is all of them."""
    rights: frozenset[Right]
    created_at: Instant
    expires_at: Instant | None
    """When it stops being taken; None is never."""
    revoked_at: Instant | None = None
    hash: str | None = field(default=None, repr=False)
    """`sha256:` of its text; gone once it was revoked."""
    labels: frozenset[tuple[str, str]] = frozenset()
    """Whom it speaks for within a scope, as pairs like `("user_id", "alice")`; none is everybody."""

    @property
    def principal(self) -> Principal:
        """Who asks with it."""
        return Principal(self.name, self.scope, self.scopes, self.rights, self.id, self.labels)

    def state(self, now: Instant) -> str:
        """`active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "active"

    def revoked(self, now: Instant) -> Token:
        """The same once it was revoked."""
        return replace(self, revoked_at=now, hash=None)


def make_token(
    name: str,
    scope: str,
    *,
    scopes: Collection[str] = (),
    rights: Collection[Right] = (Right.READ,),
    labels: Collection[tuple[str, str]] = (),
    expires_at: Instant | None,
    now: Instant,
) -> tuple[Token, str]:
    """A new token: what is kept of it, and its text, which is nowhere else. Raises `InvalidToken`."""
    id = secrets.token_hex(6)
    text = f"mpt_{id}_{secrets.token_urlsafe(SECRET_BYTES)}"
    token = Token(
        *(id, name, scope, frozenset(scopes), frozenset(rights), now, expires_at),
        hash=hash_of(text),
        labels=frozenset(labels),
    )
    check(token)
    if expires_at is not None and expires_at <= now:
        raise InvalidToken("the token would have expired already; give a later time")
    return token, text


def check(token: Token) -> None:
    """Raise `InvalidToken` for a name, scopes or rights that no token may have."""
    if not token.name.strip() or not token.name.isprintable() or len(token.name) > LONGEST_NAME:
        raise InvalidToken(
            f"a token's name is 1 to {LONGEST_NAME} printable characters, not {shown(token.name)}"
        )
    for scope in (token.scope, *token.scopes):
        if not scope or len(scope.encode("utf-8", "surrogatepass")) > LONGEST_SCOPE:
            raise InvalidToken(f"a scope's name is 1 to {LONGEST_SCOPE} bytes, not {shown(scope)}")
    for key, value in token.labels:
        if key not in LABEL_KEYS:
            raise InvalidToken(f"a label is about one of {', '.join(LABEL_KEYS)}, not {shown(key)}")
        if not value or len(value.encode("utf-8", "surrogatepass")) > LONGEST_SCOPE:
            raise InvalidToken(f"a label's value is 1 to {LONGEST_SCOPE} bytes, not {shown(value)}")
    if token.scope == EVERY_SCOPE:
        raise InvalidToken("a token's own scope is one scope, not *")
    if not token.rights:
        raise InvalidToken(f"a token has at least one right: {', '.join(Right)}")
    if EVERY_SCOPE in token.scopes and Right.ADMIN not in token.rights:
        raise InvalidToken("every scope (*) is granted only together with the right admin")


def hash_of(text: str) -> str:
    """What is kept of a token's text."""
    return f"sha256:{sha256(text.encode()).hexdigest()}"


_NOBODYS = hash_of(secrets.token_urlsafe(SECRET_BYTES))


class Tokens:
    """Some tokens, to be looked up by their text."""

    def __init__(self, tokens: Iterable[Token] = ()) -> None:
        self._by_id = {token.id: token for token in tokens}

    def __iter__(self) -> Iterator[Token]:
        return iter(self._by_id.values())

    def holder(self, text: str, now: Instant) -> Principal | None:
        """Who holds the token of this text; None if there is none, or it is taken no more.

        The comparison takes as long for a wrong secret as for the right one, and one is made for an unknown id too.
        """
        match = _TEXT.fullmatch(text)
        token = self._by_id.get(match[1]) if match else None
        kept = (token and token.hash) or _NOBODYS
        same = compare_digest(hash_of(text), kept)
        return token.principal if token and same and token.state(now) == "active" else None
