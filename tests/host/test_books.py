"""UR1 and the scenarios on outcomes: the usage report adds up, and what a prompt's frames are credited with."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.attestation import Status, Verdict
from memory_provider.host.books.attribution import Attribution, attribution, cited_in, unbilled
from memory_provider.host.books.reuse import Reused
from memory_provider.host.books.usage import ServedFrame, usage_report
from memory_provider.host.composition import PREAMBLE, Rejected, compose_answers, compose_for_prompt
from memory_provider.host.evidence import Evidence
from memory_provider.host.offers import Offered
from memory_provider.host.outcomes import (
    BudgetLie,
    ConsentRequired,
    ConsentScopeRequired,
    FrameFlood,
    Frames,
    Outcome,
    Quarantined,
)
from memory_provider.protocol import DataFlow
from memory_provider.temporal.errors import InvalidInput

from .offering import failed, offer, offers, quarantined, reference

EGRESS = DataFlow(reads=True, writes=False, egress=True, egress_scopes=("third-party-model",))


def frames(provider_id: str, *offered: Offered, set_aside: tuple[Quarantined, ...] = ()) -> Frames:
    return Frames(provider_id, offered, quarantined=set_aside)


ONE_OF_EACH: list[Outcome] = [
    frames(
        "q",
        offer("q", "a", "12345"),
        offer("q", "b", "1234"),
        set_aside=(quarantined(offer("q", "c")),),
    ),
    frames("p", offer("p", "a", "one more")),
    BudgetLie("r", claimed_tokens=800, max_tokens=600, dropped_frames=2),
    FrameFlood("s", returned_frames=17, max_frames=8),
    ConsentRequired("t", EGRESS),
    ConsentScopeRequired("u", EGRESS, ("third-party-model",)),
    failed("v"),
]


# --- usage ----------------------------------------------------------------------------------------------------------


def test_UR1_what_was_consumed_is_the_sum_of_what_was_served() -> None:
    report = usage_report(ONE_OF_EACH, 1000, "2026-07-01T00:00:00Z")
    assert (report.budget_requested, report.budget_consumed, report.as_of) == (
        1000,
        5,
        "2026-07-01T00:00:00Z",
    )
    assert [each.provider_id for each in report.providers] == list("pqrstuv")
    served = {
        each.provider_id: (each.frames_served, each.frames_rejected, each.token_cost)
        for each in report.providers
    }
    assert served == {
        "p": (1, 0, 2),
        "q": (2, 1, 3),
        "r": (0, 2, 0),
        "s": (0, 17, 0),
        **dict.fromkeys("tuv", (0, 0, 0)),
    }
    assert report.providers[1].served_frames == (
        ServedFrame(offer("q", "a", "12345").identity, 2),
        ServedFrame(offer("q", "b", "1234").identity, 1),
    )


@given(st.lists(st.builds(frames, st.sampled_from("pqr"), offers()), max_size=5))
def test_UR1_anybody_who_adds_it_up_gets_the_same(outcomes: list[Outcome]) -> None:
    report = usage_report(outcomes, 100)
    assert report.is_consistent
    shown = json.loads(json.dumps(report.plain()))
    items = [served for each in shown["providers"] for served in each["served_frames"]]
    assert shown["budget_consumed"] == sum(served["token_cost"] for served in items)
    assert len(items) == len(outcomes)


def test_a_report_that_was_tampered_with_says_so() -> None:
    report = usage_report(ONE_OF_EACH, 1000)
    first = report.providers[0]
    for wrong in (
        report._replace(budget_consumed=4),
        report._replace(providers=(first._replace(token_cost=1), *report.providers[1:]), budget_consumed=4),
        report._replace(providers=(first._replace(frames_served=2), *report.providers[1:])),
    ):
        assert report.is_consistent and not wrong.is_consistent


# --- from outcomes to a prompt --------------------------------------------------------------------------------------


def test_what_the_audit_of_the_host_set_aside_is_in_the_audit_of_the_prompt() -> None:
    prompt = compose_answers(ONE_OF_EACH, 1000)
    assert [(entry.frame.provider_id, entry.frame.frame_id) for entry in prompt.audit.entries] == [
        *(("p", "a"), ("q", "a"), ("q", "b"), ("q", "c"))
    ]
    assert prompt.audit.entries[3].disposition == Rejected(quarantined(offer("q", "c")).reasons)


def test_what_attests_frames_comes_along() -> None:
    kettle = offer("p", "a")
    evidence = Evidence("tea-memory", Verdict(Status.VALID))
    prompt = compose_answers([Frames("p", (kettle,), evidence={kettle.identity: evidence})], 1000)
    assert [entry.evidence for entry in prompt.audit.entries] == [evidence]


# --- attribution ----------------------------------------------------------------------------------------------------


PROMPT = compose_for_prompt(
    [
        offer("p", "a", "first", score=0.9, citation_label="memory 1"),
        offer("q", "a", "first", score=0.1, citation_label="copy of 1"),
        offer("p", "b", "second", score=0.8, citation_label='"R&D" <notes>'),
        offer("p", "c", "x" * 4000, citation_label="too long"),
        reference("p", "d", citation_label="handle"),
    ],
    200,
    rejected=[(offer("p", "e").identity, ["F1"])],
)


def credited(*cited: str) -> dict[str, tuple[bool, bool, bool]]:
    relied_on = [offered.identity for offered in PROMPT.frames if offered.frame.id in cited]
    return {
        f"{each.frame.provider_id}{each.frame.frame_id}": each[1:] for each in attribution(PROMPT, relied_on)
    }


def test_A2_selected_rendered_cited() -> None:
    assert credited("b") == {
        "pa": (True, True, False),
        "pb": (True, True, True),
        "pc": (True, False, False),
        "pd": (True, False, False),
        "pe": (False, False, False),
        "qa": (False, False, False),
    }


def test_A3_a_frame_that_was_not_shown_cannot_be_cited() -> None:
    with pytest.raises(InvalidInput, match="frame 'd' of 'p' cannot be cited"):
        credited("d")


@given(st.lists(st.builds(frames, st.sampled_from("pqr"), offers()), max_size=5), st.integers(0, 100))
def test_A3_what_is_cited_was_rendered_and_selected_and_billed(outcomes: list[Frames], budget: int) -> None:
    outcomes = [Frames(each.frames[0].provider_id, each.frames) for each in outcomes]
    prompt = compose_answers(outcomes, budget)
    rendered = [offered.identity for offered in prompt.frames if offered.frame.content]
    attributions = attribution(prompt, rendered)
    assert [each.frame for each in attributions] == [entry.frame for entry in prompt.audit.entries]
    assert {each.frame for each in attributions if each.cited} == set(rendered)
    for each in attributions:
        assert each.selected or not each.rendered
        assert each.rendered or not each.cited
    report = usage_report(outcomes, 100)
    assert unbilled(attributions, [report]) == ()
    selected = tuple(each.frame for each in attributions if each.selected)
    assert unbilled(attributions, []) == selected


def test_A3_a_frame_that_is_reused_was_billed_when_it_was_served() -> None:
    outcomes = [frames("p", offer("p", "a"))]
    again = compose_answers([], 1000, reused=Reused(outcomes[0].frames, {}))
    earlier, now = usage_report(outcomes, 100), usage_report([], 100)
    assert unbilled(attribution(again), [now]) == (offer("p", "a").identity,)
    assert unbilled(attribution(again), [earlier, now]) == ()


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("It is on the shelf [memory 1].", ["a"]),
        ('As [“R&D”] says. ["R&D" <notes>]', ["b"]),
        ("[&quot;R&amp;D&quot; &lt;notes&gt;][memory 1]", ["a", "b"]),
        ("memory 1 says so [memory 10] [Memory 1] [copy of 1] [too long] [handle]", []),
    ],
)
def test_what_an_answer_cites(answer: str, cited: list[str]) -> None:
    assert sorted(identity.frame_id for identity in cited_in(PROMPT, answer)) == cited
    assert all(isinstance(each, Attribution) for each in attribution(PROMPT, cited_in(PROMPT, answer)))


def test_a_label_that_frames_share_cites_them_all() -> None:
    shared = [offer("p", id, id, citation_label="notes") for id in "ab"]
    assert len(cited_in(compose_for_prompt(shared, 1000), "[notes]")) == 2


def test_a_blank_label_is_cited_by_nothing() -> None:
    prompt = compose_for_prompt([offer("p", "a", title=" ")], 1000)
    assert cited_in(prompt, "[ ] [] " + PREAMBLE) == ()
