"""The rules that hold for whatever a provider says, at whatever moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...protocol import BASE_EGRESS_SCOPES, ERROR_CODES, U32_MAX, ContextQuery, DecodeError, decode
from ...protocol.envelopes import ENVELOPES
from ...protocol.lifecycle.codes import LIFECYCLE_CODES
from ...protocol.shapes import Mismatch, read
from ...protocol.strict_json import parse_json
from ..errors import peer_text
from .answers import Answer
from .attesting import judge_attestations
from .frame_rules import Identities, judge_frames
from .messages import Message, written
from .observations import Exchange, Observations
from .wire import Heard


class Judge:
    """Looks at every message that comes, and remembers what later ones are compared with."""

    def __init__(self, observations: Observations, *, is_stdio: bool, is_local: bool) -> None:
        self.observations = observations
        self.is_stdio = is_stdio
        self._is_local = is_local
        self._identities = Identities()
        self.acknowledged: Message = {}
        """The latest acknowledgement, whose names and keys what follows is held against."""

    def message(self, sent: bytes, heard: Heard, *, sent_is_envelope: bool = True) -> Message | None:
        """The object in a line or a body, if there is one."""
        exchange = Exchange(sent, heard.data)
        if not self.is_stdio and not self._status(heard, exchange, sent_is_envelope):
            return None
        rule = "T1" if self.is_stdio else "T4"
        if heard.flaw is not None:
            self.observations.broken(rule, heard.flaw, exchange)
            return None
        try:
            message = parse_json(heard.data)
        except DecodeError as error:
            what = (
                "a blank line" if not heard.data.strip() else f"what came is no JSON: {peer_text(str(error))}"
            )
            self.observations.broken(rule, what, exchange)
            return None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            self.observations.broken(rule, "what came is no object with a text as its type", exchange)
            return None
        self.observations.met(rule, "one object with a type, and nothing beside it", exchange)
        self._shape(message, exchange)
        return message

    def error(self, answer: Answer) -> None:
        """Whether an error names itself as it should."""
        if answer.code is None:
            return
        known = answer.code in ERROR_CODES or answer.code in LIFECYCLE_CODES
        self.observations.holds(
            "U3",
            known or is_namespaced(answer.code),
            "its error codes are the protocol's, or vendor:name",
            f"the error code {peer_text(answer.code)} is neither the protocol's nor vendor:name",
            answer.exchange,
        )

    def frames(self, answer: Answer, asked: Message) -> None:
        """Whether frames keep to the rules, and to the limits that were asked for."""
        query = _as_asked(asked)
        frames = answer.plain_frames
        exchange = answer.exchange
        costs = [each.get("token_cost") for each in frames]
        total = sum(cost for cost in costs if type(cost) is int)
        if len(frames) > query.max_frames:
            what = f"{len(frames)} frames where at most {query.max_frames} were asked for"
            self.observations.broken("B4", what, exchange)
        if total > query.max_tokens:
            what = f"{total} tokens where at most {query.max_tokens} were asked for"
            self.observations.broken("B1", what, exchange)
        judge_frames(self.observations, answer, query, self._identities, is_local=self._is_local)
        judge_attestations(self.observations, answer, self.acknowledged)

    def _status(self, heard: Heard, exchange: Exchange, sent_is_envelope: bool) -> bool:
        """Whether the response may hold an answer. A body that is no envelope may be refused with 400."""
        if heard.status is None or 200 <= heard.status < 300:
            return True
        if sent_is_envelope or heard.status != 400:
            self.observations.broken("T4", f"HTTP {heard.status} where an envelope was due", exchange)
        return not sent_is_envelope and heard.status == 400 and bool(heard.data.strip())

    def _shape(self, message: Message, exchange: Exchange) -> None:
        if message["type"] not in ENVELOPES:
            return
        try:
            decode(written(_without_echo(_without_named_rules(message), exchange.sent)))
        except (DecodeError, ValueError) as error:
            self.observations.broken("schema", f"{message['type']}: {peer_text(str(error))}", exchange)
        else:
            self.observations.met(
                "schema", "required members and types are as the protocol has them", exchange
            )


def is_namespaced(text: str) -> bool:
    """Whether a text is `vendor:name`."""
    vendor, _, name = text.partition(":")
    return bool(vendor.strip() and name.strip())


def broken_scopes(flow: Message) -> Iterator[str]:
    """What contradicts itself in a declaration of data flow (C5)."""
    scopes = flow.get("egress_scopes")
    for scope in scopes if isinstance(scopes, list) else ():
        if not isinstance(scope, str):
            continue
        if scope not in BASE_EGRESS_SCOPES and not is_namespaced(scope):
            yield f"the scope {peer_text(scope)} is neither the protocol's nor vendor:name"
        if scope != "local-only" and flow.get("egress") is not True:
            yield f"the scope {peer_text(scope)} is off this machine, and egress is false"


def _without_named_rules(message: Message) -> Message:
    """The message with what H2 and C5 are about put right: they are looked at under their own names."""
    provider = message.get("provider")
    if message["type"] != "handshake_ack" or not isinstance(provider, dict):
        return message
    provider = dict(provider)
    for name in ("name", "version"):
        if isinstance(provider.get(name), str) and not provider[name].strip():
            provider[name] = "-"
    flow = provider.get("data_flow")
    if isinstance(flow, dict) and any(broken_scopes(flow)):
        provider["data_flow"] = flow | {"egress_scopes": []}
    return message | {"provider": provider}


def _without_echo(message: Message, sent: bytes | None) -> Message:
    """The message without an id that is no text where it was sent one: who asks so gets what they asked for."""
    id = message.get("id")
    if id is None or isinstance(id, str):
        return message
    try:
        asked = parse_json((sent or b"").partition(b"\n")[0])
    except DecodeError:
        return message
    same = isinstance(asked, dict) and asked.get("id") == id
    return {name: value for name, value in message.items() if name != "id"} if same else message


def _as_asked(asked: Message) -> ContextQuery:
    """The query as an object; one that is none asks for nothing in particular."""
    try:
        return read(ContextQuery, asked)
    except Mismatch:
        limits: dict[str, Any] = {"goal": "", "max_frames": U32_MAX, "max_tokens": U32_MAX}
        return read(ContextQuery, limits)
