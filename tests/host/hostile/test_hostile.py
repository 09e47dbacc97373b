"""Whatever one provider does, the host says what, and the others' frames stand in the prompt byte for byte."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from memory_provider.host import (
    BY_SCORE,
    PREAMBLE,
    ROUND_ROBIN,
    Channel,
    ConsentFile,
    Failed,
    Frames,
    Grantor,
    Host,
    HttpChannel,
    Ledger,
    Outcome,
    PerProviderQuota,
    Pin,
    Record,
    StdioChannel,
    compose_answers,
    compose_context,
    usage_report,
)
from memory_provider.host.books.verification import Stale
from memory_provider.host.composition.fence import fenced
from memory_provider.host.errors import LONGEST_PEER_TEXT, AnswerTimeout, ProviderCrashed
from memory_provider.protocol import ContextQuery, FrameId, HandshakeAck
from tests.host.offering import digest, offer
from tests.host.scenarios.probe import Probe

from .address import RIGHT, WRONG, saying, sending, served
from .messages import ALIKE, FENCE, HELD, VERDICTS, Mode

QUERY = ContextQuery(goal="where is the kettle", max_frames=8, max_tokens=3000, as_of="2026-07-01T00:00:00Z")
SCRIPT = str(Path(__file__).with_name("process.py"))
BACKENDS = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
MARK = re.compile(r"<\s*(/?)\s*frame", re.IGNORECASE)
BUDGETS = (3000, 100, 40, 0)


def good(name: str, id: str, content: str) -> Probe:
    """An honest provider in this process. Its name comes before, or after, that of the hostile one."""
    label = f"{name} {id}"
    return Probe(name, offer("", id, content, citation_label=label, score=0.4).frame)


EARLY, LATE = good("early", "e", "The kettle is on the shelf."), good("late", "l", "Tea is at four.")


class Anybody:
    """Consents to whoever asks: what is shown here happens after consent."""

    def ledger(self) -> Ledger:
        return Trusting()


class Trusting(Ledger):
    def has_record(self, provider_id: str, pin: Pin, now: int) -> bool:
        return True

    def has_receipt(self, provider_id: str, scope: str, pin: Pin, now: int) -> bool:
        return True


def process(mode: str, *arguments: str) -> StdioChannel:
    """The hostile provider in a process of its own."""
    return StdioChannel("hostile", [sys.executable, "-ES", SCRIPT, mode, *arguments], grace=0.1)


async def asked(
    hostile: Channel,
    *,
    kinds: tuple[str, ...] = (),
    goal: str = QUERY.goal,
    patience: float = 600,
    times: int = 2,
    consents: object = None,
) -> list[Outcome]:
    """What became of the hostile provider each time, once it is seen that the others did not suffer."""
    became = []
    async with Host(consents=consents) as host:  # type: ignore[arg-type]
        host.add("early", EARLY)
        host.add("hostile", hostile, timeout=patience)
        host.add("late", LATE)
        for _ in range(times):
            outcomes = await host.query(
                QUERY.replace(kinds=kinds or ("fact", "teapot:rumour")) if kinds else QUERY
            )
            assert [each.provider_id for each in outcomes] == ["early", "hostile", "late"]
            unharmed(outcomes)
            became.append(outcomes[1])
    return became


def unharmed(outcomes: tuple[Outcome, ...]) -> None:
    """The honest frames are served and quoted as without the hostile provider, and the books are in order."""
    early, hostile, late = outcomes
    assert isinstance(early, Frames) and isinstance(late, Frames)
    assert [each.frame for each in (*early.frames, *late.frames)] == [
        *EARLY.answered.result.frames,
        *LATE.answered.result.frames,
    ]
    assert not (early.quarantined or early.reports or late.quarantined or late.reports)
    said = hostile if isinstance(hostile, Frames) else None
    honest = [fenced(*each) for each in (*early.frames, *late.frames)]

    for ranking in (BY_SCORE, ROUND_ROBIN, PerProviderQuota(1)):
        prompt = compose_answers(outcomes, 3000, ranking=ranking)
        blocks = [fenced(*each) for each in prompt.frames]
        assert prompt.text == PREAMBLE + "".join(blocks)
        assert Counter(block for block in blocks if block in honest) == Counter(honest)
        assert blocks_read(prompt.text.removeprefix(PREAMBLE)) == len(blocks)
        offered = 2 + (len(said.frames) + len(said.quarantined) if said else 0)
        assert len(prompt.audit.entries) == offered
        for budget in BUDGETS:
            short = compose_answers(outcomes, budget, ranking=ranking)
            assert short.audit.tokens_used <= budget and len(short.audit.entries) == offered

    whole = compose_context([*early.frames, *(said.frames if said else ()), *late.frames])
    assert whole.startswith(honest[0]) and whole.endswith(honest[1])

    report = usage_report(outcomes, QUERY.max_tokens)
    assert report.is_consistent
    assert [
        (each.provider_id, each.frames_served) for each in report.providers if each.provider_id != "hostile"
    ] == [
        ("early", 1),
        ("late", 1),
    ]


def blocks_read(text: str) -> int:
    """How many blocks a forgiving reader sees, one after the other and none within another."""
    seen = [mark[1] for mark in MARK.finditer(text)]
    assert seen == ["", "/"] * (len(seen) // 2)
    return len(seen) // 2


def check(outcome: Outcome, mode: Mode, becomes: str) -> None:
    """That it came to what was expected, and is told so that it can be shown."""
    name = type(outcome.error).__name__ if isinstance(outcome, Failed) else type(outcome).__name__
    assert name == becomes, outcome
    if not isinstance(outcome, Frames):
        assert len(str(outcome)) < 3 * LONGEST_PEER_TEXT and str(outcome).isprintable()
        return
    assert tuple(each.frame.id for each in outcome.frames) == mode.accepted
    reasons = [reason for each in outcome.quarantined for reason in each.reasons]
    assert len(reasons) == len(mode.rules), reasons
    assert all(f"({rule})" in reason for rule, reason in zip(mode.rules, reasons, strict=True)), reasons
    assert len(outcome.reports) == len(mode.noted), outcome.reports
    assert all(f"({rule})" in report for rule, report in zip(mode.noted, outcome.reports, strict=True))
    for text in (*reasons, *outcome.reports):
        assert text.isprintable() and len(text.encode()) < 3 * LONGEST_PEER_TEXT


LONG = "x" * 1024 * 1024
"""A question longer than what a pipe holds."""
NONE = Mode(accepted=())
ONE = Mode(accepted=("f",))
STREAMS = {
    "dies": ("ProviderCrashed", "ProviderCrashed"),
    "dies mid-line": ("ProviderCrashed", "ProviderCrashed"),
    "ends without a line end": ("ProviderCrashed", "ProviderCrashed"),
    "closes its output and stays": ("ProviderCrashed", "ProviderCrashed"),
    "never ends a line": ("WireError", "WireError"),
    "says nothing but blank lines": ("ProviderCrashed", "ProviderCrashed"),
    "floods its standard error": ("Frames", "Frames"),
    "blank lines and then an answer": ("Frames", "Frames"),
    "ends at once": ("ProviderCrashed", "ProviderCrashed"),
    "ends when greeted": ("ProviderCrashed", "ProviderCrashed"),
    "talks before it is greeted": ("WireError", "WireError"),
    "an id of no question": ("CorrelationMismatch", "CorrelationMismatch"),
    "an answer without an id": ("CorrelationMismatch", "CorrelationMismatch"),
    "an id that is null": ("CorrelationMismatch", "CorrelationMismatch"),
    "an id that is a number": ("WireError", "WireError"),
    "an id with a blank": ("CorrelationMismatch", "CorrelationMismatch"),
    "an id in capitals": ("CorrelationMismatch", "CorrelationMismatch"),
    "an id of no end": ("CorrelationMismatch", "CorrelationMismatch"),
    "ignores signals and goodbyes": ("Frames", None),
}
"""What only a process can do, and what it becomes the first time and the second."""


@BACKENDS
@pytest.mark.parametrize("mode", STREAMS)
async def test_what_a_process_does_takes_nothing_from_others(mode: str) -> None:
    expected = [each for each in STREAMS[mode] if each is not None]
    became = await asked(process(mode), times=len(expected))
    for outcome, each in zip(became, expected, strict=True):
        check(outcome, ONE if each == "Frames" else NONE, each)


@BACKENDS
@pytest.mark.parametrize(
    "mode",
    ["hangs", "drips bytes", "hears nothing after the greeting", "leaves a child with its output"],
)
async def test_a_process_without_an_answer_has_its_time_and_no_more(mode: str) -> None:
    """None of these ever answers, so that however slow the machine is, only the timeout can end it."""
    [outcome] = await asked(process(mode), patience=0.3, goal=LONG, times=1)
    check(outcome, NONE, "AnswerTimeout")


@BACKENDS
async def test_a_process_that_closes_its_input_takes_nothing_from_others() -> None:
    """It could still say why; on a slow machine its time is over before it has closed anything."""
    [outcome] = await asked(process("closes its input"), patience=0.3, goal=LONG, times=1)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, ProviderCrashed | AnswerTimeout), outcome


@BACKENDS
@pytest.mark.parametrize("answer", WRONG)
async def test_what_a_server_does_takes_nothing_from_others(answer: str) -> None:
    does, becomes = WRONG[answer]
    patience = 0.3 if becomes == "AnswerTimeout" else 600
    async with served(does) as url:
        [outcome] = await asked(HttpChannel("hostile", url), consents=Anybody(), patience=patience, times=1)
    check(outcome, NONE, becomes)


@BACKENDS
@pytest.mark.parametrize("answer", RIGHT)
async def test_an_odd_answer_of_a_server_is_one(answer: str) -> None:
    async with served(sending(RIGHT[answer])) as url:
        for outcome in await asked(HttpChannel("hostile", url), consents=Anybody()):
            check(outcome, ONE, "Frames")


@BACKENDS
async def test_a_server_that_is_not_there_takes_nothing_from_others() -> None:
    async with served(sending(b"")) as url:
        pass
    for outcome in await asked(HttpChannel("hostile", url), consents=Anybody()):
        check(outcome, NONE, "TransportError" if outcome else "")


@BACKENDS
async def test_one_that_becomes_another_is_consented_to_anew(tmp_path: Path) -> None:
    """What it was greeted as is what was consented to. After it died it greets by another name, and is not asked."""
    first = process("becomes another", str(tmp_path / "started"))
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        host.add("hostile", first)
        ack = (await host.greet())["hostile"]
        assert isinstance(ack, HandshakeAck)
        consents.grant(Record("hostile", Pin.of(ack), Grantor("human", "ada"), "2026-01-01T00:00:00Z"))
        [died] = await host.query(QUERY)
        check(died, NONE, "ProviderCrashed")
        [other] = await host.query(QUERY)
        check(other, NONE, "ConsentRequired")
        assert not (await host.verify([FrameId(**{**HELD, "provider_id": "hostile"})])).retained


@pytest.mark.parametrize("said", VERDICTS)
@pytest.mark.parametrize("binding", ["stdio", "http"])
async def test_a_verdict_is_on_its_own_frames_alone(said: str, binding: str) -> None:
    """Whatever it says, the others' frames are retained, and its own only on a plain word that it is valid."""
    answer, becomes = VERDICTS[said]
    mode = Mode(answer=answer)
    mine = FrameId(**{**HELD, "provider_id": "here"})
    others = [
        FrameId(provider_id=probe.ack.provider.name, frame_id=frame.id, content_digest=frame.content_digest)
        for probe in (EARLY, LATE)
        for frame in probe.answered.result.frames
    ]
    async with served(*saying(mode)) as url, Host(consents=Anybody()) as host:
        channel = HttpChannel("here", url) if binding == "http" else process("verdict", said)
        host.add("early", EARLY)
        host.add("here", channel)
        host.add("late", LATE)
        verification = await host.verify([others[0], mine, others[1]])
    if becomes == "retained":
        assert verification.retained == (others[0], mine, others[1]) and not verification.dropped
        return
    assert verification.retained == tuple(others)
    [dropped] = verification.dropped
    assert dropped.frame == mine and type(dropped.reason).__name__ == becomes, dropped
    assert not isinstance(dropped.reason, Stale) or dropped.reason.replacement_digest in (None, digest("x"))


@pytest.mark.parametrize("mode", ALIKE)
async def test_what_a_process_says_takes_nothing_from_others(mode: str) -> None:
    [outcome] = await asked(process(mode), kinds=ALIKE[mode].kinds, times=1)
    check(outcome, ALIKE[mode], ALIKE[mode].becomes)


@pytest.mark.parametrize("anyio_backend", ["trio"])
@pytest.mark.parametrize("mode", [mode for mode in ALIKE if mode not in FENCE])
async def test_what_a_server_says_takes_nothing_from_others(mode: str) -> None:
    known = ALIKE[mode]
    async with served(*saying(known)) as url:
        [outcome] = await asked(HttpChannel("hostile", url), kinds=known.kinds, times=1, consents=Anybody())
    check(outcome, known, known.http or known.becomes)
