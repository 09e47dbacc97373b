"""Which answer goes to whom, on one stream of answers."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

import anyio

from ...protocol import Envelope, Error, Frames
from ..errors import CorrelationMismatch, HostError, peer_text

logger = logging.getLogger(__name__)

MOST_ABANDONED: Final = 1024
"""How many ids are remembered whose answers nobody waits for any more."""


class Waiter:
    """One exchange in flight."""

    def __init__(self, id: str | None) -> None:
        self.id = id
        self.answer: Envelope | HostError | None = None
        self.woken = anyio.Event()

    def settle(self, answer: Envelope | HostError) -> None:
        """What came of it."""
        if self.answer is None:
            self.answer = answer
        self.woken.set()

    def result(self) -> Envelope:
        """The answer. Raises the error if there is none."""
        if isinstance(self.answer, HostError):
            raise self.answer
        assert self.answer is not None
        return self.answer


class Waiters:
    """The exchanges in flight on one stream."""

    def __init__(self, provider_id: str) -> None:
        self._provider_id = provider_id
        self._waiting: list[Waiter] = []
        self._abandoned: deque[str] = deque(maxlen=MOST_ABANDONED)

    def add(self, id: str | None) -> Waiter:
        """An exchange that begins."""
        waiter = Waiter(id)
        self._waiting.append(waiter)
        return waiter

    def remove(self, waiter: Waiter) -> None:
        """An exchange that is over, or that nobody waits for any more."""
        self._waiting.remove(waiter)
        if waiter.answer is None and waiter.id is not None:
            self._abandoned.append(waiter.id)

    def wake_one(self) -> None:
        """Let one of those who still wait see for itself."""
        for waiter in self._waiting:
            if waiter.answer is None:
                waiter.woken.set()
                return

    def fail(self, error: HostError) -> None:
        """Nobody gets an answer any more."""
        for waiter in self._waiting:
            waiter.settle(error)

    def deliver(self, envelope: Envelope) -> None:
        """Give an answer to whom it is for, and to nobody else (H4).

        An answer that names no question of ours fails every question it could have been meant for; one that comes
        after its question was given up is dropped.
        """
        id = getattr(envelope, "id", None)
        unanswered = [waiter for waiter in self._waiting if waiter.answer is None]
        named = [waiter for waiter in unanswered if waiter.id is not None]
        if id is not None and id in self._abandoned:
            self._abandoned.remove(id)
            logger.info("provider %s: dropped an answer that came too late", self._provider_id)
            return
        for waiter in named:
            if id == waiter.id:
                waiter.settle(envelope)
                return
        plain = [waiter for waiter in unanswered if waiter.id is None]
        if plain and not (isinstance(envelope, Frames) and named):
            plain[0].settle(envelope)
        elif isinstance(envelope, Error) and id is None and len(named) == 1:
            named[0].settle(envelope)  # a provider that cannot read a question cannot repeat its id
        elif named:
            said = "no id" if id is None else f"the id {peer_text(id)}"
            for waiter in named:
                waiter.settle(
                    CorrelationMismatch(
                        self._provider_id, f"an answer with {said}, expected {waiter.id} (H4)"
                    )
                )
        else:
            logger.warning("provider %s: dropped an answer to no question", self._provider_id)
