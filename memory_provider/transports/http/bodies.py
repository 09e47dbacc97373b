"""Reading a request's body: no more of it, and for no longer, than the limits say."""

from __future__ import annotations

from typing import Final

import anyio
from starlette.datastructures import Headers
from starlette.types import Receive

from .limits import Limits

SKIPPED: Final = 4
"""How many times the limit is read and thrown away of a body that is too long, so that its sender hears why."""


class Unreadable(Exception):
    """A body that is not taken; `why` is a word for it, the text is for the peer."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why = why


class Gone(Exception):
    """The peer went away before all of its request was there."""


class Bodies:
    """The bodies that are being received."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = 0

    async def read(self, headers: Headers, receive: Receive) -> bytes:
        """One body. Raises `Unreadable` or `Gone`."""
        parts: list[bytes] = []
        try:
            with anyio.move_on_after(self._limits.slow):
                await self._read(headers, receive, parts)
                return b"".join(parts)
            raise Unreadable("slow", f"the request did not arrive within {self._limits.slow:g} seconds")
        finally:
            self._held -= sum(map(len, parts))

    async def _read(self, headers: Headers, receive: Receive, parts: list[bytes]) -> None:
        limit, size = self._limits.body, 0
        too_long = Unreadable("large", f"the message is longer than the limit of {limit} bytes")
        declared = int(headers.get("content-length", "0"))
        waits = headers.get("expect", "").lower() == "100-continue"
        if declared > SKIPPED * limit or (waits and declared > limit):
            raise too_long
        more = True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                raise Gone
            part: bytes = event.get("body", b"")
            more = event.get("more_body", False)
            size += len(part)
            if size > SKIPPED * limit:
                raise too_long
            if size <= limit:
                parts.append(part)
                self._held += len(part)
                if self._held > self._limits.bodies:
                    raise Unreadable("busy", "too many long messages are being received; try again later")
        if size > limit:
            raise too_long
