"""Connections to providers in this process, which hold as a process or a server would."""

from __future__ import annotations

from collections import deque

import anyio

from memory_provider.host.inspection.wire import Heard

from .small_provider import Exit, SmallProvider, Spoil


class ProcessLike:
    """Like a process: lines, and an end."""

    def __init__(self, spoil: Spoil) -> None:
        self._provider = SmallProvider(spoil)
        self._heard: deque[bytes] = deque()
        self._code: int | None = None

    async def open(self) -> None:
        """Nothing has to be started."""

    async def say(self, *messages: bytes) -> None:
        for line in b"\n".join(messages).split(b"\n"):
            if self._code is None:
                try:
                    self._heard += self._provider.hear(line)
                except Exit as exit:
                    self._code, *rest = exit.args
                    self._heard += rest

    async def hear(self) -> Heard | None:
        if self._heard:
            return Heard(self._heard.popleft())
        if self._code is None:
            await anyio.sleep_forever()
        return None

    async def ended(self) -> int | None:
        if self._code is None:
            await anyio.sleep_forever()
        return self._code

    async def close(self) -> None:
        """Nothing runs."""


class ServerLike(ProcessLike):
    """Like a server: every message has one answer with a status, and nothing ends it."""

    async def say(self, *messages: bytes) -> None:
        for message in messages:
            try:
                answers = self._provider.hear(message)
            except Exit:
                answers = []
            self._heard += answers or [b""]

    async def hear(self) -> Heard | None:
        data = self._heard.popleft() if self._heard else b""
        status, _, body = data.rpartition(b"\0")
        return Heard(body, int(status or b"200")) if data else None
