"""The memories of one store, one for each scope that is asked for, all over one connection."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ..protocol import BAD_REQUEST
from .extensions import SCOPE
from .refusals import Refusal

if TYPE_CHECKING:
    from ..access import Principal
    from ..memory.api import Memory

MOST_KEPT: Final = 256
"""How many memories are kept at hand; another of the same scope is made when it is asked for again."""


def asked_scope(members: Mapping[str, Any], principal: Principal | None, *, denied: str) -> str | None:
    """The scope that a request is about; None is the provider's own.

    Raises `Refusal` with the code `denied` for one that the principal does not reach. Whether there is such a scope
    is not looked at, so the answer does not tell.
    """
    asked = members.get(SCOPE)
    if asked is not None and not isinstance(asked, str):
        raise Refusal(BAD_REQUEST, f"{SCOPE}: expected a scope's name in a text")
    if principal is None:
        return asked
    if asked is not None and not principal.reaches(asked):
        raise out_of_reach(denied)
    return principal.scope if asked is None else asked


def out_of_reach(code: str) -> Refusal:
    """The refusal of a scope, the same whatever the scope is."""
    return Refusal(code, f"{SCOPE}: that scope is not granted here; leave it out to ask in your own")


class Scopes:
    """Finds the memory of a scope. The first is given, or made by what is given when one is needed."""

    def __init__(self, given: Memory | Callable[[], Memory]) -> None:
        self._given = given
        self._own: Memory | None = None
        self._others: OrderedDict[str, Memory] = OrderedDict()

    def memory(self, scope: str | None) -> Memory:
        """The memory of a scope; the first one's for None."""
        if self._own is None:
            self._own = self._given() if callable(self._given) else self._given
        if scope is None or scope == self._own.scope:
            return self._own
        found = self._others.get(scope)
        if found is None:
            found = self._others[scope] = self._own.scoped(scope)
            if len(self._others) > MOST_KEPT:
                self._others.popitem(last=False)
        self._others.move_to_end(scope)
        return found

    @property
    def own(self) -> str | None:
        """The scope of the first memory, once it is there."""
        return self._own.scope if self._own else None

    async def close(self) -> None:
        """Let go of the connection if it was made here."""
        self._others.clear()
        if self._own is not None and self._own is not self._given:
            own, self._own = self._own, None
            await own.close()
