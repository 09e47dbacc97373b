"""Handshakes: who the provider says it is, and whom it understands."""

from __future__ import annotations

from typing import Final

from ....protocol import FAMILY, INCOMPATIBLE_VERSION, family
from ...errors import peer_text
from ..answers import Answer, Outcome, text_of
from ..judging import broken_scopes
from ..messages import JUNK, Message, handshake, written
from ..subject import Subject

_OF_THE_FAMILY: Final = ("contextgraph/1.0", "contextgraph/1.0-draft", "contextgraph/1.9")
_OF_ANOTHER: Final = ("contextgraph/2.0", "contextgraph/10.0", "contextgraph/0.9", "teapot")


async def acknowledgement(subject: Subject) -> None:
    """What it declares."""
    ack = subject.ack
    if not ack:
        return
    observations, exchange = subject.observations, None
    provider = ack.get("provider")
    provider = provider if isinstance(provider, dict) else {}
    for name in ("name", "version"):
        observations.holds(
            "H2",
            bool((text_of(provider.get(name)) or "").strip()),
            "name and version say something",
            f"the provider's {name} is blank or missing",
            exchange,
        )
    breaches = list(broken_scopes(subject.data_flow))
    for breach in breaches:
        observations.broken("C5", breach)
        if "nor vendor:name" in breach:
            observations.broken("U3", breach)
    if not breaches:
        observations.met("C5", "what it declares of data flow does not contradict itself")
    more = [each for each in subject.representations if each != "full"]
    if more:
        observations.holds(
            "P6",
            subject.declares("resolve"),
            "it resolves what it does not send whole",
            f"it offers {peer_text(', '.join(more))}, and resolve is not true",
        )
    else:
        observations.does_not_apply("P6", "it offers full frames only")
    _applicability(subject)


async def versions(subject: Subject) -> None:
    """Versions of the family, and others."""
    observations = subject.observations
    for version in _OF_THE_FAMILY:
        answer = await _greet(subject, handshake(version))
        said = text_of((answer.message or {}).get("protocol_version"), "") or ""
        acknowledged = answer.type == "handshake_ack"
        observations.holds(
            "H1",
            acknowledged and family(said) == FAMILY,
            f"hosts of {FAMILY} are acknowledged in their family",
            f"a host of {version} gets {answer}{f' of {peer_text(said)}' if acknowledged else ''}",
            answer.exchange,
        )
        observations.holds(
            "H7",
            acknowledged,
            "families are compared, not versions",
            f"a host of {version} gets {answer}",
            answer.exchange,
        )
    for version in _OF_ANOTHER:
        answer = await _greet(subject, handshake(version))
        named = answer.code == INCOMPATIBLE_VERSION or (version == "teapot" and answer.code is not None)
        observations.holds(
            "H3",
            named,
            "hosts of other families hear incompatible_version",
            f"a host of {version} gets {answer}, not {INCOMPATIBLE_VERSION}",
            answer.exchange,
        )
        if version == "contextgraph/10.0":
            observations.holds(
                "H7",
                answer.type != "handshake_ack",
                "families are compared, not versions",
                f"a host of {version} is acknowledged",
                answer.exchange,
            )


async def unknown_members(subject: Subject) -> None:
    """A greeting with members that nobody knows."""
    answer = await _greet(subject, handshake(**JUNK))
    for id in ("T2", "U1"):
        subject.observations.holds(
            id,
            answer.type == "handshake_ack",
            "members that nobody knows change nothing",
            f"a handshake with an unknown member gets {answer}",
            answer.exchange,
        )


async def _greet(subject: Subject, message: Message) -> Answer:
    """Shake hands on a connection of its own: what a provider does after a refusal is its own affair."""
    conversation = await subject.alone()
    try:
        answer = await conversation.ask(written(message), subject.handshake_patience)
        if answer.outcome is Outcome.NOTHING:
            return answer._replace(detail="no answer")
        return answer
    finally:
        await conversation.close()


def _applicability(subject: Subject) -> None:
    """What is no obligation on a provider that offers no more than this one."""
    observations = subject.observations
    for capability, ids in (
        ("correlation", ("H4",)),
        ("verify", ("V2", "V2p", "V4", "V5p")),
        ("graph", ("G3", "G4")),
    ):
        if not subject.declares(capability):
            observations.does_not_apply(ids, f"it does not declare {capability}")
    if text_of(subject.capabilities.get("embeddings_fingerprint")) is None:
        observations.does_not_apply("E1p", "it declares no space for embeddings")
    for representation, id in (("compact", "P2"), ("reference", "P3")):
        if representation not in subject.representations:
            observations.does_not_apply(id, f"it offers no {representation} frames")
