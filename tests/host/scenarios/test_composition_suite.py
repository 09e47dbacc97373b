"""The four scenarios of the protocol's suite for composing hosts: from providers to what is in the prompt and what not.

The protocol's values count content alone; here a frame costs its whole block, so the same values leave no less out.
"""

from __future__ import annotations

import pytest

from memory_provider.host import ComposedPrompt, FrameFlood, Host, compose_answers
from memory_provider.host.composition import Included, OverBudget
from memory_provider.host.composition.fence import fenced
from memory_provider.protocol import token_cost

from .probe import QUERY, Probe, adding, frame

pytestmark = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])


def costing(name: str, tokens: int) -> Probe:
    """A provider with one honest frame of so many tokens, which no other has."""
    content = (name * 4 * tokens)[: 4 * tokens]
    assert token_cost(content) == tokens
    return Probe(name, frame(f"{name}-f", content))


async def composed(*providers: Probe) -> ComposedPrompt:
    """The prompt. The scenarios give each provider the whole budget, where this host gives each its share."""
    each_gets_all = QUERY.replace(max_tokens=QUERY.max_tokens * len(providers))
    async with Host() as host:
        adding(host, **{each.ack.provider.name: each for each in providers})
        return compose_answers(await host.query(each_gets_all), QUERY.max_tokens)


def three(tokens: int) -> tuple[Probe, ...]:
    return tuple(costing(f"p{number}", tokens) for number in range(3))


async def test_composition_budget_bound() -> None:
    """Three honest providers of 400 tokens each do not fit under 1000 together; of 200 each they do."""
    over = await composed(*three(400))
    assert over.audit.tokens_used <= 1000
    assert [each.frame.id for each in over.frames] == ["p0-f", "p1-f"]
    [left] = over.audit.excluded
    cost = token_cost(fenced("p2", costing("p2", 400).answered.result.frames[0]))
    assert left.disposition == OverBudget(cost, 1000 - 2 * cost)
    under = await composed(*three(200))
    assert sorted(each.frame.id for each in under.frames) == ["p0-f", "p1-f", "p2-f"]
    assert not under.audit.excluded and under.audit.tokens_used <= 1000


async def test_composition_total_partition() -> None:
    """Every frame that was offered is in the prompt or told of, and none that was not offered is."""
    offered = [(f"p{number}", f"p{number}-f") for number in range(3)]
    for tokens, left_out in ((400, 1), (200, 0)):
        prompt = await composed(*three(tokens))
        accounted = [(entry.frame.provider_id, entry.frame.frame_id) for entry in prompt.audit.entries]
        assert sorted(accounted) == offered
        assert len(prompt.audit.excluded) == left_out
        assert {entry.frame for entry in prompt.audit.included} == {each.identity for each in prompt.frames}
        assert all(isinstance(entry.disposition, Included) for entry in prompt.audit.included)


async def test_composition_quarantine() -> None:
    """Frames of a flood, each cheap enough to fit, are not in the prompt; an honest provider's beside it are."""
    flooder = Probe("flooder", *(frame(f"flood-{number}", f"{number:4}") for number in range(17)))
    honest = costing("honest", 100)
    async with Host() as host:
        adding(host, flooder=flooder, honest=honest)
        flood, kept = await host.query(QUERY)
    assert flood == FrameFlood("flooder", 17, 8)
    prompt = compose_answers([flood, kept], 1000)
    assert [(each.provider_id, each.frame.id) for each in prompt.frames] == [("honest", "honest-f")]
    assert "flood" not in prompt.text
    assert prompt == compose_answers([kept], 1000)


async def test_composition_determinism() -> None:
    """What did not change is composed to the same bytes again."""
    first, second = await composed(*three(100)), await composed(*three(100))
    assert first == second and first.text == second.text
    assert len(first.frames) == 3
