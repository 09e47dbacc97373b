"""Full-text search: complete whatever lies in its way, and no word is syntax."""

from __future__ import annotations

from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest

from memory_provider.store.conformance.rows import (
    LATEST,
    fact,
    probe,
    put,
    record,
    record_probe,
    second,
    text,
    view,
)
from memory_provider.store.contract import Store
from memory_provider.store.neo4j import connection, lucene, searching
from memory_provider.temporal.instants import DAY


async def test_matches_of_the_same_day_that_are_out_of_view_do_not_starve_a_search(
    store: Store, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index restricts by days only; among matches of one day it must look deeper."""
    monkeypatch.setattr(searching, "DEPTH", 10)
    monkeypatch.setattr(searching, "BREADTH", 1)
    monkeypatch.setattr(searching, "DEEPER", 2)
    today = second(0) // DAY * DAY
    closed = [
        fact(f"host {i}", "saw", text("a comet comet comet"), second(1), start=today, end=today + i + 1)
        for i in range(60)
    ]
    valid = [
        fact(f"guest {i}", "saw", text("one comet among many other things"), second(1)) for i in range(3)
    ]
    await put(store, scope, second(1), *closed, *valid)
    moment = view(as_of=today + 1000)
    found = (await store.candidates(scope, moment, probe("comet", facts=5))).found
    assert {each.hit.version.id for each in found.facts} == {each.version.id for each in valid}


async def test_superseded_today_is_not_starved_by_more_of_it(
    store: Store, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "DEPTH", 5)
    monkeypatch.setattr(searching, "BREADTH", 1)
    monkeypatch.setattr(searching, "DEEPER", 2)
    versions = [
        fact("Ann", "counts", text(f"comet {i}"), second(i + 1), superseded_at=second(i + 2))
        for i in range(40)
    ]
    await put(store, scope, second(41), *versions)
    found = (await store.candidates(scope, view(known_at=second(7)), probe("comet", facts=3))).found
    assert [each.hit.version.object.text for each in found.facts] == ["comet 6"]


async def test_records_of_the_same_day_that_are_out_of_view_do_not_starve_a_search(
    store: Store, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "DEPTH", 5)
    monkeypatch.setattr(searching, "BREADTH", 1)
    monkeypatch.setattr(searching, "DEEPER", 2)
    today = second(0) // DAY * DAY
    closed = [
        record("a comet comet comet", second(1), valid_from=today, valid_to=today + i + 1, position=i)
        for i in range(40)
    ]
    valid = record("one comet among many other things", second(1), position=99)
    await put(store, scope, second(1), records=[*closed, valid])
    asked = record_probe("comet", records=3)
    found = (await store.candidates(scope, view(as_of=today + 1000), asked)).found
    assert [each.hit.record.id for each in found.records] == [valid.record.id]


SYNTAX = [
    "AND",
    "OR",
    "NOT",
    "+",
    "-",
    "\\",
    '"',
    "a:b",
    "(",
    ")",
    "[x TO y]",
    "*",
    "?",
    "~",
    "^",
    "/re/",
    "&&",
    "||",
    "!",
]


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(st.lists(st.sampled_from(SYNTAX) | st.text(min_size=1, max_size=12), max_size=6))
def test_no_term_is_syntax(words: list[str]) -> None:
    """Every term stands in quotes that it cannot end."""
    text_of = lucene.facts_query("s", words, lucene.Days())
    inside = text_of.partition("+(")[2][:-1]
    rest, quotes = inside.replace("\\\\", "").replace('\\"', ""), 0
    for part in rest.split('"')[::2]:
        assert part.strip() in ("", "terms:")
        quotes += 1
    assert len(dict.fromkeys(words)) * 2 + 1 >= quotes


@pytest.mark.parametrize("word", SYNTAX)
async def test_a_word_of_syntax_is_a_word(store: Store, scope: str, word: str) -> None:
    await put(store, scope, second(1), fact("Ann", "says", text("comet"), second(1)))
    found = (await store.candidates(scope, LATEST, probe(word, "comet"))).found
    assert len(found.facts) == 1


async def test_more_words_than_the_index_takes(store: Store, scope: str) -> None:
    await put(store, scope, second(1), fact("Ann", "says", text("comet"), second(1)))
    words = ["comet", *(f"word{i}" for i in range(3000))]
    assert len((await store.candidates(scope, LATEST, probe(*words))).found.facts) == 1


async def test_a_recall_is_one_statement(store: Store, scope: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there are context records, but for the first time that they are met."""
    asked: list[str] = []

    async def rows(tx: Any, text: str, **parameters: Any) -> Any:
        asked.append("with" if "ContextRecord" in text else "without")
        return await connection.rows(tx, text, **parameters)

    monkeypatch.setattr(searching, "rows", rows)

    async def statements() -> list[str]:
        asked.clear()
        await store.candidates(scope, LATEST, record_probe("kettle", lineages=["lin"]))
        return list(asked)

    await put(store, scope, second(1), fact("kettle", "is", text("red"), second(1)))
    assert await statements() == ["without"]
    await put(store, scope, second(2), records=[record("kettle", second(2), lineage="lin")])
    assert await statements() == ["without", "with"]
    assert await statements() == ["with"]
    asked.clear()
    await store.candidates(scope, LATEST, probe("kettle"))
    assert asked == ["without"], "no kind of frame that a record could be served as"
