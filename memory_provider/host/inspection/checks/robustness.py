"""What no host should send: the provider goes on answering."""

from __future__ import annotations

from typing import Any, Final

from ....protocol import BAD_REQUEST
from ...errors import peer_text
from ..answers import Outcome
from ..messages import handshake, identity, verify, written
from ..observations import Exchange
from ..subject import Subject

_MIB: Final = 2**20


def malformed(subject: Subject) -> dict[str, bytes]:
    """What is no envelope at all, by what it is called."""
    question = written(subject.question())
    inside = question[1:-1]
    return {
        "a line that is no JSON": b"this is not valid json {{{",
        "half an object": question[: len(question) // 2],
        "two objects on a line": b'{"type":"shutdown"}{"type":"shutdown"}',
        "a list": b"[]",
        "null": b"null",
        "a text": b'"shutdown"',
        "a number": b"17",
        "an empty object": b"{}",
        "a type that is a number": b'{"type":7}',
        "a type that is null": b'{"type":null}',
        "a byte order mark before a question": b"\xef\xbb\xbf" + question,
        "invalid UTF-8": b'{"type":"query","query":{"goal":"caf\xe9","max_frames":1,"max_tokens":10}}',
        "bytes of no encoding": bytes(range(128, 256)),
        "a control character in a text": b'{"type":"query","query":{"goal":"a\x01b","max_frames":1,"max_tokens":10}}',
        "half of a surrogate pair": rb'{"type":"query","query":{"goal":"\ud83d","max_frames":1,"max_tokens":10}}',
        "NaN": b'{"type":"query","query":{"goal":"g","embedding":[NaN],"max_frames":1,"max_tokens":10}}',
        "an infinity": b'{"type":"query","query":{"goal":"g","embedding":[-Infinity],"max_frames":1,"max_tokens":10}}',
        "a number beyond a double": b'{"type":"query","query":{"goal":"g","max_frames":1,"max_tokens":1e999}}',
        "a number of 20,000 digits": b'{"type":"query","query":{"goal":"g","max_frames":1,"max_tokens":%b}}'
        % (b"9" * 20_000),
        "a type given twice": b'{"type":"query",' + inside + b',"type":"shutdown"}',
        "a goal given twice": b'{"type":"query","query":{"goal":"a","goal":"b","max_frames":1,"max_tokens":10}}',
        "200,000 lists inside one another": b'{"type":"query","junk":%b%b,"query":{}}'
        % (b"[" * 200_000, b"]" * 200_000),
        "a handshake without a version": b'{"type":"handshake"}',
        "a version that is a number": b'{"type":"handshake","protocol_version":1}',
        "a question without its query": b'{"type":"query"}',
        "a question whose query is a list": b'{"type":"query","query":[]}',
        "a number for an id": b'{"type":"query","id":1,"query":{"goal":"g","max_frames":1,"max_tokens":9}}',
        "a verification without frames": b'{"type":"verify","request":{}}',
        "a verification of what is no list": b'{"type":"verify","request":{"frames":{}}}',
        "an identity without a frame": b'{"type":"verify","request":{"frames":[{"provider_id":"p"}]}}',
    }


_NEVER_REFUSED: Final = ("a number for an id", "a verification without frames")
"""What another reading of the protocol may answer."""


async def malformed_input(subject: Subject) -> None:
    """All of it, each followed by an ordinary question."""
    for what, data in malformed(subject).items():
        if b"verify" in data and not subject.declares("verify"):
            continue
        probe = await subject.probe(data)
        if not _lives(subject, what, probe.lives, probe.after.detail, data):
            continue
        if what in _NEVER_REFUSED:
            continue
        subject.observations.holds(
            "R1",
            probe.answer.code == BAD_REQUEST,
            "what cannot be read is a bad_request, and the next question is answered",
            f"{what}: {probe.answer}",
            probe.answer.exchange,
            level="SHOULD",
        )


async def odd_input(subject: Subject) -> None:
    """What may be refused, ignored or answered, and ends nothing."""
    question = written(subject.question())
    long = b'{"type":"query","query":{"max_frames":1,"max_tokens":10,"goal":"%b"}}'
    odd = {
        "blank lines": b"\n  \n\t\r",
        "a question with CRLF": question + b"\r",
        "frames, which only providers send": b'{"type":"frames","result":{"frames":[],"truncated":false}}',
        "an error, which only providers send": b'{"type":"error","message":"trouble at the host"}',
        "an acknowledgement, which only providers send": written(
            {"type": "handshake_ack", "protocol_version": "contextgraph/1.0"}
        ),
        "17 MiB in one line": long % (b"k" * (17 * _MIB)),
        "a million characters of a goal": long % (b"kettle " * 150_000),
    }
    for what, data in odd.items():
        if not subject.is_stdio and what == "blank lines":
            continue
        probe = await subject.probe(data, is_envelope=False)
        _lives(subject, what, probe.lives, probe.after.detail, data)


async def odd_questions(subject: Subject) -> None:
    """Well-formed questions that careless code stumbles over."""
    goals = {
        "an empty goal": "",
        "a goal of blanks": "  \t ",
        "a NUL in a goal": "kettle\0pot",
        "line ends of all sorts in a goal": "a\nb\r\nc\u2028d\x85e",
        "quotes and operators of searches": "\"kettle* AND (NOT near/3 -pot) OR ^'; -- \\ {x:y} [a TO b]~2",
        "wildcards": "* ? % _ .* $",
        "a text of signs beyond 16 bits": "🫖 𝔨𝔢𝔱𝔱𝔩𝔢",
        "a question in another direction": "\u202eelttek\u202c مرحبا",
    }
    for what, goal in goals.items():
        answer = await subject.ask(subject.question(subject.query(goal=goal, query_text=goal)))
        _lives(subject, what, answer.outcome is Outcome.ANSWERED, answer.detail, answer.sent)
    members: dict[str, Any] = {
        "anchors that are no URIs": {"anchors": ["not a uri at all", ""]},
        "an anchor that nobody knows": {"anchors": ["mem:nobody/knows"]},
        "a kind asked for twice": {"kinds": ["fact", "fact"]},
        "an as_of in the year 0": {"as_of": "0000-01-01T00:00:00Z"},
        "an as_of at the end of time": {"as_of": "9999-12-31T23:59:59Z"},
        "an as_of at a leap second": {"as_of": "2016-12-31T23:59:60Z"},
        "an as_of with a long fraction": {"as_of": "2026-03-01T00:00:00.000000000000000001Z"},
        "optional members that are null": {"query_text": None, "embedding": None, "as_of": None},
        "an embedding nobody has a space for": {"embedding": [0.5, 0.5]},
    }
    for what, asked in members.items():
        answer = await subject.frames(**asked)
        _lives(subject, what, answer.outcome is Outcome.ANSWERED, answer.detail, answer.sent)


async def before_the_greeting(subject: Subject) -> None:
    """A question to a provider that was not greeted yet, and then the greeting."""
    conversation = await subject.alone()
    try:
        data = written({"type": "query", "query": subject.query()})
        both = data + b"\n" + written(handshake()) if subject.is_stdio else data
        answer = await conversation.ask(both, subject.patience)
        if not subject.is_stdio or answer.type != "handshake_ack":
            answer = (
                await conversation.listen(data, subject.patience)
                if subject.is_stdio and answer.outcome is Outcome.ANSWERED
                else await conversation.ask(written(handshake()), subject.patience)
                if answer.outcome in (Outcome.ANSWERED, Outcome.NOTHING)
                else answer
            )
        lives = answer.type == "handshake_ack"
        _lives(subject, "a question before the handshake", lives, str(answer), data)
    finally:
        await conversation.close()


async def many_identities(subject: Subject) -> None:
    """A verification of a thousand frames."""
    if not subject.declares("verify"):
        return
    frames = [identity(subject.name, f"inspection-{n}", "sha256:" + "0" * 64) for n in range(1000)]
    answer = await subject.ask(verify(*frames))
    _lives(
        subject,
        "a verification of a thousand frames",
        answer.outcome is Outcome.ANSWERED,
        answer.detail,
        answer.sent,
    )


def _lives(subject: Subject, what: str, lives: bool, detail: str, data: bytes) -> bool:
    return subject.observations.holds(
        "R1",
        lives,
        "what cannot be read ends nothing",
        f"after {what} it does not answer the next question: {peer_text(detail)}",
        Exchange(data),
    )
