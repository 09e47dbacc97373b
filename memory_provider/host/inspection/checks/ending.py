"""Goodbyes."""

from __future__ import annotations

from typing import Final

from ..answers import Outcome
from ..messages import JUNK, Message, written
from ..observations import Exchange
from ..subject import Subject

GRACE: Final = 2.0
"""Seconds that a provider has to end."""


async def shutdown(subject: Subject) -> None:
    """Say goodbye, once with a member that nobody knows."""
    for message in ({"type": "shutdown"}, {"type": "shutdown", **JUNK}):
        if subject.is_stdio:
            await _process(subject, message)
        else:
            await _server(subject, message)


async def _process(subject: Subject, message: Message) -> None:
    await subject.close()
    conversation = await subject.greeted()
    grace = min(GRACE, subject.patience)
    code, rest = await conversation.goodbye(message, grace)
    observations, exchange = subject.observations, Exchange(written(message))
    observations.holds(
        "R2",
        code == 0,
        "it ends in time and cleanly when it is told to",
        f"it does not end within {grace:g} s" if code is None else f"it ends with exit code {code}",
        exchange,
    )
    if rest:
        observations.broken(
            "T1", "something was written after the goodbye", Exchange(written(message), rest[0])
        )
    if message.keys() - {"type"}:
        for id in ("T2", "U1"):
            observations.holds(
                id,
                code is not None,
                "members that nobody knows change nothing",
                "a goodbye with an unknown member does not end it",
                exchange,
            )
    await subject.close()


async def _server(subject: Subject, message: Message) -> None:
    conversation = await subject.greeted()
    goodbye = await conversation.ask(written(message), subject.patience)
    serves = goodbye.outcome in (Outcome.ANSWERED, Outcome.NOTHING)
    again = await subject.greet(conversation) if serves else goodbye
    for id in ("R2", "T4"):
        subject.observations.holds(
            id,
            again.type == "handshake_ack",
            "a goodbye over HTTP ends nothing",
            f"after a goodbye it does not answer a handshake: {again}",
            Exchange(written(message), again.raw),
        )
