"""Composing: what a host spends on the frames of many providers, in processor time of this process."""

from __future__ import annotations

import random
import string
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from memory_provider.host.composition import compose_context, compose_for_prompt
from memory_provider.host.offers import Offered
from memory_provider.protocol import ContextFrame, ProvenanceLink, digest, token_cost

from ..measuring import Effort, timings
from ..results import Row, shown

PART = "Composing 1,000 frames of 20 providers"
FRAMES, PROVIDERS, CONTENTS = 1000, 20, 800
"""A fifth of the frames say what others say."""


async def run(effort: Effort) -> AsyncIterator[Row]:
    """Under a budget that few fit into, under one that all do, and in canonical order."""
    offers = offered()
    tasks: dict[str, tuple[Callable[[], Any], str]] = {
        "for a prompt of 4,000 tokens": (lambda: compose_for_prompt(offers, 4_000), "<= 50"),
        "for a prompt of 1,000,000 tokens": (lambda: compose_for_prompt(offers, 1_000_000), "<= 50"),
        "in canonical order": (lambda: compose_context(offers), ""),
    }
    for what, (task, target) in tasks.items():
        for _ in range(effort.warming):
            task()
        found = timings([_spent(task) for _ in range(effort.rounds * effort.calls)])
        yield Row(PART, "", what, shown(found), value=found.median, unit="ms of CPU", target=target)


def offered() -> list[Offered]:
    """The same frames every time: some 280 bytes of content, a label and a source each."""
    draw = random.Random(7)
    contents = [_words(draw) for _ in range(CONTENTS)]
    return [_offer(number, contents[number % CONTENTS], draw.random()) for number in range(FRAMES)]


def _words(draw: random.Random) -> str:
    return " ".join("".join(draw.choices(string.ascii_lowercase, k=6)) for _ in range(40))


def _offer(number: int, content: str, score: float) -> Offered:
    frame = ContextFrame(
        id=f"mem:{number}",
        kind="fact",
        title="Fact",
        content=content,
        content_digest=digest(content.encode()),
        score=score,
        token_cost=token_cost(content),
        citation_label=f"fact {number}",
        provenance=(ProvenanceLink(type="episode", uri=f"mem:session/{number}"),),
    )
    return Offered(f"provider-{number % PROVIDERS}", frame)


def _spent(task: Callable[[], Any]) -> float:
    began = time.process_time()
    task()
    return time.process_time() - began
