"""`facts` and `recall`, beside the same reads by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from ..corpus import EARLY, HALFWAY
from ..counting import statements
from ..measuring import Effort, compare, timed
from ..results import Row, compared
from ..stores import Measured

PART = "Reading"
CLASSES = ("rare", "medium", "common", "named")


async def run(measured: Measured, effort: Effort) -> AsyncIterator[Row]:
    """Every read at the present."""
    corpus, by_hand, memory = measured.corpus, measured.by_hand, measured.memory
    neo4j = measured.path is None
    now = instant(datetime.now(EARLY.tzinfo))

    async def our_facts(key: Any) -> Any:
        return await memory.at().facts(*key)

    async def their_facts(key: Any) -> Any:
        return await by_hand.facts(*key, now)

    async def our_recall(question: str) -> Any:
        return await memory.at().recall(question)

    async def their_recall(question: str) -> Any:
        return await by_hand.recall(question, now)

    for name, predicate in (("one fact", "works_at"), ("some 13 facts", "notes")):
        keys = corpus.keys(predicate)
        await check_facts(measured, keys[:20], now)
        cold = await timed(our_facts, keys[0])
        count = await statements(measured, lambda key=keys[0]: our_facts(key))
        found = await compare(our_facts, their_facts, keys, effort)
        yield compared(
            PART,
            measured.name,
            f"facts(subject, predicate), {name}",
            found,
            "<= 1.5" if neo4j else "<= 3",
            note(cold, count),
        )
    for kind in CLASSES:
        questions = corpus.questions(kind)
        cold = await timed(our_recall, questions[0])
        count = await statements(measured, lambda question=questions[0]: our_recall(question))
        await check_recall(measured, questions, now)
        found = await compare(our_recall, their_recall, questions, effort)
        row = compared(
            PART, measured.name, f"recall, {kind}", found, "<= 1.5" if neo4j else "<= 2", note(cold, count)
        )
        yield row
        if kind == "common" and not neo4j:
            yield Row(
                PART, measured.name, "recall, common, p95", value=found.ours.p95, unit="ms", target="<= 50"
            )


async def run_past(measured: Measured, effort: Effort) -> AsyncIterator[Row]:
    """The same reads as of the past, beside those as of now."""
    corpus, memory = measured.corpus, measured.memory
    for name, at in (("halfway, about half of it true", HALFWAY), ("early, a twentieth true", EARLY)):

        async def facts(key: Any) -> Any:
            return await memory.at().facts(*key)

        async def facts_then(key: Any, at: datetime = at) -> Any:
            return await memory.at(as_of=at).facts(*key)

        async def recall(question: str) -> Any:
            return await memory.at().recall(question)

        async def recall_then(question: str, at: datetime = at) -> Any:
            return await memory.at(as_of=at).recall(question)

        keys = [*corpus.keys("works_at", 100), *corpus.keys("notes", 100)]
        found = await compare(facts_then, facts, keys, effort)
        yield compared("As of the past, beside as of now", measured.name, f"facts, {name}", found, "<= 2")
        for kind in CLASSES[:3]:
            found = await compare(recall_then, recall, corpus.questions(kind), effort)
            yield compared(
                "As of the past, beside as of now", measured.name, f"recall, {kind}, {name}", found, "<= 2"
            )


def instant(when: datetime) -> int:
    """Microseconds since 1970."""
    return int(when.timestamp()) * 1_000_000


def note(cold: float, count: int) -> str:
    """What a first call took, and how many statements a call runs."""
    return f"first call {cold * 1000:.0f} ms; {count} statement{'s' if count != 1 else ''}"


async def check_facts(measured: Measured, keys: list[tuple[str, str]], now: int) -> None:
    """Both sides answer the same facts with as many sources, or there is nothing to compare."""
    for key in keys:
        ours = [(each.id, len(each.sources)) for each in await measured.memory.at().facts(*key)]
        theirs = [(fact[0], len(sources)) for fact, sources in await measured.by_hand.facts(*key, now)]
        if sorted(ours) != sorted(theirs) or not ours:
            raise RuntimeError(f"the two sides answer {key} differently: {ours} and {theirs}")


async def check_recall(measured: Measured, questions: list[str], now: int) -> None:
    """Both sides answer, and mostly alike: they rank a little differently."""
    alike = total = 0
    for question in questions:
        ours = {frame.id for frame in (await measured.memory.at().recall(question)).frames}
        theirs = {shown.id for shown in await measured.by_hand.recall(question, now)}
        if bool(ours) != bool(theirs):
            raise RuntimeError(f"only one side answers {question!r}")
        alike += len(ours & theirs)
        total += len(ours)
    if not total:
        raise RuntimeError("no question was answered")
