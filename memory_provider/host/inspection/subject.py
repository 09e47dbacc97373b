"""The provider that is inspected: connections to it, and what is known of it so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final, NamedTuple

import anyio

from ...protocol import ContextFrame
from ..errors import HostError, TransportError, Unauthorized
from .answers import Answer, Outcome, text_of
from .judging import Judge
from .messages import Message, handshake, query, written
from .observations import Observations
from .wire import PROVIDER, Heard, Wire

HANDSHAKE_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 30.0
SETTLE_SECONDS: Final = 0.5
"""How long one listens for an answer that should not come."""

_MOST_HANGS: Final = 5
"""So many questions may be left unanswered before no more are asked: each takes as long as one waits."""
_EXIT_SECONDS: Final = 2.0
_PATIENCE: Final = 5.0
"""Seconds, at least, that one waits for an answer once a provider has left something unanswered."""


class Lost(Exception):
    """The provider cannot be reached any more."""


class Probe(NamedTuple):
    """What came of a message that need not be answered."""

    answer: Answer
    """To the message itself."""
    after: Answer
    """To the ordinary question after it."""

    @property
    def lives(self) -> bool:
        """Whether the provider still answers."""
        return self.after.outcome is Outcome.ANSWERED


class Conversation:
    """One connection. Everything that comes on it is judged."""

    def __init__(self, wire: Wire, judge: Judge) -> None:
        self._wire = wire
        self._judge = judge
        self.is_open = False

    async def open(self) -> None:
        """Start it. Raises `HostError`."""
        await self._wire.open()
        self.is_open = True

    async def close(self) -> None:
        """Leave nothing running."""
        self.is_open = False
        with anyio.CancelScope(shield=True):
            await self._wire.close()

    async def ask(self, data: bytes, seconds: float, *, is_envelope: bool = True) -> Answer:
        """Send a message and take the next that comes for its answer."""
        try:
            with anyio.fail_after(seconds):
                await self._wire.say(data)
                return await self._next(data, is_envelope)
        except TimeoutError:
            self.is_open = False
            return Answer(data, Outcome.SILENT, detail=f"no answer within {seconds:g} s")
        except TransportError as error:
            self.is_open = False
            return Answer(data, Outcome.ENDED, detail=_said(error))

    async def ask_all(self, messages: list[bytes], seconds: float) -> list[Answer]:
        """Send messages without waiting in between, and take as many answers, in the order in which they come."""
        answers = []
        together = b"\n".join(messages)
        try:
            with anyio.fail_after(seconds):
                await self._wire.say(*messages)
                for _ in messages:
                    answers.append(await self._next(together, True))
                    if answers[-1].outcome is not Outcome.ANSWERED:
                        break
        except TimeoutError:
            self.is_open = False
            answers.append(Answer(together, Outcome.SILENT, detail=f"no answer within {seconds:g} s"))
        except TransportError as error:
            self.is_open = False
            answers.append(Answer(together, Outcome.ENDED, detail=_said(error)))
        return answers

    async def listen(self, sent: bytes, seconds: float) -> Answer:
        """Take the next that comes, after all was sent."""
        try:
            with anyio.fail_after(seconds):
                return await self._next(sent, True)
        except TimeoutError:
            self.is_open = False
            return Answer(sent, Outcome.SILENT, detail=f"no answer within {seconds:g} s")

    async def unasked(self, sent: bytes, seconds: float) -> Answer | None:
        """What comes within so many seconds although nothing is due."""
        if not self._judge.is_stdio or not self.is_open:
            return None
        with anyio.move_on_after(seconds):
            answer = await self._next(sent, True)
            return answer if answer.outcome is Outcome.ANSWERED else None
        return None

    async def goodbye(self, message: Message, seconds: float) -> tuple[int | None, list[bytes]]:
        """Say goodbye to a process; its exit code, None if it stays, and what it still wrote."""
        rest = []
        code = None
        with anyio.move_on_after(seconds):
            await self._wire.say(written(message))
            while (heard := await self._wire.hear()) is not None:
                rest.append(heard.data)
            code = await self._wire.ended()
        self.is_open = False
        return code, rest

    async def _next(self, sent: bytes, is_envelope: bool) -> Answer:
        heard = await self._wire.hear()
        if heard is None:
            return await self._nothing(sent)
        return self._answer(sent, heard, is_envelope)

    def _answer(self, sent: bytes, heard: Heard, is_envelope: bool) -> Answer:
        message = self._judge.message(sent, heard, sent_is_envelope=is_envelope)
        answer = Answer(sent, Outcome.ANSWERED, heard.data, message, heard.status)
        self._judge.error(answer)
        return answer

    async def _nothing(self, sent: bytes) -> Answer:
        if not self._judge.is_stdio:
            return Answer(sent, Outcome.NOTHING, detail="no answer, and HTTP says that there is none")
        self.is_open = False
        code = None
        with anyio.move_on_after(_EXIT_SECONDS):
            code = await self._wire.ended()
        said = "its output was closed" if code is None else f"the process ended with exit code {code}"
        return Answer(sent, Outcome.ENDED, detail=said)


class Subject:
    """Asks the provider, on one connection that is made again whenever it breaks."""

    def __init__(
        self,
        wire: Callable[[], Wire],
        observations: Observations,
        *,
        is_stdio: bool,
        is_local: bool,
        goal: str,
        query_text: str | None,
        timeout: float,
        settle: float,
        writes: bool,
    ) -> None:
        self._wire = wire
        self.observations = observations
        self.is_stdio = is_stdio
        self.judge = Judge(observations, is_stdio=is_stdio, is_local=is_local)
        self._goal, self._query_text = goal, query_text
        self._timeout = timeout
        self._settle = settle
        self.writes = writes
        """Whether records may be appended to it."""
        self._slowest = 0.0
        self._hung = 0
        self._conversation: Conversation | None = None
        self._ids = count(1)
        self.ack: Message = {}
        self.baseline: list[ContextFrame] = []
        """What the ordinary question is answered with."""
        self.was_asked = False
        """Whether anything but handshakes was sent."""
        self.is_repeatable = False
        """Whether it is answered with the same frames again."""

    # --- what it says of itself

    @property
    def capabilities(self) -> Message:
        """As declared."""
        return _object(self.ack, "capabilities")

    @property
    def data_flow(self) -> Message:
        """As declared."""
        return _object(_object(self.ack, "provider"), "data_flow")

    @property
    def name(self) -> str:
        """The declared name, with which identities go to it (V5)."""
        return text_of(_object(self.ack, "provider").get("name"), "") or ""

    def declares(self, capability: str) -> bool:
        """Whether a capability is declared."""
        return self.capabilities.get(capability) is True

    @property
    def kinds(self) -> list[str]:
        """The kinds that it declares."""
        kinds = _object(self.capabilities, "query").get("kinds")
        return [each for each in kinds if isinstance(each, str)] if isinstance(kinds, list) else []

    @property
    def representations(self) -> list[str]:
        """Those that it declares; none means full."""
        offered = self.capabilities.get("representations")
        found = [each for each in offered if isinstance(each, str)] if isinstance(offered, list) else []
        return found or ["full"]

    @property
    def lifecycle(self) -> Message | None:
        """The block of the lifecycle profile."""
        block = self.capabilities.get("lifecycle")
        return block if isinstance(block, dict) else None

    # --- connections

    @property
    def patience(self) -> float:
        """How long an answer is waited for: less once something was left unanswered, by how long others took."""
        return min(self._timeout, max(_PATIENCE, 5 * self._slowest)) if self._hung else self._timeout

    @property
    def handshake_patience(self) -> float:
        """How long an acknowledgement is waited for."""
        return min(HANDSHAKE_SECONDS, self._timeout)

    async def alone(self) -> Conversation:
        """A connection of its own on which nothing was said yet. Raises `Lost`."""
        conversation = Conversation(self._wire(), self.judge)
        try:
            await conversation.open()
        except HostError as error:
            raise Lost(_said(error)) from None
        return conversation

    async def first(self) -> bool:
        """Greet it for the first time; whether it can be talked to. Raises `HostError` where it cannot be reached."""
        conversation = Conversation(self._wire(), self.judge)
        await conversation.open()
        self._conversation = conversation
        answer = await self.greet(conversation)
        if answer.outcome is Outcome.ENDED and not self.is_stdio:
            raise TransportError(PROVIDER, answer.detail)
        if answer.status == 401:
            raise Unauthorized(PROVIDER)
        if answer.type == "handshake_ack":
            return True
        self.observations.broken("H1", f"a handshake gets {answer}", answer.exchange)
        return False

    async def greeted(self) -> Conversation:
        """The connection, greeted. Raises `Lost`."""
        if self._conversation is not None and self._conversation.is_open:
            return self._conversation
        await self.close()
        conversation = self._conversation = await self.alone()
        answer = await self.greet(conversation)
        if answer.type != "handshake_ack":
            raise Lost(f"it does not answer a handshake any more: {answer}")
        return conversation

    async def _willing(self) -> Conversation:
        if self._hung >= _MOST_HANGS:
            raise Lost(f"it left {self._hung} questions unanswered, and is asked no more")
        return await self.greeted()

    async def greet(self, conversation: Conversation) -> Answer:
        """Shake hands as an ordinary host."""
        answer = await conversation.ask(written(handshake()), self.handshake_patience)
        if answer.type == "handshake_ack" and answer.message is not None:
            self.ack = self.judge.acknowledged = answer.message
        return answer

    async def close(self) -> None:
        """Leave nothing running."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation.close()

    # --- questions

    def next_id(self) -> str:
        """An id that was not used yet."""
        return f"inspection-{next(self._ids)}"

    def query(self, **members: Any) -> Message:
        """The ordinary question, with other members."""
        text = {} if self._query_text is None else {"query_text": self._query_text}
        return query(**{"goal": self._goal, **text, **members})

    def question(self, asked: Message | None = None, **members: Any) -> Message:
        """The envelope of a question, with an id if ids are echoed."""
        id = {"id": self.next_id()} if self.declares("correlation") else {}
        return {"type": "query", **id, "query": self.query() if asked is None else asked, **members}

    async def ask(self, message: Message) -> Answer:
        """Send what has to be answered. Raises `Lost`."""
        data = written(message)
        conversation = await self._willing()
        began = time.monotonic()
        answer = await conversation.ask(data, self.patience)
        if answer.outcome is Outcome.ANSWERED:
            self._slowest = max(self._slowest, time.monotonic() - began)
        await self._look_at(answer, message)
        return answer

    async def ask_all(self, messages: list[Message]) -> list[Answer]:
        """Send several at once. Raises `Lost`."""
        conversation = await self._willing()
        answers = await conversation.ask_all([written(each) for each in messages], self.patience)
        for answer in answers:
            if answer.outcome in (Outcome.SILENT, Outcome.ENDED):
                await self._look_at(answer, {})
        return answers

    async def frames(self, **members: Any) -> Answer:
        """The answer to the ordinary question with other members. Raises `Lost`."""
        return await self.ask(self.question(self.query(**members)))

    async def probe(self, data: bytes, *, is_envelope: bool = False) -> Probe:
        """Send what may be left unanswered, and the ordinary question after it. Raises `Lost`."""
        conversation = await self._willing()
        marker = self.question()
        if not self.is_stdio:
            answer = await conversation.ask(data, self.patience, is_envelope=is_envelope)
            if answer.outcome in (Outcome.SILENT, Outcome.ENDED):
                self._hung += answer.outcome is Outcome.SILENT
                return Probe(answer, answer)
            return Probe(answer, await self.ask(marker))
        first = await conversation.ask(data + b"\n" + written(marker), self.patience)
        first = first._replace(sent=data)
        none = Answer(data, Outcome.NOTHING, detail="no answer")
        if first.outcome is not Outcome.ANSWERED:
            self._hung += first.outcome is Outcome.SILENT
            await self.close()
            return Probe(none, first)
        if self._answers(first, marker):
            self.judge.frames(first, marker["query"])
            late = await conversation.unasked(data, self._settle)
            return Probe(late or none, first)
        after = await conversation.listen(data, self.patience)
        self._hung += after.outcome is Outcome.SILENT
        if self._answers(after, marker):
            self.judge.frames(after, marker["query"])
        else:
            await self.close()  # what came is the answer to what?
        return Probe(first, after)

    def _answers(self, answer: Answer, question: Message) -> bool:
        """Whether an answer is that to a question."""
        if "id" in question:
            return bool((answer.message or {}).get("id") == question["id"])
        return answer.type == "frames"

    async def _look_at(self, answer: Answer, asked: Mapping[str, Any]) -> None:
        if answer.outcome is Outcome.ENDED:
            self.observations.broken("R1", f"it ended: {answer.detail}", answer.exchange)
        elif answer.outcome is Outcome.NOTHING:
            self.observations.broken("T4", "a question was answered by no envelope", answer.exchange)
            return
        elif answer.outcome is Outcome.SILENT:
            self._hung += 1
            self.observations.broken(
                "R1", f"a question was left unanswered: {answer.detail}", answer.exchange
            )
        if answer.outcome is not Outcome.ANSWERED:
            await self.close()
            return
        if asked.get("type") == "query" and self.declares("correlation"):
            self._correlate(answer, asked.get("id"))
        if answer.type == "frames" and isinstance(asked.get("query"), dict):
            self.judge.frames(answer, asked["query"])

    def _correlate(self, answer: Answer, id: Any) -> None:
        if answer.type not in ("frames", "error"):
            return
        echoed = (answer.message or {}).get("id")
        what = "error" if answer.is_error else "frames"
        self.observations.holds(
            "H4",
            echoed == id,
            "ids come back as they were sent",
            f"the id of a question does not stand on the {what} that answer it",
            answer.exchange,
        )


def _object(holder: Message, name: str) -> Message:
    member = holder.get(name)
    return member if isinstance(member, dict) else {}


def _said(error: HostError) -> str:
    return str(error).removeprefix(f"provider {PROVIDER}: ")
