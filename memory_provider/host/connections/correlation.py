"""Which answer goes to whom, on one stream of answers."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

import anyio

from ...protocol import Envelope, Error, Frames
from ..errors import CorrelationMismatch, HostError, WireError, peer_text

logger = logging.getLogger(__name__)

MOST_REMEMBERED: Final = 1024
"""How many ids are remembered of questions that are over, and how many answers to such may come in a row."""


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
        self._over: deque[str] = deque(maxlen=MOST_REMEMBERED)
        self._owed: deque[str] = deque(maxlen=MOST_REMEMBERED)
        self._dropped = 0

    @property
    def may_come(self) -> bool:
        """Whether an answer is due, if only to a question that was given up."""
        return bool(self._owed) or any(waiter.answer is None for waiter in self._waiting)

    def add(self, id: str | None) -> Waiter:
        """An exchange that begins."""
        waiter = Waiter(id)
        self._waiting.append(waiter)
        return waiter

    def remove(self, waiter: Waiter) -> None:
        """An exchange that is over, or that nobody waits for any more."""
        self._waiting.remove(waiter)
        if waiter.id is not None:
            self._over.append(waiter.id)
            if waiter.answer is None:
                self._owed.append(waiter.id)

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

        One to a question that is over, given up or answered before, is dropped. One that names no question of ours
        fails every question it could have been meant for. Raises `WireError` where nothing was asked that it could
        answer, and where dropping has no end.
        """
        id = getattr(envelope, "id", None)
        unanswered = [waiter for waiter in self._waiting if waiter.answer is None]
        named = [waiter for waiter in unanswered if waiter.id is not None]
        answered = [waiter.id for waiter in self._waiting if waiter.answer is not None]
        if id is not None and (id in self._over or id in answered):
            self._drop(id)
            return
        self._dropped = 0
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
            raise unasked(self._provider_id, envelope.type)

    def _drop(self, id: str) -> None:
        if id in self._owed:
            self._owed.remove(id)
        logger.info("provider %s: dropped an answer to a question that is over", self._provider_id)
        self._dropped += 1
        if self._dropped > MOST_REMEMBERED:
            raise WireError(self._provider_id, "it answers without end what was asked before")


def unasked(provider_id: str, what: str) -> WireError:
    """The provider spoke without being asked: whatever it says next may be taken for the answer to something else."""
    return WireError(provider_id, f"it sent {what} that nobody had asked for")
