"""The provider: from an envelope to an envelope."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from .._version import __version__
from ..access import local
from ..access.errors import AuditError
from ..protocol import (
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
    Records,
    Representation,
    Shutdown,
    TaggedObject,
    answer_version,
    decode,
    encode,
)
from ..protocol.envelopes import ENVELOPES
from ..telemetry.requests import Request as Told
from ..telemetry.requests import answered, answering
from .auditing import Audit, Auditor
from .capabilities import capabilities
from .observing import arrival, outcome_of, request_of, unread
from .questions import REPRESENTATIONS, on_offer
from .refusals import Refusal
from .requests import REQUESTS, Asking, Request
from .scopes import Scopes, asked_scope, out_of_reach

if TYPE_CHECKING:
    from ..access import Principal
    from ..attestation import Attester, SigningKey
    from ..memory.api import Memory

NAME: Final = "memory-provider"
"""What this provider calls itself."""


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
    type: str
    """The type of the envelope."""
    request: Request
    question: Any
    """What the request asks of the memory, in the terms of its `answer`."""
    principal: Principal | None
    """Who asks; None is whoever started the process."""
    scope: str | None
    """The scope to ask; None is the provider's own."""
    told: Told | None = None
    """The request as telemetry hears of it; None where nobody listens."""


class Reply(NamedTuple):
    """What to send back, None being nothing, and whether the host said goodbye."""

    data: bytes | None
    stop: bool = False


class Provider:
    """Serves the memories of one store over the Context Graph Protocol, whatever carries the messages.

    It keeps no state between messages: any of them may come at any time, also before a handshake or after a
    shutdown (over HTTP they do). `memory` is a memory, or a function that makes it when a question first needs
    one, which lets a handshake be answered before anything is loaded.

    Each message may come with the `Principal` who sent it. Its scopes are answered from, its rights are looked at.
    Without one the message comes from whoever started the process, who may do everything in the scope of `memory`
    and nothing in another.

    `representations` are those that frames are served in.

    `audit` is told of every request to the memory before its answer is sent, and of those that are refused.

    With a `key` every frame it answers with is signed, every result as a whole, and every record; the handshake
    publishes the public half.

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
        audit: Audit | None = None,
        key: SigningKey | None = None,
        representations: tuple[Representation, ...] = REPRESENTATIONS,
    ) -> None:
        self._scopes = Scopes(memory)
        self._auditor = Auditor(audit)
        self._info = ProviderInfo(name=name, version=version, data_flow=data_flow)
        self._attester = None if key is None else _attester(key, name)
        self._capabilities = capabilities(representations)

    async def handle(self, message: bytes, principal: Principal | None = None) -> Reply:
        """The reply to one line or one body. Never raises for anything that a peer may send."""
        settled = await self.settle(self.receive(message, principal))
        return Reply(self.to_bytes(settled), settled.stop)

    async def answer(self, envelope: Envelope, principal: Principal | None = None) -> Envelope | None:
        """The envelope that answers an envelope; None where none is due."""
        return (await self.settle(self.consider(envelope, principal))).answer

    def receive(self, message: bytes, principal: Principal | None = None) -> Settled | Pending:
        """What becomes of one line or one body, as far as that is certain without the memory."""
        began = arrival()
        try:
            envelope = decode(message)
        except DecodeError as error:
            waited_for = error.reply and error.type not in ANSWERS_ONLY
            settled = Settled(Error.of(error) if waited_for else None)
            if began is not None:
                answered(unread(error.type, began), outcome_of(settled.answer))
            return settled
        return self._observed(envelope, principal, began)

    def consider(self, envelope: Envelope, principal: Principal | None = None) -> Settled | Pending:
        """What becomes of an envelope, as far as that is certain without the memory."""
        return self._observed(envelope, principal, arrival())

    def _observed(
        self, envelope: Envelope, principal: Principal | None, began: int | None
    ) -> Settled | Pending:
        message = self._considered(envelope, principal)
        if began is None:
            return message
        told = request_of(envelope, began)
        if isinstance(message, Pending):
            return message._replace(told=told)
        answered(told, outcome_of(message.answer))
        return message

    def _considered(self, envelope: Envelope, principal: Principal | None) -> Settled | Pending:
        try:
            if isinstance(envelope, Handshake):
                return Settled(self.acknowledge(envelope))
            if isinstance(envelope, Shutdown):
                return Settled(None, stop=True)
            request = REQUESTS.get(type(envelope))
            return Settled(None) if request is None else self._consider(request, envelope, principal)
        except (ProtocolError, AuditError) as problem:
            from .failures import failure

            return Settled(failure(problem, getattr(envelope, "id", None)))

    async def settle(self, message: Settled | Pending) -> Settled:
        """The end of it: asks the memory if that is what is left to do."""
        if isinstance(message, Settled):
            return message
        if message.told is None:
            return await self._settle(message)
        with answering(message.told) as told:
            settled = await self._settle(message)
            told.outcome = outcome_of(settled.answer)
            return settled

    async def _settle(self, message: Pending) -> Settled:
        from .failures import failure

        try:
            answer = await self._ask(message)
        except Exception as problem:
            answer = failure(problem, message.id)
        except BaseException:
            self._auditor.interrupted(message, message.scope or self._scopes.own)
            raise
        try:
            self._auditor.ended(message, message.scope or self._scopes.own, answer)
        except AuditError as problem:
            answer = failure(problem, message.id)
        return Settled(answer)

    def to_bytes(self, settled: Settled) -> bytes | None:
        """An answer as a message, without a line end."""
        answer = settled.answer
        if answer is None:
            return None
        try:
            if isinstance(answer, Frames):
                from .fitting import to_bytes

                return to_bytes(answer, self._attester)
            return encode(answer)
        except Exception as problem:
            from .failures import failure

            return encode(failure(problem, settled.id))

    async def close(self) -> None:
        """Let go of the memory if it was made here."""
        await self._scopes.close()

    def acknowledge(self, handshake: Handshake) -> HandshakeAck:
        """Who this is and what it can do. Raises `IncompatibleVersion` for another family (H1, H3)."""
        version = answer_version(handshake.protocol_version)
        return HandshakeAck(
            protocol_version=version,
            provider=self._info,
            capabilities=self._capabilities,
            attester_keys=() if self._attester is None else self._attester.keys,
        )

    def _consider(self, request: Request, envelope: Any, principal: Principal | None) -> Settled | Pending:
        try:
            if principal is not None and not principal.may(request.right):
                message = f"this takes the right to {request.right}, which is not granted"
                raise Refusal(request.not_granted, message)
            scope = asked_scope(request.members(envelope), principal, denied=request.denied)
            if isinstance(envelope, Query):
                offered = self._capabilities.offered_representations
                envelope = envelope.replace(query=on_offer(envelope.query, offered))
            question = request.question(envelope)
        except ProtocolError as problem:
            self._auditor.refused(envelope, request, principal, problem.code)
            raise
        if isinstance(question, TaggedObject):
            return Settled(cast(Envelope, question))
        return Pending(envelope.id, envelope.type, request, question, principal, scope)

    async def _ask(self, pending: Pending) -> Envelope:
        memory = self._scopes.memory(None if pending.principal is None else pending.scope)
        principal = pending.principal or local(memory.scope)
        if pending.principal is None and pending.scope not in (None, memory.scope):
            raise out_of_reach(pending.request.denied)
        asking = Asking(memory, principal, pending.id, self._info.name)
        answer = await pending.request.answer(asking, pending.question)
        if self._attester is not None and isinstance(answer, Frames):
            return answer.replace(result=self._attester.attest(answer.result))
        if self._attester is not None and isinstance(answer, Records):
            return answer.replace(response=self._attester.attest_records(answer.response))
        return answer


def _attester(key: SigningKey, name: str) -> Attester:
    from ..attestation import Attester

    return Attester(key, name)


ANSWERS_ONLY: Final = frozenset(ENVELOPES) - {each.type for each in (Handshake, Shutdown, *REQUESTS)}
"""Types that are neither asked nor said by a host: nobody waits for a reply to one, be it well-formed or not."""
