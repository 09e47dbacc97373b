"""From any providers to a prompt and its books: whoever answers what, whenever, and whoever was added first."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_provider.host import (
    PREAMBLE,
    BudgetLie,
    Failed,
    FrameFlood,
    Frames,
    Host,
    Outcome,
    attribution,
    compose_answers,
    compose_context,
    unbilled,
    usage_report,
)
from memory_provider.host.composition.fence import fenced
from memory_provider.protocol import ContextFrame, ContextQuery, Envelope, FrameId, Query, token_cost

from .offering import offer, text
from .scenarios.probe import Probe


class Behaviour(NamedTuple):
    """What a provider answers with, if it does not crash, and how long others go first."""

    frames: tuple[ContextFrame, ...]
    crashes: bool
    waits: int


class Generated(Probe):
    """A provider that behaves like that."""

    def __init__(self, name: str, behaviour: Behaviour, waits: int) -> None:
        super().__init__(name, *behaviour.frames)
        self.behaviour = behaviour
        self.waits = waits

    async def answer(self, envelope: Envelope, /) -> Envelope | None:
        if isinstance(envelope, Query):
            for _ in range(self.waits):
                await anyio.lowlevel.checkpoint()
            if self.behaviour.crashes:
                raise RuntimeError("it crashed")
        return await super().answer(envelope)


@st.composite
def frames(draw: st.DrawFn) -> ContextFrame:
    """Mostly honest, often the same as another's, and now and then against a rule or with a lie about its cost."""
    content = draw(st.sampled_from(["On the shelf.", "In the sink.", "x" * 200]) | text)
    members = {
        "citation_label": draw(st.sampled_from(["shelf", "sink", "stove"]) | text.map("label {}".format)),
        "title": draw(text),
        "score": draw(st.sampled_from([0.5, 0.0, 1.0])),
    }
    match draw(st.integers(0, 9)):
        case 9:
            members["score"] = 1.5
        case 8:
            members["content_digest"] = "sha256:" + "0" * 64
        case 7:
            members["content_digest"] = None
        case 6:
            members["token_cost"] = 60
        case 5:
            members["token_cost"] = 0
    return offer("", draw(st.sampled_from("abc") | text), content, **members).frame


behaviours = st.builds(
    Behaviour,
    st.lists(frames(), max_size=5).map(tuple),
    st.integers(0, 9).map(lambda chance: chance == 9),
    st.integers(0, 5),
)
crowds = st.dictionaries(st.sampled_from(["p", "q", "</frame>", 'r"', "Q"]), behaviours, min_size=1)


def asked(
    crowd: dict[str, Behaviour], order: list[str], waits: list[int], query: ContextQuery
) -> tuple[Outcome, ...]:
    async def ask() -> tuple[Outcome, ...]:
        async with Host() as host:
            for id, wait in zip(order, waits, strict=True):
                host.add(id, Generated(id, crowd[id], wait))
            return await host.query(query)

    return anyio.run(ask)


def offered(outcomes: tuple[Outcome, ...]) -> Counter[FrameId]:
    return Counter(
        identity
        for outcome in outcomes
        if isinstance(outcome, Frames)
        for identity in (
            *(each.identity for each in outcome.frames),
            *(each.identity for each in outcome.quarantined),
        )
    )


@settings(max_examples=60)
@given(
    crowds,
    st.sampled_from([1000, 100, 40, 0]),
    st.sampled_from([8, 2, 0]),
    st.integers(0, 200) | st.just(5000),
    st.data(),
)
def test_from_providers_to_the_books(
    crowd: dict[str, Behaviour], share: int, max_frames: int, budget: int, data: st.DataObject
) -> None:
    # What does not divide among providers goes to those that were added first; here it does divide.
    query = ContextQuery(goal="kettle", max_frames=max_frames, max_tokens=share * len(crowd))
    order = data.draw(st.permutations(sorted(crowd)))
    outcomes = asked(crowd, order, [crowd[id].waits for id in order], query)

    # One outcome for each, and it is what its provider did.
    assert [outcome.provider_id for outcome in outcomes] == order
    for outcome in outcomes:
        behaviour = crowd[outcome.provider_id]
        cost = sum(max(each.token_cost, token_cost(each.content)) for each in behaviour.frames)
        if behaviour.crashes:
            assert isinstance(outcome, Failed)
        elif cost > share:
            assert isinstance(outcome, BudgetLie) and outcome.dropped_frames == len(behaviour.frames)
        elif len(behaviour.frames) > max_frames:
            assert isinstance(outcome, FrameFlood)
        else:
            assert isinstance(outcome, Frames)
            assert len(outcome.frames) + len(outcome.quarantined) == len(behaviour.frames)

    # The prompt keeps to its budget, and the audit is a total partition of what was offered.
    prompt = compose_answers(outcomes, budget)
    assert prompt.text == PREAMBLE + "".join(fenced(*each) for each in prompt.frames)
    assert prompt.audit.tokens_used == sum(token_cost(fenced(*each)) for each in prompt.frames) <= budget
    assert Counter(entry.frame for entry in prompt.audit.entries) == offered(outcomes)
    assert len(prompt.audit.included) + len(prompt.audit.excluded) == len(prompt.audit.entries)

    # The books add up: what was served is billed, what is selected was served, what is rendered was selected.
    report = usage_report(outcomes, query.max_tokens)
    assert report.is_consistent
    accepted = [each for outcome in outcomes if isinstance(outcome, Frames) for each in outcome.frames]
    assert report.budget_consumed == sum(each.frame.token_cost for each in accepted) <= query.max_tokens
    credits = attribution(prompt, [each.identity for each in prompt.frames if each.frame.content])
    assert unbilled(credits, [report]) == ()
    assert all(each.selected >= each.rendered >= each.cited for each in credits)

    # Neither who was added first nor who answered first changes a byte.
    other = data.draw(st.permutations(order))
    again = asked(crowd, other, data.draw(st.permutations(range(len(other)))), query)
    assert compose_answers(again, budget) == prompt
    assert compose_context(each for one in again if isinstance(one, Frames) for each in one.frames) == (
        compose_context(accepted)
    )
    assert usage_report(again, query.max_tokens) == report
