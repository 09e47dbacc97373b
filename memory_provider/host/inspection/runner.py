"""Runs all checks on one provider."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from ...loopback import is_loopback
from ...protocol import LOCAL_ONLY
from ..connections.addresses import HttpAddress, parse_address
from .answers import text_of
from .checks import (
    anchors,
    budgets,
    correlation,
    embeddings,
    ending,
    formats,
    greeting,
    instants,
    kinds,
    lifecycle,
    representations,
    robustness,
    unknown,
    verification,
    writing,
)
from .observations import Observations
from .report import Report, results_of
from .requirements import REQUIREMENTS
from .subject import ANSWER_SECONDS, SETTLE_SECONDS, Lost, Subject
from .wire import PROVIDER, Wire, wire_to

Check: TypeAlias = Callable[[Subject], Awaitable[None]]

GOAL: Final = "conformance probe: return your most relevant frames"
QUERY_TEXT: Final = "conformance probe"
"""What is asked for unless something else is given; the same as the protocol's own suite asks."""

BEFORE_CONSENT: Final[tuple[Check, ...]] = (
    greeting.acknowledgement,
    greeting.versions,
    greeting.unknown_members,
    lifecycle.block,
)
"""What sends nothing but handshakes."""

QUESTIONS: Final[tuple[Check, ...]] = (
    budgets.tokens,
    budgets.frames,
    budgets.insistence,
    kinds.filtering,
    instants.windows,
    anchors.nearness,
    embeddings.wrong_lengths,
    representations.offered,
    representations.unadvertised,
    verification.verdicts,
    verification.mixed_names,
    correlation.echoes,
    correlation.several_at_once,
    unknown.types,
    unknown.members,
    formats.questions,
    lifecycle.records,
    lifecycle.resolving,
    writing.appending,
    robustness.odd_questions,
    robustness.many_identities,
    robustness.before_the_greeting,
    robustness.malformed_input,
    robustness.odd_input,
)
"""What asks."""

AT_THE_END: Final[tuple[Check, ...]] = (ending.shutdown, lifecycle.core_first)


async def inspect_provider(
    address: str,
    *,
    goal: str | None = None,
    consent: bool = False,
    writes: bool = False,
    token: str | None = None,
    tls: ssl.SSLContext | None = None,
    environment: Mapping[str, str] | None = None,
    patience: float = ANSWER_SECONDS,
) -> Report:
    """A report on every requirement for the provider at an address, `stdio: COMMAND ARGS…` or a URL.

    `goal` is a question that the provider can answer; without frames little can be seen. Without `consent`, a provider
    whose declaration says that data leaves its machine, or that is reached over a network, is sent nothing but
    handshakes. Nothing is written to a provider but with `writes`: then records are appended, and erased again where
    that is offered. `token` and `tls` are for an address over HTTP, `environment` is what
    a command gets besides `PATH` and `HOME`; an answer may take `patience` seconds. Raises `InvalidInput` for a bad
    address and `TransportError` for a provider that cannot be reached at all.
    """
    way = parse_address(PROVIDER, address)
    is_stdio = not isinstance(way, HttpAddress)

    def wires() -> Wire:
        return wire_to(way, token=token, tls=tls, environment=environment)

    wires()  # a token for a command is refused before anything starts
    return await inspect_over(
        wires,
        is_stdio=is_stdio,
        is_here=is_stdio or is_loopback(urlsplit(address.strip()).hostname or ""),
        goal=goal,
        consent=consent,
        writes=writes,
        patience=patience,
        secret=token,
    )


async def inspect_over(
    wires: Callable[[], Wire],
    *,
    is_stdio: bool,
    is_here: bool,
    goal: str | None = None,
    consent: bool = False,
    writes: bool = False,
    patience: float = ANSWER_SECONDS,
    settle: float = SETTLE_SECONDS,
    secret: str | None = None,
) -> Report:
    """The same over connections of another make. `settle` is how many seconds an answer that should not come is
    listened for; `secret` is shown in no evidence."""
    observations = Observations(secret)
    subject = Subject(
        wires,
        observations,
        is_stdio=is_stdio,
        is_local=is_here,
        goal=GOAL if goal is None else goal,
        query_text=QUERY_TEXT if goal is None else None,
        timeout=patience,
        settle=settle,
        writes=writes,
    )
    if is_stdio:
        observations.does_not_apply("T4", "it is about HTTP")
    else:
        observations.does_not_apply("T1", "it is about lines of a process")
    try:
        await _inspect(subject, consent=consent, is_here=is_here)
    finally:
        await subject.close()
    provider = subject.ack.get("provider")
    said = provider if isinstance(provider, dict) else {}
    return Report(
        "stdio" if is_stdio else "http",
        text_of(said.get("name")),
        text_of(said.get("version")),
        text_of(subject.ack.get("protocol_version")),
        subject.was_asked,
        len(subject.baseline),
        results_of(observations),
    )


async def _inspect(subject: Subject, *, consent: bool, is_here: bool) -> None:
    observations = subject.observations
    if not await subject.first():
        observations.not_seen([each.id for each in REQUIREMENTS], "it acknowledges no handshake")
        return
    for check in BEFORE_CONSENT:
        await _run(check, subject)
    if not consent and (not is_here or _leaves(subject)):
        why = "only handshakes were sent: what is asked may leave this machine, and nobody agreed to that"
    else:
        why = "nothing that was served or answered shows it"
        subject.was_asked = True
        await _run(baseline, subject)
        for check in QUESTIONS:
            await _run(check, subject)
    observations.not_seen([each.id for each in REQUIREMENTS], why)
    for check in AT_THE_END:
        await _run(check, subject)


async def baseline(subject: Subject) -> None:
    """The ordinary question, twice; what later answers are compared with."""
    observations = subject.observations
    first, again = await subject.frames(), await subject.frames()
    subject.baseline = first.frames
    ids = [[frame.id for frame in answer.frames] for answer in (first, again)]
    subject.is_repeatable = first.type == again.type == "frames" and ids[0] == ids[1]
    if first.is_error:
        observations.broken("R1", f"an ordinary question gets {first}", first.exchange, level="SHOULD")
    if not first.frames:
        about_frames = ("F1", "F2", "F3", "F4", "F5", "F17", "P1", "P4", "B3", "D1", "D1b", "G1", "G2")
        observations.not_seen(about_frames, f"no frame was served: an ordinary question gets {first}")
        return
    await subject.frames(max_frames=64, max_tokens=65_536)
    frames = first.frames
    if not any(link.type == "file" for frame in frames for link in frame.provenance):
        observations.not_seen(("F5", "F17"), "no frame that was served comes from a file")
    if not any(frame.valid_from or frame.valid_to or frame.recorded_at for frame in frames):
        observations.not_seen("F4", "no frame that was served says when anything was or is so")
    if not any(frame.relations for frame in frames):
        observations.not_seen(("G1", "G2"), "no frame that was served has relations")
    signing = ("F6", "F7", "F11", "F12", "F14")
    if subject.ack.get("attester_keys"):
        observations.not_seen(
            signing, "it declares keys, and attested nothing of the kind that was asked for"
        )
    else:
        observations.does_not_apply(signing, "it declares no keys and attests nothing")


async def _run(check: Check, subject: Subject) -> None:
    try:
        await check(subject)
    except Lost as lost:
        subject.observations.broken("R1", f"it cannot be asked any more: {lost}")


def _leaves(subject: Subject) -> bool:
    """Whether it declares that data leaves its machine. A declaration that cannot be read is taken to say so."""
    flow = subject.data_flow
    scopes = flow.get("egress_scopes")
    off_machine = isinstance(scopes, list) and any(scope != LOCAL_ONLY for scope in scopes)
    return flow.get("egress") is not False or off_machine
