"""Verdicts on frames that are held."""

from __future__ import annotations

from typing import Any, Final

from ....protocol import ContextFrame
from ...errors import peer_text
from ..answers import Answer
from ..messages import Message, identity, verify, written
from ..subject import Subject

_OTHER: Final = "sha256:" + "0" * 64
_SUFFIX: Final = "-inspection-mutated"
_STATUSES: Final = ("valid", "stale", "gone", "unknown")
_SHORTEST_BODY: Final = 16
"""Characters of content that are looked for in a verdict; shorter ones stand there by chance."""


async def verdicts(subject: Subject) -> None:
    """What was served, what never was, and what was changed."""
    if not subject.declares("verify"):
        return
    held = [frame for frame in subject.baseline if frame.content_digest is not None]
    await _answered(subject, "no frames", [])
    await _answered(subject, "a frame that never was", [_never(subject)], ("unknown", "gone"))
    if not held:
        subject.observations.not_seen(
            ("V2p", "V5p", "V4"), "no frame with a digest was served that could be verified"
        )
        return
    for _ in range(2):
        await _answered(
            subject, "what was just served", [_id(subject, each) for each in held], ("valid",), held
        )
    mutated = [_id(subject, each) | {"content_digest": f"{each.content_digest}{_SUFFIX}"} for each in held]
    await _answered(subject, "served frames with a digest that is none", mutated, ("stale",), held)
    other = [_id(subject, each) | {"content_digest": _OTHER} for each in held]
    await _answered(subject, "served frames with another digest", other, ("stale",), held)
    bare = [identity(subject.name, each.id) for each in held]
    await _answered(subject, "served frames without a digest", bare, ("unknown", "stale", "gone"), held)
    twice = [_id(subject, held[0])] * 2
    await _answered(subject, "a frame asked for twice", twice, ("valid",), held)
    with_body = [_id(subject, held[0]) | {"content": held[0].content or "a body of some length"}]
    await _answered(subject, "an identity with a body", with_body, ("valid",), held)


async def mixed_names(subject: Subject) -> None:
    """Identities of several providers in one request."""
    held = [frame for frame in subject.baseline if frame.content_digest is not None]
    if not subject.declares("verify") or not held:
        return
    asked = [
        identity("inspection-of-another", held[0].id, held[0].content_digest),
        _id(subject, held[0]),
        identity("inspection-of-another", "never-served", _OTHER),
    ]
    answer = await subject.ask(verify(*asked))
    own = [status for frame, status in _verdicts(answer) if frame == asked[1]]
    subject.observations.holds(
        "V5p",
        answer.type == "verified" and own == ["valid"],
        "identities of other providers spoil no verification",
        f"with identities of another provider, a verification gets {answer}"
        + (f", and {own or 'no verdict'} on its own frame" if answer.type == "verified" else ""),
        answer.exchange,
    )


async def _answered(
    subject: Subject,
    what: str,
    asked: list[Message],
    statuses: tuple[str, ...] = _STATUSES,
    held: list[ContextFrame] = [],  # noqa: B006
) -> None:
    answer = await subject.ask(verify(*asked))
    observations, exchange = subject.observations, answer.exchange
    if not observations.holds(
        "V2",
        answer.type == "verified",
        "verifications are answered with verified",
        f"a verification of {what} gets {answer}",
        exchange,
    ):
        return
    bare = [
        {name: each[name] for name in ("provider_id", "frame_id", "content_digest") if name in each}
        for each in asked
    ]
    found = _verdicts(answer)
    foreign = [frame for frame, _ in found if frame not in bare]
    if foreign:
        observations.broken("V2p", f"of {what}: an identity is not echoed as it was received", exchange)
    for each in bare:
        said = [status for frame, status in found if frame == each]
        if not said or any(status not in statuses for status in said):
            got = ", ".join(peer_text(str(status)) for status in said) or "no verdict"
            expected = " or ".join(statuses)
            observations.broken("V2p", f"of {what}: {got}, expected {expected}", exchange)
        elif held:
            observations.met("V2p", "verdicts are what the digests say, and echo what was asked", exchange)
    if held:
        _bodies(subject, answer, held)


def _bodies(subject: Subject, answer: Answer, held: list[ContextFrame]) -> None:
    bodies = [frame.content for frame in held if frame.content and len(frame.content) >= _SHORTEST_BODY]
    verdicts = _response(answer)
    text = written((answer.message or {}).get("response")).decode()
    leaked = any(written(body).decode()[1:-1] in text for body in bodies) or any(
        isinstance(each, dict) and ("content" in each or "content" in (each.get("frame") or {}))
        for each in verdicts
    )
    subject.observations.holds(
        "V4",
        not leaked,
        "no body travels with verdicts",
        "a body travels with a verdict",
        answer.exchange,
    )


def _response(answer: Answer) -> list[Any]:
    response = (answer.message or {}).get("response")
    verdicts = response.get("verdicts") if isinstance(response, dict) else None
    return verdicts if isinstance(verdicts, list) else []


def _verdicts(answer: Answer) -> list[tuple[Message, Any]]:
    """Identities and statuses; an absent digest and one that is null are the same."""
    found = []
    for each in _response(answer):
        frame = each.get("frame") if isinstance(each, dict) else None
        if isinstance(frame, dict):
            bare = {
                name: value
                for name, value in frame.items()
                if not (name == "content_digest" and value is None)
            }
            found.append((bare, each.get("status")))
    return found


def _id(subject: Subject, frame: ContextFrame) -> Message:
    return identity(subject.name, frame.id, frame.content_digest)


def _never(subject: Subject) -> Message:
    return identity(subject.name, "inspection-never-served", _OTHER)
