"""One question to many providers at once, and an outcome for each."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

import anyio

from ..protocol import ContextQuery, HandshakeAck
from .auditing import audit_frames, audit_limits
from .connections.connection import Connection
from .consent.gate import ConsentMissing
from .errors import HostError, TransportError, peer_text
from .evidence import evidence_of
from .outcomes import Failed, Frames, Outcome

logger = logging.getLogger(__name__)

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Leg(NamedTuple):
    """One provider and what it is asked."""

    connection: Connection
    query: ContextQuery


def serves(ack: HandshakeAck, query: ContextQuery) -> bool:
    """Whether a provider has a kind of frames that is asked for."""
    return not query.kinds or not set(query.kinds).isdisjoint(ack.capabilities.query.kinds)


def itself(provider_id: Any) -> str:
    """Calls are named after the provider that they go to."""
    return str(provider_id)


async def together(
    calls: Mapping[Key, Callable[[], Awaitable[Answer]]], provider_of: Callable[[Key], str] = itself
) -> dict[Key, Answer | HostError]:
    """What each call gave, all at once. One that raises takes nothing from the others (R4)."""
    answers: dict[Key, Answer | HostError] = {}

    async def call(key: Key, one: Callable[[], Awaitable[Answer]]) -> None:
        try:
            answers[key] = await one()
        except HostError as error:
            answers[key] = bare(error)
        except Exception as error:
            provider_id = provider_of(key)
            logger.exception("provider %s: the exchange with it failed", provider_id)
            said = f"the exchange failed: {type(error).__name__}: {peer_text(str(error))}"
            answers[key] = TransportError(provider_id, said)

    async with anyio.create_task_group() as tasks:
        for key, one in calls.items():
            tasks.start_soon(call, key, one)
    return {key: answers[key] for key in calls}


def bare(error: HostError) -> HostError:
    """The error without its traceback and context: those hold on to everything that was received, up to megabytes."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


async def ask(leg: Leg, *, strict: bool = False) -> Outcome:
    """The outcome of one leg. Raises `HostError`."""
    provider_id = leg.connection.provider_id
    ack = await leg.connection.open()
    fitted = leg.connection.fit(leg.query, ack)
    try:
        result = await leg.connection.query(fitted.query)
    except ConsentMissing as missing:
        return missing.refusal
    over = audit_limits(provider_id, leg.query, result)
    if over is not None:
        logger.error("%s", over)
        return over
    audited = audit_frames(provider_id, fitted.query, result, strict=strict)
    for each in audited.quarantined:
        logger.warning(
            "provider %s: frame %s is set aside: %s",
            provider_id,
            peer_text(each.offered.frame.id),
            "; ".join(each.reasons),
        )
    return Frames(
        provider_id,
        audited.frames,
        result.truncated,
        result.dropped_estimate,
        audited.quarantined,
        audited.reports,
        evidence_of(provider_id, ack.provider.name, result, ack.attester_keys),
        fitted.withheld,
    )


async def fan_out(legs: list[Leg], *, strict: bool = False) -> tuple[Outcome, ...]:
    """An outcome for each leg, in their order."""

    def call(leg: Leg) -> Callable[[], Awaitable[Outcome]]:
        return lambda: ask(leg, strict=strict)

    answers = await together({leg.connection.provider_id: call(leg) for leg in legs})
    return tuple(
        Failed(provider_id, answer) if isinstance(answer, HostError) else answer
        for provider_id, answer in answers.items()
    )
