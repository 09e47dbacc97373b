"""The data into a memory, through its own API, in transactions of bounded size."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from memory_provider import Entity, Memory

from .corpus import PREDICATES, Claim, Corpus, Said

TRANSACTION = 1000
"""Operations a transaction."""

Item = TypeVar("Item")


def in_batches(items: Iterable[Item], size: int = TRANSACTION) -> Iterator[list[Item]]:
    """Lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


async def declare(memory: Memory) -> None:
    """The predicates of the data."""
    for name, (cardinality, kind, label, inverse) in PREDICATES.items():
        await memory.define_predicate(
            name, cardinality=cardinality, object=kind, label=label, inverse_label=inverse
        )


async def add_episodes(memory: Memory, said: Sequence[Said]) -> list[str]:
    """One transaction; the ids of its episodes."""
    async with memory.transaction() as tx:
        return [
            tx.add_episode(
                each.text, occurred_at=each.occurred_at, speaker=each.speaker, session=each.session
            )
            for each in said
        ]


async def add_claims(memory: Memory, claims: Sequence[Claim], episodes: Sequence[str]) -> None:
    """One transaction; each claim cites its episode."""
    async with memory.transaction() as tx:
        for each in claims:
            tx.assert_fact(
                each.subject,
                each.predicate,
                Entity(each.object) if each.is_entity else each.object,
                valid_from=each.valid_from,
                valid_to=each.valid_to,
                episode=episodes[each.episode],
                by="bench",
                confidence=0.9,
            )


async def load(memory: Memory, corpus: Corpus) -> None:
    """All of it, unless the scope holds it already."""
    if await memory.at().facts(limit=1):
        return
    await declare(memory)
    ids: list[str] = []
    for said in in_batches(corpus.said()):
        ids += await add_episodes(memory, said)
        progress(f"{memory.scope}: {len(ids)} episodes")
    done = 0
    for claims in in_batches(corpus.claims()):
        await add_claims(memory, claims, ids)
        done += len(claims)
        progress(f"{memory.scope}: {done} facts")


def progress(text: str) -> None:
    """Where a run has got to, for whoever watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
