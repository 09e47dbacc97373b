"""Search in bounded time loses nothing: compared with a look at every row, with bounds so small that they bite."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_provider.store.addresses import MemoryAddress
from memory_provider.store.conformance.rows import (
    ending,
    episode,
    fact,
    in_context,
    probe,
    put,
    second,
    text,
    view,
)
from memory_provider.store.ranking import Document, ranked, rarity
from memory_provider.store.sqlite import search
from memory_provider.store.sqlite.store import SqliteStore
from memory_provider.store.sqlite.words import chunk_words, fact_words, query

WORDS = ["common", "usual", "often", "seldom", "rare", "once"]
CHANCES = [0.9, 0.8, 0.5, 0.2, 0.05, 0.02]


@pytest.fixture(params=["real bounds", "tiny bounds"])
def bounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "tiny bounds":
        for name, value in (("FEW", 3), ("AFFORDABLE", 20), ("SAMPLE", 7), ("PAGE", 5)):
            monkeypatch.setattr(search, name, value)


def some_words(chance: random.Random) -> str:
    said = [word for word, share in zip(WORDS, CHANCES, strict=True) if chance.random() < share]
    return " ".join(said * chance.randint(1, 2)) or "silence"


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25)
async def test_no_visible_row_is_lost(seed: int, bounds: None) -> None:
    chance = random.Random(seed)
    store = SqliteStore(MemoryAddress())
    await store.open()
    versions, said = [], []
    standing = []
    for number in range(1, 9):
        rows = [
            fact(
                f"s{number}-{i}",
                "p",
                text(str(i)),
                second(number),
                start=second(chance.randint(0, 9)),
                end=second(chance.randint(10, 20)) if chance.random() < 0.6 else second(99),
                statement=some_words(chance),
            )
            for i in range(chance.randint(1, 15))
        ]
        ends = [each for each in standing if chance.random() < 0.3]
        standing = [each for each in standing if each not in ends] + rows
        turns = [
            in_context(
                episode(some_words(chance), second(number), occurred_at=second(chance.randint(0, 20))),
                some_words(chance),
            )
            for _ in range(chance.randint(0, 6))
        ]
        await put(
            store, "s", second(number), *rows, superseded=[ending(each) for each in ends], episodes=turns
        )
        gone = {each.version.id for each in ends}
        versions = [(new, number if new.version.id in gone else end) for new, end in versions] + [
            (new, 99) for new in rows
        ]
        said += turns
        await put(
            store,
            "other",
            second(number),
            fact(f"x{number}", "p", text("x"), second(number), statement="rare once"),
        )
    for _ in range(12):
        words = chance.sample(WORDS, chance.randint(1, 5))
        as_of, known = chance.randint(0, 21), chance.choice([None, *range(10)])
        moment = view(second(as_of), None if known is None else second(known))
        at = 8 if known is None else known
        matching = {
            new.version.id
            for new, end in versions
            if new.version.recorded_at <= second(at)
            and at < end
            and new.version.valid_from <= second(as_of) < new.version.valid_to
            and set(new.terms.split()) & set(words)
        }
        heard = {
            each.id
            for each in said
            if each.recorded_at <= second(at)
            and each.occurred_at <= second(as_of)
            and set(f"{each.chunks[0].terms} {each.chunks[0].context}".split()) & set(words)
        }
        for limit in (1, 3, 1000):
            found = (await store.candidates("s", moment, probe(*words, facts=limit, episodes=limit))).found
            facts = [each.hit.version.id for each in found.facts]
            turns_found = [each.hit.episode.id for each in found.episodes]
            assert len(facts) == len(set(facts)) == min(limit, len(matching))
            assert set(facts) <= matching
            assert len(turns_found) == len(set(turns_found)) == min(limit, len(heard))
            assert set(turns_found) <= heard
            left_out = len(matching) - len(facts) + len(heard) - len(turns_found)
            assert 0 <= found.more <= left_out
            assert bool(found.more) == bool(left_out)
    assert not await store.inspect(None)
    await store.close()


async def test_a_rare_word_decides_among_common_ones(bounds: None) -> None:
    store = SqliteStore(MemoryAddress())
    await store.open()
    special = fact("special", "p", text("x"), second(1), statement="common usual once")
    await put(store, "s", second(1), special)
    await put(
        store,
        "s",
        second(2),
        *(fact(f"s{i}", "p", text("x"), second(2), statement="common usual often") for i in range(60)),
    )
    found = (await store.candidates("s", view(), probe("common", "usual", "once", facts=5))).found
    assert found.facts[0].hit.version.id == special.version.id
    assert found.more > 0
    await store.close()


async def test_a_rewrite_moves_words_from_index_to_index(store: SqliteStore) -> None:
    old = fact("Ann", "likes", text("tea"), second(1))
    await put(store, "s", second(1), old)
    await put(store, "s", second(2), superseded=[ending(old)])

    def rows(connection, table: str) -> list[int]:
        return [
            row[0]
            for row in connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", ('"1_tea"',))
        ]

    assert await store._connections.read(lambda c: rows(c, "words_standing")) == []
    assert await store._connections.read(lambda c: rows(c, "words_ended")) == [1]


def test_words_of_scopes_do_not_meet() -> None:
    assert fact_words(1, "2a a a") == "1_ 1_2a 1_a"
    assert fact_words(12, "a") == "12_ 12_a"
    assert chunk_words(1, "a", "b a") == "1_ 1_a 1__ 1__b 1__a"
    assert query(1, "2a") == '"1_2a"'
    assert query(1, "2a", context=True) == '"1__2a"'
    for odd in ("", "a b", 'a"', "a*", "_a", "a-b", "(a)", "\0"):
        assert query(1, odd) is None


def test_ranking_is_okapi() -> None:
    assert rarity(100, 1) > rarity(100, 50) > rarity(100, 100) > 0
    documents = [
        Document(1, "tea", ""),
        Document(2, "tea tea", ""),
        Document(3, "tea and a long walk in the garden", ""),
        Document(4, "garden", "tea"),
        Document(5, "tea", ""),
    ]
    order = [document.row_id for document, _ in ranked(documents, {"tea": 1.0})]
    assert order == [2, 5, 1, 4, 3], "often, short and in the text itself; of equals the newest"
    assert ranked([], {"tea": 1.0}) == []
