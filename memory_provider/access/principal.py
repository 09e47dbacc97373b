"""Who asks: a name, the scopes it reaches and its rights in them."""

from __future__ import annotations

from typing import Final, NamedTuple

from .rights import ALL_RIGHTS, Right

EVERY_SCOPE: Final = "*"
"""Stands among the granted scopes for all of them."""

LABEL_KEYS: Final = (
    *("user_id", "organization_id", "repository_id", "workspace_id"),
    *("environment_id", "session_id", "task_id"),
)
"""What a label can be about: the keys of a context record's scope."""

LOCAL: Final = "local"
"""The name of whoever started the process."""


class Principal(NamedTuple):
    """Somebody a provider answers. The rights are the same in every scope it reaches."""

    name: str
    """As the audit log names it."""
    scope: str
    """The scope of a request that names none."""
    scopes: frozenset[str] = frozenset()
    """Others that a request may name; `*` is all of them."""
    rights: frozenset[Right] = frozenset()
    token: str | None = None
    """The id of the token it came with; no part of its secret."""
    labels: frozenset[tuple[str, str]] = frozenset()
    """Whom it speaks for within a scope, as pairs like `("user_id", "alice")`; none is everybody."""

    def may(self, right: Right) -> bool:
        """Whether it has a right."""
        return right in self.rights

    def labelled(self, key: str) -> frozenset[str]:
        """The values it has for one key of its labels."""
        return frozenset(value for name, value in self.labels if name == key)

    def reaches(self, scope: str) -> bool:
        """Whether it may ask in a scope. That the scope exists makes no difference."""
        return scope == self.scope or scope in self.scopes or EVERY_SCOPE in self.scopes


def local(scope: str) -> Principal:
    """Whoever started the process: everything, in the one scope that it was started on."""
    return Principal(LOCAL, scope, rights=ALL_RIGHTS)
