"""LX4: what became of context records in a turn, told to who keeps them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from memory_provider import Memory
from memory_provider.host import Host, Offered, attribution, cited_in, compose_answers, context_uses
from memory_provider.host.composition.fence import fenced
from memory_provider.host.outcomes import Frames
from memory_provider.protocol import (
    AppendRecords,
    AppendRequest,
    ContextQuery,
    ProvenanceLink,
    RecordsAppended,
    token_cost,
)
from memory_provider.protocol.lifecycle.records import RecordError
from memory_provider.provider import Provider, data_flow

from .offering import offer

SEED = Path(__file__).parents[2] / "seeds" / "records.jsonl"
TERMS = {
    "turn": "turn-7",
    "sharing_scope": "user",
    "observed_at": "2026-12-02T09:00:00Z",
    "producer": "host://tea",
}
SCOPE = {"user_id": "noor"}


class ThisFirst(NamedTuple):
    """A policy."""

    this: Offered
    name: str = "this_first"

    def ranked(self, frames: Sequence[Offered]) -> Sequence[Offered]:
        return sorted(frames, key=lambda each: each != self.this)


async def append(provider: Provider, *records: dict[str, object]) -> list[str]:
    answer = await provider.answer(AppendRecords(request=AppendRequest(records=records)))
    assert isinstance(answer, RecordsAppended), answer
    return [receipt.status for receipt in answer.response.receipts]


async def test_what_became_of_records_is_appended_to_the_memory_that_served_them() -> None:
    async with Memory.open("memory:", scope="noor") as memory, Host() as host:
        provider = Provider(memory, data_flow=data_flow(local=True))
        await append(provider, *map(json.loads, SEED.read_text().splitlines()))
        await memory.assert_fact("tea", "grows_in", "Assam")
        host.add("memory", provider)
        [outcome] = await host.query(
            ContextQuery(goal="weekly review on thursday, tea", max_frames=8, max_tokens=1000)
        )
        assert isinstance(outcome, Frames) and len(outcome.frames) > 2  # a fact of no record among them
        [review] = [each for each in outcome.frames if each.frame.id == "lineage:noor-review"]
        prompt = compose_answers(
            [outcome], token_cost(fenced("memory", review.frame)), ranking=ThisFirst(review)
        )
        [cited] = prompt.citations
        assert cited.label.startswith("The weekly review")
        uses = context_uses(
            attribution(prompt, cited_in(prompt, f"On Thursday [{cited.label}].")),
            outcome.frames,
            scope=SCOPE,
            **TERMS,
        )
        assert [
            (each["used_record_ref"], each["selected"], each["rendered"], each["cited"]) for each in uses
        ] == [("noor-review-2", True, True, True), ("noor-tea-1", True, False, False)]
        assert await append(provider, *uses) == ["accepted", "accepted"]
        assert await append(provider, *uses) == ["duplicate", "duplicate"]


def of_record(id: str, record: str, content: str) -> Offered:
    link = ProvenanceLink(type="record", uri=f"memory:record/{record}")
    return offer("p", id, content, provenance=(link,))


def test_a_record_was_used_as_far_as_any_frame_of_it_was() -> None:
    offers = [of_record("a", "r%2F1", "short"), of_record("b", "r%2F1", "long " * 100), offer("p", "c")]
    prompt = compose_answers([Frames("p", tuple(offers))], 60)
    [use] = context_uses(attribution(prompt), offers, scope=SCOPE, **TERMS)
    assert (use["used_record_ref"], use["rendered"]) == ("r/1", True)
    other = context_uses(attribution(prompt), offers, scope=SCOPE, **{**TERMS, "turn": "turn-8"})
    assert other[0]["record_id"] != use["record_id"]


@pytest.mark.parametrize(
    "link",
    [
        ProvenanceLink(type="episode", uri="memory:record/r"),
        ProvenanceLink(type="record", uri="file:///r"),
        ProvenanceLink(type="record"),
        ProvenanceLink(type="record", uri="memory:record/"),
    ],
)
def test_frames_of_no_context_record_have_no_use_to_tell_of(link: ProvenanceLink) -> None:
    offers = [offer("p", "a", provenance=(link,))]
    prompt = compose_answers([Frames("p", tuple(offers))], 60)
    assert context_uses(attribution(prompt), offers, scope=SCOPE, **TERMS) == ()


def test_what_the_profile_does_not_allow_is_refused() -> None:
    offers = [of_record("a", "r", "x")]
    told = attribution(compose_answers([Frames("p", tuple(offers))], 60))
    with pytest.raises(RecordError, match="observed_at"):
        context_uses(told, offers, scope=SCOPE, **{**TERMS, "observed_at": "now"})
    with pytest.raises(RecordError, match="sharing_scope"):
        context_uses(told, offers, scope=SCOPE, **{**TERMS, "sharing_scope": "everybody"})
