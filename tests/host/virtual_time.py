"""A clock that jumps to the next thing that is due whenever nothing else can run: for what is all in this process."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any

import trio.testing


class _Jumping(selectors.DefaultSelector):
    """Never waits for what is due later: that much time has passed then."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout is not None and timeout > 0:
            self.passed += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop with such a clock."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.passed


def backend(name: str) -> tuple[str, dict[str, Any]]:
    """What the fixture `anyio_backend` returns for it."""
    if name == "asyncio":
        return name, {"loop_factory": JumpingLoop}
    return name, {"clock": trio.testing.MockClock(autojump_threshold=0)}
