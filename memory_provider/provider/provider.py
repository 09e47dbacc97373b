"""The provider: from an envelope to an envelope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._version import __version__
from ..protocol import (
    Capabilities,
    ContextQueryResult,
    DataFlow,
    DecodeError,
    Envelope,
    Error,
    Frames,
    Handshake,
    HandshakeAck,
    ProtocolError,
    ProviderInfo,
    Query,
    QueryCapability,
    Shutdown,
    Verified,
    Verify,
    VerifyResponse,
    answer_version,
    decode,
    encode,
)
from .extensions import KNOWN_AT
from .questions import (
    KINDS,
    REPRESENTATIONS,
    Question,
    RecallQuestion,
    recall_question,
    verify_question,
)

if TYPE_CHECKING:
    from ..memory.api import Memory

NAME: Final = "memory-provider"
"""What this provider calls itself."""

CAPABILITIES: Final = Capabilities(
    query=QueryCapability(kinds=KINDS),
    correlation=True,
    graph=True,
    verify=True,
    representations=REPRESENTATIONS,
    resolve=False,
    extra={KNOWN_AT: True},
)
"""What a host may ask."""


class Settled(NamedTuple):
    """What becomes of a message: an answer or none, and whether it was the last one."""

    answer: Envelope | None
    stop: bool = False

    @property
    def id(self) -> str | None:
        """The correlation id of the answer."""
        return getattr(self.answer, "id", None)


class Pending(NamedTuple):
    """A message that only the memory can answer."""

    id: str | None
    question: Question


class Reply(NamedTuple):
    """What to send back, None being nothing, and whether the host said goodbye."""

    data: bytes | None
    stop: bool = False


class Provider:
    """Serves one memory over the Context Graph Protocol, whatever carries the messages.

    It keeps no state between messages: any of them may come at any time, also before a handshake or after a
    shutdown (over HTTP they do). `memory` is the memory, or a function that makes it when a question first needs
    one, which lets a handshake be answered before anything is loaded.

    `handle` does everything. A transport that wants to answer at once what needs no memory uses its two halves:
    `receive`, which never waits, and `settle`, which asks the memory.
    """

    def __init__(
        self,
        memory: Memory | Callable[[], Memory],
        *,
        data_flow: DataFlow,
        name: str = NAME,
        version: str = __version__,
    ) -> None:
        self._given = memory
        self._memory: Memory | None = None
        self._info = ProviderInfo(name=name, version=version, data_flow=data_flow)

    async def handle(self, message: bytes) -> Reply:
        """The reply to one line or one body. Never raises for anything that a peer may send."""
        settled = await self.settle(self.receive(message))
        return Reply(self.to_bytes(settled), settled.stop)

    async def answer(self, envelope: Envelope) -> Envelope | None:
        """The envelope that answers an envelope; None where none is due."""
        return (await self.settle(self.consider(envelope))).answer

    def receive(self, message: bytes) -> Settled | Pending:
        """What becomes of one line or one body, as far as that is certain without the memory."""
        try:
            envelope = decode(message)
        except DecodeError as error:
            return Settled(Error.of(error) if error.reply and error.type not in ANSWERS_ONLY else None)
        return self.consider(envelope)

    def consider(self, envelope: Envelope) -> Settled | Pending:
        """What becomes of an envelope, as far as that is certain without the memory."""
        consider = TABLE.get(type(envelope))
        if consider is None:
            return Settled(None)
        try:
            return consider(self, envelope)
        except ProtocolError as problem:
            return Settled(
                Error(id=getattr(envelope, "id", None), code=problem.code, message=problem.message)
            )

    async def settle(self, message: Settled | Pending) -> Settled:
        """The end of it: asks the memory if that is what is left to do."""
        if isinstance(message, Settled):
            return message
        from .failures import failure

        try:
            return Settled(await self._ask(message))
        except Exception as problem:
            return Settled(failure(problem, message.id))

    def to_bytes(self, settled: Settled) -> bytes | None:
        """An answer as a message, without a line end."""
        answer = settled.answer
        if answer is None:
            return None
        try:
            if isinstance(answer, Frames):
                from .fitting import to_bytes

                return to_bytes(answer)
            return encode(answer)
        except Exception as problem:
            from .failures import failure

            return encode(failure(problem, settled.id))

    async def close(self) -> None:
        """Let go of the memory if it was made here."""
        if self._memory is not None and self._memory is not self._given:
            memory, self._memory = self._memory, None
            await memory.close()

    def acknowledge(self, handshake: Handshake) -> HandshakeAck:
        """Who this is and what it can do. Raises `IncompatibleVersion` for another family (H1, H3)."""
        version = answer_version(handshake.protocol_version)
        return HandshakeAck(protocol_version=version, provider=self._info, capabilities=CAPABILITIES)

    async def _ask(self, pending: Pending) -> Envelope:
        from . import answers

        if self._memory is None:
            self._memory = self._given() if callable(self._given) else self._given
        if isinstance(pending.question, RecallQuestion):
            return Frames(id=pending.id, result=await answers.recall(self._memory, pending.question))
        return Verified(id=pending.id, response=await answers.verify(self._memory, pending.question))


def _handshake(provider: Provider, handshake: Handshake) -> Settled:
    return Settled(provider.acknowledge(handshake))


def _query(provider: Provider, query: Query) -> Settled | Pending:
    question = recall_question(query.query)
    if isinstance(question, ContextQueryResult):
        return Settled(Frames(id=query.id, result=question))
    return Pending(query.id, question)


def _verify(provider: Provider, verify: Verify) -> Settled | Pending:
    question = verify_question(verify.request)
    if isinstance(question, VerifyResponse):
        return Settled(Verified(id=verify.id, response=question))
    return Pending(verify.id, question)


def _shutdown(provider: Provider, shutdown: Shutdown) -> Settled:
    return Settled(None, stop=True)


TABLE: Final[Mapping[type[Envelope], Callable[[Provider, Any], Settled | Pending]]] = {
    Handshake: _handshake,  # -> handshake_ack, or error incompatible_version
    Query: _query,  # -> frames, or error
    Verify: _verify,  # -> verified, or error
    Shutdown: _shutdown,  # -> nothing, and the end
}
"""Which envelope gets which answer. The others are answers themselves; a provider that receives one ignores it."""

ANSWERS_ONLY: Final = frozenset(each.type for each in (HandshakeAck, Frames, Verified, Error))
"""Types of those others: nobody waits for a reply to one, be it well-formed or not."""
