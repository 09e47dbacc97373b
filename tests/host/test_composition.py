"""Composition by example: each rule on frames small enough to read. The protocol's scenarios are in scenarios/."""

from __future__ import annotations

import pytest

from memory_provider.host.composition.audit import Duplicate, Included, OverBudget, Rejected
from memory_provider.host.composition.canonical import compose_context
from memory_provider.host.composition.deduplication import Sameness
from memory_provider.host.composition.fence import fenced
from memory_provider.host.composition.placement import fold_to_edges
from memory_provider.host.composition.preamble import PREAMBLE
from memory_provider.host.composition.prompt import ComposedPrompt, compose_for_prompt
from memory_provider.host.composition.ranking import BY_SCORE, ROUND_ROBIN, PerProviderQuota
from memory_provider.host.offers import Offered
from memory_provider.protocol import FrameId, ProvenanceLink, token_cost
from memory_provider.temporal.errors import InvalidInput

from .offering import file_link, offer, reference

PLENTY = 100_000


def became(prompt: ComposedPrompt) -> dict[tuple[str, str], object]:
    return {
        (entry.frame.provider_id, entry.frame.frame_id): entry.disposition for entry in prompt.audit.entries
    }


def ids(prompt: ComposedPrompt) -> list[str]:
    return [each.frame.id for each in prompt.frames]


def test_COMP7_what_was_rejected_is_accounted_for_and_never_composed() -> None:
    good, bad = offer("p", "a", "good"), offer("p", "b", "bad", score=7.0)
    prompt = compose_for_prompt(
        [good], PLENTY, rejected=[(bad.identity, ["score: 7.0 is not in [0, 1] (F1)"])]
    )
    assert ids(prompt) == ["a"]
    assert "bad" not in prompt.text
    assert became(prompt)["p", "b"] == Rejected(("score: 7.0 is not in [0, 1] (F1)",))


def test_where_a_frame_comes_from_is_cited_as_it_was_served() -> None:
    link = ProvenanceLink(
        type="file", uri="file:///a%20b", range="L2-L3", digest="sha256:odd", method="é", by="\u00a0"
    )
    (citation,) = compose_for_prompt([offer("p", "a", provenance=(link,))], PLENTY).citations
    assert citation.provenance == (link,)


# --- duplicates -----------------------------------------------------------------------------------------------------


def test_COMP2_of_equal_scores_the_canonically_first_stays() -> None:
    prompt = compose_for_prompt([offer("q", "b"), offer("p", "a")], PLENTY)
    assert [each.identity.provider_id for each in prompt.frames] == ["p"]


def test_COMP2_a_shared_source_is_one_piece_of_evidence() -> None:
    link = file_link("file:///a", "L1-4")
    offered = [
        offer("p", "a", "short", provenance=(link,)),
        offer("q", "b", "longer", score=0.9, provenance=(link,)),
    ]
    prompt = compose_for_prompt(offered, PLENTY)
    assert ids(prompt) == ["b"]
    assert became(prompt)["p", "a"] == Duplicate(offered[1].identity, Sameness.SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        file_link("file:///a", "L1-5"),
        file_link("file:///a"),
        file_link("file:///b", "L1-4"),
        ProvenanceLink(type="episode", uri="file:///a", range="L1-4"),
        ProvenanceLink(type="file", range="L1-4"),
    ],
)
def test_COMP2_another_source_is_another_piece_of_evidence(other: ProvenanceLink) -> None:
    offered = [
        offer(
            "p",
            "a",
            "one",
            provenance=(file_link("file:///a", "L1-4"), ProvenanceLink(type="file", range="L1-4")),
        ),
        offer("q", "b", "two", provenance=(other,)),
    ]
    assert len(compose_for_prompt(offered, PLENTY).frames) == 2


def test_what_one_provider_tells_apart_by_content_is_not_merged_by_source() -> None:
    link = (file_link("file:///README.md"),)
    sections = [
        offer("q", "b", "section one", provenance=link),
        offer("q", "c", "section two", provenance=link),
    ]
    assert len(compose_for_prompt(sections, PLENTY).frames) == 2
    whole = offer("p", "a", "the whole", provenance=link)
    assert ids(compose_for_prompt([whole, *sections], PLENTY)) == ["a", "c"]


def test_D2_an_identity_that_is_offered_again_is_the_same_frame() -> None:
    again = offer("p", "a", score=0.9)
    prompt = compose_for_prompt([offer("p", "a"), again], PLENTY)
    assert prompt.frames == (again,)
    assert [entry.disposition for entry in prompt.audit.excluded] == [
        Duplicate(again.identity, Sameness.IDENTITY)
    ]


def test_a_lie_in_a_digest_displaces_nobody() -> None:
    honest = offer("p", "a", "true")
    lying = offer("q", "b", "false", score=1.0, content_digest=honest.frame.content_digest)
    assert sorted(ids(compose_for_prompt([honest, lying], PLENTY))) == ["a", "b"]


def test_a_handle_does_not_displace_content() -> None:
    link = (file_link("file:///a"),)
    offered = [offer("p", "a", provenance=link), reference("q", "b", score=1.0, provenance=link)]
    assert ids(compose_for_prompt(offered, PLENTY)) == ["a"]


def test_frames_without_content_are_not_the_same_for_that() -> None:
    assert len(compose_for_prompt([reference("p", "a"), reference("q", "b")], PLENTY).frames) == 2
    assert len(compose_for_prompt([offer("p", "a", ""), offer("q", "b", "")], PLENTY).frames) == 2


# --- ranking, packing, placement ------------------------------------------------------------------------------------


def ranked(*offered: Offered) -> tuple[str, str, str]:
    return tuple(  # type: ignore[return-value]
        "".join(each.frame.id for each in policy.ranked(offered))
        for policy in (BY_SCORE, ROUND_ROBIN, PerProviderQuota(1))
    )


def test_rankings() -> None:
    loud = [offer("p", id, id, score=score) for id, score in (("a", 0.99), ("b", 0.98), ("c", 0.97))]
    quiet = [offer("q", id, id, score=score) for id, score in (("x", 0.2), ("y", 0.1))]
    assert ranked(*loud, *quiet) == ("abcxy", "axbyc", "axbcy")
    assert [BY_SCORE.name, ROUND_ROBIN.name, PerProviderQuota().name] == [
        *("by_score", "round_robin", "per_provider_quota_3")
    ]


def test_F10_the_audit_names_the_policy() -> None:
    assert compose_for_prompt([], 10).audit.ranking == "by_score"
    assert compose_for_prompt([], 10, ranking=PerProviderQuota(2)).audit.ranking == "per_provider_quota_2"


def test_COMP3_packing_goes_on_after_a_frame_that_does_not_fit() -> None:
    offered = [
        *(offer("p", "a", "a" * 100, score=0.9), offer("p", "b", "b" * 4000, score=0.8)),
        offer("p", "c", "c" * 100, score=0.7),
    ]
    prompt = compose_for_prompt(offered, 100)
    assert ids(prompt) == ["a", "c"]
    left = became(prompt)["p", "b"]
    assert left == OverBudget(token_cost(fenced(*offered[1])), 100 - token_cost(fenced(*offered[0])))


def test_a_block_fits_exactly_or_not_at_all() -> None:
    cost = token_cost(fenced(*offer("p", "a")))
    assert ids(compose_for_prompt([offer("p", "a")], cost)) == ["a"]
    assert ids(compose_for_prompt([offer("p", "a")], cost - 1)) == []


@pytest.mark.parametrize(
    ("ranked", "placed"), [("", ""), ("1", "1"), ("12", "12"), ("123", "132"), ("123456", "135642")]
)
def test_COMP5_the_edges_are_for_the_best(ranked: str, placed: str) -> None:
    assert "".join(fold_to_edges(ranked)) == placed


def test_COMP5_blocks_and_citations_stand_in_that_order() -> None:
    offered = [
        offer("p", id, id, score=1 - place / 10, citation_label=f"label {id}")
        for place, id in enumerate("abcd")
    ]
    prompt = compose_for_prompt(offered, PLENTY)
    assert ids(prompt) == list("acdb")
    assert [citation.label for citation in prompt.citations] == ["label a", "label c", "label d", "label b"]
    assert [
        entry.disposition.position
        for entry in prompt.audit.entries
        if isinstance(entry.disposition, Included)
    ] == [*(0, 3, 1, 2)]


# --- edges ----------------------------------------------------------------------------------------------------------


def test_the_preamble_is_the_same_whatever_is_composed() -> None:
    assert compose_for_prompt([], 0).text == PREAMBLE
    assert compose_for_prompt([offer("p", "a", PREAMBLE)], PLENTY).text.startswith(f"{PREAMBLE}<frame ")


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not -1"):
        compose_for_prompt([], -1)


def test_plain_composition_orders_by_bytes_and_an_absent_digest_first() -> None:
    offered = [
        *(
            offer("q", "a", "3"),
            offer("p", "b", "2", content_digest="sha256:0"),
            offer("p", "b", "1", content_digest=None),
        ),
        *(offer("p", "\U00010000", "5"), offer("p", "\uffff", "4"), offer("p", "B", "0")),
    ]
    blocks = compose_context([*offered, *offered]).split("\n</frame>\n")
    assert [block.rpartition("\n")[2] for block in blocks] == ["0", "1", "2", "4", "5", "3", ""]


def test_the_audit_as_json() -> None:
    one, two = offer("p", "a", "same"), offer("q", "b", "same")
    prompt = compose_for_prompt([one, two], 30, rejected=[(FrameId(provider_id="r", frame_id="c"), ["bad"])])
    cost = token_cost(fenced(*one))
    shown = {"status": "unattested", "covers_content": False, "finding": None, "checked_with": None}
    assert prompt.audit.plain() == {
        "global_budget": 30,
        "tokens_used": cost,
        "ranking": "by_score",
        "entries": [
            {
                "frame": {"provider_id": "p", "frame_id": "a", "content_digest": one.frame.content_digest},
                "outcome": "included",
                "position": 0,
                "rank": 0,
                "cost": cost,
                "verifiable": True,
                "evidence": shown,
            },
            {
                "frame": {"provider_id": "q", "frame_id": "b", "content_digest": two.frame.content_digest},
                "outcome": "duplicate",
                "of": {"provider_id": "p", "frame_id": "a", "content_digest": one.frame.content_digest},
                "by": "content",
                "evidence": shown,
            },
            {
                "frame": {"provider_id": "r", "frame_id": "c"},
                "outcome": "rejected",
                "reasons": ["bad"],
                "evidence": shown,
            },
        ],
    }
