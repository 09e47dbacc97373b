"""Over any frames: composition stays under its budget, accounts for every frame, and does not care who came first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_provider.host.composition.audit import Duplicate, Included, OverBudget
from memory_provider.host.composition.canonical import compose_context
from memory_provider.host.composition.fence import fenced
from memory_provider.host.composition.preamble import PREAMBLE
from memory_provider.host.composition.prompt import compose_for_prompt
from memory_provider.host.composition.ranking import BY_SCORE, ROUND_ROBIN, PerProviderQuota, Ranking
from memory_provider.host.offers import Offered
from memory_provider.protocol import FrameId, token_cost
from memory_provider.temporal.errors import InvalidInput

from .offering import changed, offer_lists, offers

budgets = st.integers(0, 150) | st.just(100_000)
rankings: st.SearchStrategy[Ranking] = st.sampled_from([BY_SCORE, ROUND_ROBIN, PerProviderQuota(1)])


@given(offer_lists, budgets, rankings)
def test_COMP4_the_blocks_never_cost_more_than_the_budget(
    offered: list[Offered], budget: int, ranking: Ranking
) -> None:
    prompt = compose_for_prompt(offered, budget, ranking=ranking)
    assert prompt.text.startswith(PREAMBLE)
    blocks = prompt.text.removeprefix(PREAMBLE)
    assert blocks == "".join(fenced(*each) for each in prompt.frames)
    costs = [token_cost(fenced(*each)) for each in prompt.frames]
    assert (
        token_cost(blocks) <= sum(costs) == prompt.audit.tokens_used <= budget == prompt.audit.global_budget
    )


@given(offer_lists, budgets, rankings)
def test_COMP6_the_audit_is_a_total_partition(offered: list[Offered], budget: int, ranking: Ranking) -> None:
    prompt = compose_for_prompt(offered, budget, ranking=ranking)
    audit = prompt.audit
    assert Counter(entry.frame for entry in audit.entries) == Counter(each.identity for each in offered)
    assert Counter((*audit.included, *audit.excluded)) == Counter(audit.entries)
    placed = {
        entry.disposition.position: entry.frame
        for entry in audit.included
        if isinstance(entry.disposition, Included)
    }
    assert [placed[position] for position in range(len(placed))] == [each.identity for each in prompt.frames]
    assert [citation.frame for citation in prompt.citations] == [each.identity for each in prompt.frames]

    shown_or_too_long = {
        entry.frame for entry in audit.entries if isinstance(entry.disposition, Included | OverBudget)
    }
    for entry in audit.entries:
        match entry.disposition:
            case Included(verifiable=verifiable):
                assert verifiable == (entry.frame.content_digest is not None)
            case OverBudget(cost, remaining):
                assert cost > remaining >= 0
            case Duplicate(of):
                assert of in shown_or_too_long


@given(st.data(), offer_lists, budgets, rankings)
def test_COMP8_the_order_of_arrival_decides_nothing(
    data: st.DataObject, offered: list[Offered], budget: int, ranking: Ranking
) -> None:
    other = data.draw(st.permutations(offered))
    assert compose_for_prompt(other, budget, ranking=ranking) == compose_for_prompt(
        offered, budget, ranking=ranking
    )
    assert compose_context(other) == compose_context(offered)


@given(offer_lists)
def test_COMP2_no_content_stands_in_a_prompt_twice(offered: list[Offered]) -> None:
    prompt = compose_for_prompt(offered, 100_000)
    contents = Counter(each.frame.content for each in prompt.frames if each.frame.content)
    assert not contents or max(contents.values()) == 1
    # Nothing that was said gets lost but where two frames are the same, or where an identity says two things.
    kept = {each.identity for each in prompt.frames}
    for entry in prompt.audit.excluded:
        assert isinstance(entry.disposition, Duplicate)
        assert entry.disposition.of in kept


@given(offer_lists)
def test_COMP2_the_provenance_of_all_that_a_frame_stands_for_is_cited(offered: list[Offered]) -> None:
    prompt = compose_for_prompt(offered, 100_000)
    stands_for: dict[FrameId, set[FrameId]] = {
        citation.frame: {citation.frame} for citation in prompt.citations
    }
    for entry in prompt.audit.excluded:
        assert isinstance(entry.disposition, Duplicate)
        stands_for[entry.disposition.of].add(entry.frame)
    for frame, citation in zip(prompt.frames, prompt.citations, strict=True):
        told = [
            link
            for each in offered
            if each.identity in stands_for[citation.frame]
            for link in each.frame.provenance
        ]
        assert set(citation.provenance) == set(told)
        assert len(citation.provenance) == len(set(told))
        own = tuple(dict.fromkeys(frame.frame.provenance))
        assert citation.provenance[: len(own)] == own


@given(offer_lists)
def test_CR_D2_plain_composition_is_in_canonical_order(offered: list[Offered]) -> None:
    quoted: dict[FrameId, str] = {}
    for each in offered:
        quoted[each.identity] = min(fenced(*each), quoted.get(each.identity, fenced(*each)))
    ordered = sorted(quoted, key=lambda identity: identity.sort_key)
    assert compose_context(offered) == "".join(quoted[identity] for identity in ordered)


@given(offer_lists, st.sampled_from([0.0, 1.0]), st.integers(0, 1000))
def test_CR_D3_scores_and_costs_change_no_byte_of_plain_composition(
    offered: list[Offered], score: float, cost: int
) -> None:
    rescored = [changed(each, score=score, token_cost=cost) for each in offered]
    assert compose_context(rescored) == compose_context(offered)


@given(offer_lists, rankings)
def test_a_ranking_loses_nothing(offered: list[Offered], ranking: Ranking) -> None:
    assert Counter(each.identity for each in ranking.ranked(offered)) == Counter(
        each.identity for each in offered
    )


class Losing:
    """A ranking that is wrong."""

    name = "losing"

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        return frames[1:]


class Repeating(Losing):
    name = "repeating"

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        return [*frames, *frames]


@given(offers())
def test_a_ranking_that_loses_frames_or_makes_some_up_is_refused(offered: Offered) -> None:
    for ranking in (Losing(), Repeating()):
        with pytest.raises(InvalidInput, match=f"the ranking {ranking.name} was given 1 frames"):
            compose_for_prompt([offered], 100, ranking=ranking)
