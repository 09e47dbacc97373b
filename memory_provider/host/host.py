"""The host: providers, consent, and the questions that go to all of them."""

from __future__ import annotations

import ssl
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeAlias

import anyio

from ..protocol import ContextQuery, DataFlow, FrameId, FrameVerdict, HandshakeAck, Representation
from ..temporal.errors import InvalidInput
from .books.verification import (
    Impediment,
    NotConsented,
    Verification,
    VerifyFailed,
    VerifyUnsupported,
    plan_verification,
    settle,
)
from .budgets import split
from .connections import Answers, Channel, Connection, InProcessChannel, channel_to
from .connections.connection import ANSWER_SECONDS
from .consent.gate import ConsentMissing, gate
from .consent.ledger import Ledger
from .errors import HostError, NotOffered
from .fan_out import Leg, fan_out, serves, together
from .offers import Offered
from .outcomes import ConsentRequired, ConsentScopeRequired, Failed, Outcome
from .rehydration import REFERENCES, rehydrate


class Consents(Protocol):
    """Where consents are kept, such as a `ConsentFile`."""

    def ledger(self) -> Ledger:
        """The consents as they are now."""
        ...


class NoConsents:
    """Nobody consented to anything: only providers that keep what they are asked on this machine are asked."""

    def ledger(self) -> Ledger:
        """None."""
        return Ledger()


def wall_clock() -> int:
    """Microseconds since the Unix epoch."""
    return time.time_ns() // 1000


class Declaration(NamedTuple):
    """A provider before it is asked anything."""

    ack: HandshakeAck
    data_flow: DataFlow
    """Where data goes: what it declares, and egress where the way to it makes it so (C4)."""


class Host:
    """Asks any number of providers. An async context manager: at its end nothing of them is left running."""

    def __init__(
        self, *, consents: Consents | None = None, strict: bool = False, now: Callable[[], int] = wall_clock
    ) -> None:
        self._consents = NoConsents() if consents is None else consents
        self._strict = strict
        self._now = now
        self._connections: dict[str, Connection] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def provider_ids(self) -> tuple[str, ...]:
        """Whom this host asks, in the order in which they were added."""
        return tuple(self._connections)

    def add(
        self,
        provider_id: str,
        provider: str | Channel | Answers,
        *,
        token: str | None = None,
        tls: ssl.SSLContext | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float = ANSWER_SECONDS,
        embedding_fingerprint: str | None = None,
    ) -> None:
        """Another provider, under an id of this host. It is greeted when it is first needed.

        `provider` is its address (`stdio: COMMAND ARGS…`, to which `environment` adds; `https://…`, for which `token`
        and `tls` are), an object in this process that answers envelopes, or a channel. It answers within `timeout`
        seconds or not at all. Raises `InvalidInput`.
        """
        if not _is_id(provider_id) or provider_id in self._connections:
            raise InvalidInput(f"a provider's id is a text that no other provider has, not {provider_id!r}")
        if isinstance(provider, str):
            channel = channel_to(provider_id, provider, token=token, tls=tls, environment=environment)
        elif token is not None or tls is not None or environment is not None:
            raise InvalidInput(
                f"provider {provider_id}: a token and TLS are for an address over HTTP, an environment for a command"
            )
        else:
            channel = InProcessChannel(provider_id, provider) if isinstance(provider, Answers) else provider
        self._connections[provider_id] = Connection(
            provider_id,
            channel,
            timeout=timeout,
            embedding_fingerprint=embedding_fingerprint,
            permit=self._permit,
        )

    async def remove(self, provider_id: str) -> None:
        """A provider less."""
        connection = self._connections.pop(provider_id, None)
        if connection is not None:
            await connection.close()

    async def greet(self) -> dict[str, HandshakeAck | HostError]:
        """Who each provider says it is, or why it does not."""
        return await together({id: connection.open for id, connection in self._connections.items()})

    async def declaration(self, provider_id: str) -> Declaration:
        """Who a provider says it is and where data goes, to consent to. Raises `HostError`."""
        connection = self._connections.get(provider_id)
        if connection is None:
            raise InvalidInput(f"no provider of this host is called {provider_id!r}")
        ack = await connection.open()
        return Declaration(ack, connection.data_flow(ack))

    async def query(self, query: ContextQuery) -> tuple[Outcome, ...]:
        """What became of asking every provider that serves a kind asked for, one outcome each.

        `max_tokens` is for all of them together: each is asked for its share (COMP1). One that cannot be greeted, may
        not be asked without consent, or offers no representation asked for, takes no share.
        """
        connections = dict(self._connections)
        greeted = await self.greet()
        ledger, now = self._consents.ledger(), self._now()
        outcomes: list[Outcome] = []
        asked: list[Connection] = []
        for id, ack in greeted.items():
            connection = connections[id]
            if isinstance(ack, HostError):
                outcomes.append(Failed(id, ack))
            elif serves(ack, query):
                refused = gate(id, ack, connection.data_flow(ack), ledger, now) or _unfit(
                    connection, query, ack
                )
                if refused is None:
                    asked.append(connection)
                else:
                    outcomes.append(refused)
        shares = split(query.max_tokens, len(asked))
        legs = [
            Leg(connection, query.replace(max_tokens=share))
            for connection, share in zip(asked, shares, strict=True)
        ]
        outcomes += await fan_out(legs, strict=self._strict)
        order = list(connections)
        return tuple(sorted(outcomes, key=lambda outcome: order.index(outcome.provider_id)))

    async def rehydrate(
        self,
        outcomes: Iterable[Outcome],
        *,
        asked: ContextQuery | None = None,
        representations: Collection[Representation] = REFERENCES,
    ) -> tuple[Outcome, ...]:
        """The outcomes with the content of their reference frames, each of which becomes the full frame it stands for.

        Each is asked of the provider that served it, if that advertises `memory-provider:resolve`, and under the same
        consent as the question; content of another hash than the frame's is not used. A frame whose content cannot be
        had is left as it came, and said in `reports` (P7). `asked` is the query, for the extensions that it names.
        `representations` may have `compact`, too: whole contents then take the place of extracts.
        """
        connections = dict(self._connections)
        extra = {} if asked is None else asked.extra

        async def fetch(offered: Offered) -> str:
            connection = connections.get(offered.provider_id)
            if connection is None:
                raise NotOffered(offered.provider_id, "it is no longer asked")
            await connection.open()
            return await connection.resolve(offered.frame, extra)

        return await rehydrate(outcomes, fetch, representations)

    async def verify(self, held: Iterable[FrameId]) -> Verification:
        """Which of the held frames may still be used: only those that their provider confirms."""
        frames = tuple(held)
        connections = dict(self._connections)
        concerned = {frame.provider_id for frame in frames if frame.content_digest is not None}
        greeted = await together(
            {id: connection.open for id, connection in connections.items() if id in concerned}
        )
        providers: dict[str, Impediment | None] = dict.fromkeys(connections)
        ledger, now = self._consents.ledger(), self._now()
        for id, ack in greeted.items():
            providers[id] = (
                _impediment(ack)
                if isinstance(ack, HostError)
                else _refusal(gate(id, ack, connections[id].data_flow(ack), ledger, now), ack)
            )
        plan = plan_verification(frames, providers)

        def call(
            connection: Connection, identities: tuple[FrameId, ...]
        ) -> Callable[[], Awaitable[Verdicts]]:
            async def verify() -> Verdicts:
                await connection.open()
                return await connection.verify(identities)

            return verify

        answers = await together({id: call(connections[id], asked) for id, asked in plan.questions.items()})
        return settle(
            plan,
            {
                id: _impediment(answer) if isinstance(answer, HostError) else answer
                for id, answer in answers.items()
            },
        )

    async def close(self) -> None:
        """Say goodbye to everyone at once, and leave nothing running. Cannot be cancelled; takes seconds at most."""
        with anyio.CancelScope(shield=True):
            connections, self._connections = self._connections, {}
            await together({id: connection.close for id, connection in connections.items()})

    def _permit(self, provider_id: str, ack: HandshakeAck, data_flow: DataFlow) -> None:
        """Consent as it stands in the moment before something is sent."""
        refused = gate(provider_id, ack, data_flow, self._consents.ledger(), self._now())
        if refused is not None:
            raise ConsentMissing(refused)


def _is_id(text: str) -> bool:
    """Whether it can stand in a prompt and in a file."""
    try:
        return bool(text.encode().strip())
    except UnicodeEncodeError:
        return False


Verdicts: TypeAlias = tuple[FrameVerdict, ...]


def _unfit(connection: Connection, query: ContextQuery, ack: HandshakeAck) -> Failed | None:
    try:
        connection.fit(query, ack)
    except NotOffered as error:
        return Failed(connection.provider_id, error)
    return None


def _refusal(refused: ConsentRequired | ConsentScopeRequired | None, ack: HandshakeAck) -> Impediment | None:
    if refused is not None:
        return NotConsented(refused.missing if isinstance(refused, ConsentScopeRequired) else ())
    return None if ack.capabilities.verify else VerifyUnsupported()


def _impediment(error: HostError) -> Impediment:
    match error:
        case ConsentMissing(refusal=ConsentScopeRequired(missing=missing)):
            return NotConsented(missing)
        case ConsentMissing():
            return NotConsented()
    return VerifyFailed(str(error))
