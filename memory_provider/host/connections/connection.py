"""A provider as the host knows it: greeted, asked only what it offers, and named as this host names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import anyio

from ...protocol import (
    FULL,
    INCOMPATIBLE_VERSION,
    VERSION,
    ContextFrame,
    ContextQuery,
    ContextQueryResult,
    DataFlow,
    Envelope,
    Error,
    FrameId,
    Frames,
    FrameVerdict,
    Handshake,
    HandshakeAck,
    Query,
    Resolve,
    Resolved,
    Verified,
    Verify,
    VerifyRequest,
    is_compatible,
)
from ..errors import (
    AnswerTimeout,
    ConnectionClosed,
    CorrelationMismatch,
    HandshakeTimeout,
    HostError,
    NotOffered,
    ProviderError,
    UnexpectedAnswer,
    VersionMismatch,
    peer_text,
)
from .channels import Channel
from .names import inward, outward
from .resolving import content_of, request_for

HANDSHAKE_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 30.0
FIRST_REST: Final = 1.0
LONGEST_REST: Final = 60.0
"""Seconds before a provider that failed twice in a row is opened again, and the most: they double each time."""
GREETING_SECONDS: Final = 60.0
"""For how long what a provider said of itself is relied upon where somebody else may answer the next request."""


Asks: TypeAlias = Query | Verify | Resolve
Answer = TypeVar("Answer", Frames, Verified, Resolved)


class Fitted(NamedTuple):
    """A query as one provider may get it."""

    query: ContextQuery
    withheld: tuple[str, ...]
    """The members that it does not get."""


Permit: TypeAlias = Callable[[str, HandshakeAck, DataFlow], None]
"""Raises `HostError` where a provider may not be sent anything: its id, what it says of itself, where data goes."""


def anything(provider_id: str, ack: HandshakeAck, data_flow: DataFlow) -> None:
    """Permits everything."""


class Connection:
    """One provider behind a channel. Opened when it is first needed, and again after it failed, with pauses that grow.

    Nothing but the handshake is sent before `open` has returned (H5), and only `open` opens. `permit` is asked in the
    moment before anything else goes out, of the provider that it goes to.
    """

    def __init__(
        self,
        provider_id: str,
        channel: Channel,
        *,
        handshake_timeout: float = HANDSHAKE_SECONDS,
        timeout: float = ANSWER_SECONDS,
        embedding_fingerprint: str | None = None,
        permit: Permit = anything,
    ) -> None:
        self.provider_id = provider_id
        self._channel = channel
        self._permit = permit
        self._handshake_timeout = handshake_timeout
        self._timeout = timeout
        self._fingerprint = embedding_fingerprint
        self._ack: HandshakeAck | None = None
        self._greeted_at = 0.0
        self._greeting: anyio.CancelScope | None = None
        self._is_closed = False
        self._opening = anyio.Lock()
        self._turn = anyio.Lock()
        self._ids = count(1)
        self._failures = 0
        self._rests_until = 0.0
        self._given_up: HostError | None = None

    async def open(self) -> HandshakeAck:
        """Who the provider says it is. Raises `HostError`."""
        async with self._opening:
            if self._ack is not None and self._is_current:
                return self._ack
            if self._given_up is not None:
                raise self._given_up
            if anyio.current_time() < self._rests_until:
                raise ConnectionClosed(self.provider_id, "it failed and is not asked again yet")
            before = self._ack if self._channel.is_open else None
            self._ack = before
            greeted = False
            try:
                with anyio.CancelScope() as self._greeting:
                    if not self._is_closed:
                        ack = await self._greet()
                        # The same object for the same words: what was asked on the strength of it goes on.
                        self._ack = ack = before if before is not None and ack == before else ack
                        greeted = True
                        return ack
                raise ConnectionClosed(self.provider_id, "the connection was closed")
            except VersionMismatch as error:
                self._given_up = error
                raise
            except HostError:
                self._failed()
                raise
            finally:
                if not greeted:
                    self._ack = None
                    with anyio.CancelScope(shield=True):
                        await self._channel.abort()

    @property
    def _is_current(self) -> bool:
        """Whether who answered the handshake is who answers now."""
        if not self._channel.is_open:
            return False
        return self._channel.has_session or anyio.current_time() < self._greeted_at + GREETING_SECONDS

    def data_flow(self, ack: HandshakeAck) -> DataFlow:
        """Where data goes: what the provider declares, and egress where the channel says so (C4)."""
        declared = ack.provider.data_flow
        return declared.replace(egress=True) if self._channel.is_egress else declared

    def fit(self, query: ContextQuery, ack: HandshakeAck) -> Fitted:
        """The query without what this provider does not offer.

        A representation it does not advertise (P5), a vector of another space (E1), an extension it does not name.
        Raises `NotOffered` where no representation is left.
        """
        capabilities, withheld = ack.capabilities, []
        changes: dict[str, object] = {}
        wanted = query.representation_preferences
        offered = tuple(each for each in wanted if each in capabilities.offered_representations)
        if offered != wanted:
            if not offered:
                raise NotOffered(
                    self.provider_id, f"it returns no frames that are {' or '.join(wanted)} (P5)"
                )
            withheld.append("representation_preferences")
            # Full is what a query without preferences asks for.
            changes["representation_preferences"] = () if offered == (FULL,) else offered
        if query.embedding is not None and (
            self._fingerprint is None or self._fingerprint != capabilities.embeddings_fingerprint
        ):
            withheld.append("embedding")
            changes["embedding"] = None
        unknown = [name for name in query.extra if not capabilities.extra.get(name)]
        if unknown:
            withheld += unknown
            changes["extra"] = {name: value for name, value in query.extra.items() if name not in unknown}
        return Fitted(query.replace(**changes) if changes else query, tuple(withheld))

    async def query(self, query: ContextQuery) -> ContextQueryResult:
        """The answer to a query that `fit` made fit. Raises `HostError`."""
        ack = self._greeted()
        answer = await self._ask(ack, Query(id=self._next_id(ack), query=query), Frames)
        return answer.result

    async def verify(self, frames: Sequence[FrameId]) -> tuple[FrameVerdict, ...]:
        """What became of frames of this provider, in this host's names both ways. Raises `HostError`."""
        ack = self._greeted()
        if not ack.capabilities.verify:
            raise NotOffered(self.provider_id, "it does not verify; ask again instead (V3)")
        declared = ack.provider.name
        request = Verify(request=VerifyRequest(frames=outward(frames, declared)))
        answer = await self._ask(ack, request, Verified)
        return inward(answer.response.verdicts, declared, self.provider_id)

    async def resolve(self, frame: ContextFrame, extra: Mapping[str, Any]) -> str:
        """The whole content of a compact or reference frame of this provider, held to its hash. Raises `HostError`."""
        ack = self._greeted()
        request = request_for(self.provider_id, frame, ack.capabilities, extra)
        id = self._next_id(ack)
        answer = await self._ask(ack, Resolve(id=id, request=request), Resolved)
        return content_of(self.provider_id, request, answer)

    async def close(self) -> None:
        """Say goodbye, and leave nothing running."""
        self._is_closed = True
        if self._greeting is not None:
            self._greeting.cancel()
        with anyio.CancelScope(shield=True):
            async with self._opening:  # whoever is just opening it has let go of it then
                self._ack = None
                await self._channel.close()

    async def _greet(self) -> HandshakeAck:
        try:
            with anyio.fail_after(self._handshake_timeout):
                if not self._channel.is_open:
                    await self._channel.open()
                answer = await self._channel.exchange(Handshake(protocol_version=VERSION))
        except TimeoutError:
            said = f"no acknowledgement within {self._handshake_timeout:g} s"
            raise HandshakeTimeout(self.provider_id, said) from None
        if isinstance(answer, Error):
            raise self._refusal(answer)
        if not isinstance(answer, HandshakeAck):
            raise UnexpectedAnswer(self.provider_id, f"it answered a handshake with {answer.type}")
        if not is_compatible(answer.protocol_version):
            said = f"it speaks {peer_text(answer.protocol_version)}, this host {VERSION} (H3)"
            raise VersionMismatch(self.provider_id, said)
        self._greeted_at = anyio.current_time()
        return answer

    async def _ask(self, ack: HandshakeAck, request: Asks, expected: type[Answer]) -> Answer:
        """The answer, within the time for it. What has no id is asked in its turn, and nothing else meanwhile (H6)."""
        try:
            with anyio.fail_after(self._timeout):
                if request.id is not None:
                    answer = await self._exchange(ack, request)
                else:
                    async with self._turn:
                        if self._ack is not ack:
                            raise ConnectionClosed(
                                self.provider_id, "it was opened anew before its turn came"
                            )
                        answer = await self._exchange(ack, request)
        except TimeoutError:
            late = AnswerTimeout(self.provider_id, f"no answer within {self._timeout:g} s")
            self._broke(ack, late)
            raise late from None
        except HostError as error:
            self._broke(ack, error)
            raise
        if isinstance(answer, Error):
            self._failures = 0
            refused = self._refusal(answer)
            if isinstance(refused, VersionMismatch):
                self._given_up, self._ack = refused, None
                await self._channel.abort()
            raise refused
        if not isinstance(answer, expected):
            if request.id is None and self._channel.has_session:
                await self._channel.abort()  # what should have been said here may come next
            said = f"it answered {request.type} with {peer_text(answer.type)}"
            unexpected = UnexpectedAnswer(self.provider_id, said)
            self._broke(ack, unexpected)
            raise unexpected
        if request.id is not None and answer.id != request.id:
            said = f"the answer does not name the question {request.id} (H4)"
            raise CorrelationMismatch(self.provider_id, said)
        self._failures = 0
        return answer

    def _refusal(self, error: Error) -> HostError:
        """What an error envelope means; another version is never asked again, whenever that is said (X3)."""
        refused = ProviderError(self.provider_id, error)
        if refused.code == INCOMPATIBLE_VERSION:
            return VersionMismatch(self.provider_id, str(refused))
        return refused

    async def _exchange(self, ack: HandshakeAck, request: Envelope) -> Envelope:
        self._permit(self.provider_id, ack, self.data_flow(ack))
        return await self._channel.exchange(request)

    def _next_id(self, ack: HandshakeAck) -> str | None:
        return f"q{next(self._ids)}" if ack.capabilities.correlation else None

    def _greeted(self) -> HandshakeAck:
        if self._ack is None:
            raise ConnectionClosed(self.provider_id, "it was not greeted yet (H5)")
        return self._ack

    def _broke(self, ack: HandshakeAck, error: HostError) -> None:
        """Counts what ended a connection once, whoever was asking, and not what this host itself gave up."""
        if self._ack is ack and not self._channel.is_open:
            self._ack = None
            if not isinstance(error, ConnectionClosed):
                self._failed()

    def _failed(self) -> None:
        rest = min(FIRST_REST * 2 ** (self._failures - 1), LONGEST_REST) if self._failures else 0.0
        self._failures = min(self._failures + 1, 16)
        self._rests_until = anyio.current_time() + rest
