"""Whatever is wrong in a file is found, and named by ids."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_provider import Entity, Memory
from memory_provider.doctor import Finding, examine
from memory_provider.store.opening import store_at
from memory_provider.temporal.instants import OPEN
from tests.support.appending import append_record

SECRET = "zanzibar"
"""A word of everything that is said: no finding may hold it."""


@dataclass
class Story:
    """A small history and the ids in it."""

    path: Path
    lyon: str
    paris: str
    tea: str
    milk: str
    alias: str
    first: str
    second: str
    long: str
    erased: str
    ann: str

    def change(self, *statements: str) -> None:
        """Change the file behind the store's back."""
        with sqlite3.connect(self.path) as connection:
            for statement in statements:
                names = {name: value for name, value in vars(self).items() if f":{name}" in statement}
                changed = connection.execute(statement, names).rowcount
                assert changed, f"nothing changed by {statement}"
        connection.close()

    def execute(self, *statements: str) -> None:
        """Change its schema."""
        with sqlite3.connect(self.path) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()


@pytest.fixture(scope="module")
async def whole(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """The story, in a file of its own."""
    path = tmp_path_factory.mktemp("doctor") / "whole.db"
    async with Memory.open(f"sqlite:///{path}", scope="s") as memory:
        await memory.define_predicate("lives_in", cardinality="one", object="entity")
        first = await memory.add_episode(
            f"I moved to {SECRET}.", speaker="Ann", session="t", idempotency_key="1"
        )
        second = await memory.add_episode(f"And I like {SECRET}.", speaker="Ann", session="t")
        long = await memory.add_episode(f"{SECRET} goes on. " * 400, speaker="Ann", session="t")
        gone = await memory.add_episode("Forget me.")
        lyon = await memory.assert_fact(
            "Ann",
            "lives_in",
            Entity(f"Lyon {SECRET}"),
            valid_from="2026-01-01T00:00:00Z",
            episode=first.episode_id,
        )
        paris = await memory.assert_fact(
            "Ann", "lives_in", Entity(f"Paris {SECRET}"), valid_from="2026-03-01T00:00:00Z", by="user"
        )
        tea = await memory.assert_fact("Ann", "likes", f"tea {SECRET}", valid_from=None)
        milk = await memory.assert_fact("Ann", "likes", f"milk {SECRET}", valid_from="2026-01-01T00:00:00Z")
        alias = await memory.assert_fact("Ann", "also_known_as", f"Annie {SECRET}", valid_from=None)
        for record in ("rec_1", "rec_2"):
            await append_record(memory, record, f"{record} says {SECRET}")
        await memory.erase(episode=gone.episode_id, reason="asked to")
        assert await examine(memory.store) == []
    with sqlite3.connect(path) as connection:
        (ann,) = connection.execute("SELECT id FROM entities WHERE name = 'Ann'").fetchone()
    connection.close()
    ids = [each.fact_ids[0] for each in (lyon, paris, tea, milk, alias)]
    said = [each.episode_id or "" for each in (first, second, long, gone)]
    return Story(path, *ids, *said, ann)


@pytest.fixture
def story(whole: Story, tmp_path: Path) -> Story:
    """A copy to be corrupted."""
    copy = tmp_path / "copy.db"
    shutil.copy(whole.path, copy)
    return Story(copy, *list(vars(whole).values())[1:])


async def found(story: Story, *, inspect: bool = True) -> list[Finding]:
    store = store_at(f"sqlite:///{story.path}")
    if not inspect:

        async def nothing(scope: str | None) -> list[Finding]:
            return []

        store.inspect = nothing  # type: ignore[method-assign]
    try:
        findings = await examine(store, sample=50)
    finally:
        await store.close()
    for finding in findings:
        assert SECRET not in finding.what.lower()
        assert finding.scope in ("s", None)
    return findings


ENDED = f"superseded_at < {OPEN}"
STANDS = f"superseded_at = {OPEN}"
DAY = 86_400_000_000

CORRUPTIONS: dict[str, tuple[str, str, Callable[[Story], None]]] = {
    "overlap of a `one` predicate": (
        "overlapping facts of a predicate of one",
        "paris",
        lambda s: s.change(f"UPDATE facts SET valid_to = valid_to + 60 WHERE id = :lyon AND {STANDS}"),
    ),
    "inverted window": (
        "inverted window",
        "milk",
        lambda s: s.change("UPDATE facts SET valid_to = valid_from - 1 WHERE id = :milk"),
    ),
    "empty window": (
        "inverted window",
        "milk",
        lambda s: s.change("UPDATE facts SET valid_to = valid_from WHERE id = :milk"),
    ),
    "superseded before it was recorded": (
        "inverted recorded time",
        "lyon",
        lambda s: s.change(f"UPDATE facts SET superseded_at = recorded_at - 1 WHERE id = :lyon AND {ENDED}"),
    ),
    "ended by nothing": (
        "end that no operation made, or an operation that made none",
        "lyon",
        lambda s: s.change(f"UPDATE facts SET ended_by = NULL WHERE id = :lyon AND {ENDED}"),
    ),
    "recorded after the clock": (
        "recorded after the clock",
        "milk",
        lambda s: s.change(f"UPDATE facts SET recorded_at = recorded_at + {DAY} WHERE id = :milk"),
    ),
    "clock behind its rows": (
        "recorded after the clock",
        "erased",
        lambda s: s.change("UPDATE scopes SET clock = clock - 1"),
    ),
    "link attached before it was recorded": (
        "source link attached before it was recorded",
        "milk",
        lambda s: s.change("UPDATE links SET recorded_at = recorded_at + 1 WHERE fact_id = :milk"),
    ),
    "link detached before it was attached": (
        "source link that covers nothing",
        "src_",
        lambda s: s.change("UPDATE links SET detached_at = attached_at - 1 WHERE fact_id = :milk"),
    ),
    "link that speaks for nothing": (
        "source link that speaks for nothing",
        "milk",
        lambda s: s.change("UPDATE links SET spoke_to = spoke_from WHERE fact_id = :milk"),
    ),
    "statement": (
        "digest that does not match",
        "tea",
        lambda s: s.change("UPDATE facts SET statement = 'Ann likes wine' WHERE id = :tea"),
    ),
    "window that the digest does not know": (
        "digest that does not match",
        "tea",
        lambda s: s.change("UPDATE facts SET valid_from = 0 WHERE id = :tea"),
    ),
    "digest": (
        "digest that does not match",
        "tea",
        lambda s: s.change("UPDATE facts SET digest = 'sha256:0' WHERE id = :tea"),
    ),
    "text of an episode": (
        "digest that does not match",
        "second",
        lambda s: s.change("UPDATE episodes SET text = replace(text, 'like', 'hate') WHERE id = :second"),
    ),
    "text of a chunk": (
        "digest that does not match",
        "long",
        lambda s: s.change("UPDATE chunks SET digest = 'sha256:0' WHERE number = 2"),
    ),
    "lost chunk": (
        "chunks that are not those of their episode",
        "long",
        lambda s: s.change("DELETE FROM chunks WHERE number = 2"),
    ),
    "range of a chunk": (
        "chunks that are not those of their episode",
        "long",
        lambda s: s.change("UPDATE chunks SET first_byte = first_byte + 1 WHERE number = 2"),
    ),
    "episode without chunks": (
        "episode without chunks",
        "second",
        lambda s: s.change(
            "DELETE FROM chunks WHERE episode = (SELECT row_id FROM episodes WHERE id = :second)"
        ),
    ),
    "terms of a fact": (
        "search terms of another text",
        "tea",
        lambda s: s.change("UPDATE facts SET terms = 'wine' WHERE id = :tea"),
    ),
    "terms of a chunk": (
        "search terms of another text",
        "long",
        lambda s: s.change("UPDATE chunks SET terms = 'wine' WHERE number = 1"),
    ),
    "alias": (
        "alias that the fact does not say",
        "alias",
        lambda s: s.change("UPDATE facts SET alias = 'bob' WHERE id = :alias"),
    ),
    "context": (
        "context of another turn",
        "second",
        lambda s: s.change(
            "UPDATE chunks SET context = 'wine' WHERE episode = (SELECT row_id FROM episodes WHERE id = :second)"
        ),
    ),
    "turn before that is not there": (
        "turn after an episode that is not there",
        "second",
        lambda s: s.change("UPDATE episodes SET previous = 'ep_none' WHERE id = :second"),
    ),
    "two lines that should be one": (
        "lines that should be one",
        "milk",
        lambda s: s.change(
            "UPDATE facts SET object_text = (SELECT object_text FROM facts WHERE id = :tea) WHERE id = :milk"
        ),
    ),
    "two lines that touch and should be one": (
        "lines that should be one",
        "paris",
        lambda s: s.change(
            "UPDATE facts SET object_text = (SELECT object_text FROM facts WHERE id = :lyon) WHERE id = :paris"
        ),
    ),
    "two that should have been one once": (
        "lines that should be one",
        "milk",
        lambda s: s.change(
            "UPDATE facts SET object_text = (SELECT object_text FROM facts WHERE id = :tea),"
            " superseded_at = recorded_at + 1, ended_by = 'retract' WHERE id = :milk"
        ),
    ),
    "a line that stands twice": (
        "versions believed at once",
        "lyon",
        lambda s: s.change(
            f"UPDATE facts SET superseded_at = {OPEN}, ended_by = NULL WHERE id = :lyon AND {ENDED}"
        ),
    ),
    "lost link": (
        "fact that its sources do not cover",
        "milk",
        lambda s: s.change("DELETE FROM links WHERE fact_id = :milk"),
    ),
    "link that covers too little": (
        "fact that its sources do not cover",
        "milk",
        lambda s: s.change("UPDATE links SET covers_from = covers_from + 1 WHERE fact_id = :milk"),
    ),
    "link that was detached too early": (
        "fact that its sources do not cover",
        "milk",
        lambda s: s.change("UPDATE links SET detached_at = attached_at + 1 WHERE fact_id = :milk"),
    ),
    "link that was attached too late": (
        "fact that its sources do not cover",
        "lyon",
        lambda s: s.change("UPDATE links SET attached_at = attached_at + 1 WHERE fact_id = :lyon"),
    ),
    "link to no fact": (
        "source link without its fact",
        "fact_none",
        lambda s: s.change("UPDATE links SET fact_id = 'fact_none' WHERE fact_id = :milk"),
    ),
    "link to no episode": (
        "source link to an episode that is not there",
        "ep_none",
        lambda s: s.change("UPDATE links SET episode_id = 'ep_none' WHERE fact_id = :milk"),
    ),
    "link to an erased episode": (
        "source link to an episode that is not there",
        "erased",
        lambda s: s.change("UPDATE links SET episode_id = :erased WHERE fact_id = :milk"),
    ),
    "erased and still there": (
        "erased and still there",
        "milk",
        lambda s: s.change("UPDATE tombstones SET id = :milk, kind = 'fact' WHERE id = :erased"),
    ),
    "absorbed by nobody": (
        "absorbed by a fact that was never there",
        "fact_none",
        lambda s: s.change(f"UPDATE facts SET absorbed_by = 'fact_none' WHERE id = :lyon AND {ENDED}"),
    ),
    "replaced what is not there": (
        "replacement of a version that is not there",
        "fact_none",
        lambda s: s.change("UPDATE replacements SET replaced_id = 'fact_none' WHERE id = :paris"),
    ),
    "lost entity": (
        "fact without its entity",
        "lyon",
        lambda s: s.change("DELETE FROM entities WHERE name LIKE 'Lyon%'"),
    ),
    "lost speaker": (
        "episode without its speaker",
        "first",
        lambda s: s.change("DELETE FROM entities WHERE id = :ann"),
    ),
    "lost predicate": (
        "fact without its predicate",
        "lyon",
        lambda s: s.change("DELETE FROM predicates WHERE name = 'lives_in'"),
    ),
    "type of a predicate": (
        "object of a type that its predicate does not take",
        "lyon",
        lambda s: s.change("UPDATE predicates SET object_type = 'text' WHERE name = 'lives_in'"),
    ),
    "one place, two turns": (
        "two turns at one place of a session",
        "second",
        lambda s: s.change("UPDATE episodes SET position = 1 WHERE id = :second"),
    ),
    "key of an episode that is not there": (
        "idempotency record of an episode that is not there",
        "ep_none",
        lambda s: s.change("UPDATE idempotency SET episode_id = 'ep_none'"),
    ),
    "a fact that search does not find": (
        "answers that differ from what is stored",
        "tea",
        lambda s: s.change(
            "INSERT INTO words_standing (words_standing, rowid, words)"
            " SELECT 'delete', row_id, scope || '_ ' || scope || '_' || replace(terms, ' ', ' ' || scope || '_')"
            " FROM facts WHERE id = :tea"
        ),
    ),
    "statement of a record": (
        "digest that does not match",
        "rec_2",
        lambda s: s.change("UPDATE context_records SET statement = 'wine' WHERE id = 'rec_2'"),
    ),
    "record served as what it is not": (
        "context record served as what it is not",
        "rec_2",
        lambda s: s.change("UPDATE context_records SET frame = 'fact' WHERE id = 'rec_2'"),
    ),
    "record that holds at no time": (
        "context record with an inverted window",
        "rec_1",
        lambda s: s.change("UPDATE context_records SET valid_to = valid_from WHERE id = 'rec_1'"),
    ),
    "record superseded before it was recorded": (
        "context record with inverted recorded time",
        "rec_1",
        lambda s: s.change("UPDATE context_records SET superseded_at = recorded_at - 1 WHERE id = 'rec_1'"),
    ),
    "two records of a lineage": (
        "context records believed at once",
        "rec_1",
        lambda s: s.change(f"UPDATE context_records SET superseded_at = {OPEN} WHERE id = 'rec_1'"),
    ),
    "record of another kind": (
        "context record of another kind than its lineage",
        "rec_1",
        lambda s: s.change(
            "UPDATE context_records SET kind = 'knowledge', frame = 'fact' WHERE id = 'rec_1'"
        ),
    ),
    "terms of a record": (
        "search terms of another text",
        "rec_2",
        lambda s: s.change("UPDATE context_records SET terms = 'wine' WHERE id = 'rec_2'"),
    ),
    "record after the clock": (
        "recorded after the clock",
        "rec_2",
        lambda s: s.change(
            f"UPDATE context_records SET recorded_at = recorded_at + {DAY} WHERE id = 'rec_2'"
        ),
    ),
    "key of a record that is not there": (
        "idempotency record of a context record that is not there",
        "rec_2",
        lambda s: s.change("DELETE FROM context_records WHERE id = 'rec_2'"),
    ),
    "erased record that is still there": (
        "erased and still there",
        "rec_1",
        lambda s: s.change("UPDATE tombstones SET id = 'record:rec_1', kind = 'record' WHERE id = :erased"),
    ),
    "lost index": ("schema", "facts_standing", lambda s: s.execute("DROP INDEX facts_standing")),
    "index over something else": (
        "schema",
        "facts_by_alias",
        lambda s: s.execute("DROP INDEX facts_by_alias", "CREATE INDEX facts_by_alias ON facts (alias)"),
    ),
}


@pytest.mark.parametrize("what", CORRUPTIONS)
async def test_found_and_named(story: Story, what: str) -> None:
    check, names, corrupt = CORRUPTIONS[what]
    corrupt(story)
    named = getattr(story, names, names)
    findings = await found(story, inspect=check == "schema")
    assert any(each.check == check and named in each.what for each in findings), findings
    assert {(each.check, each.scope) for each in findings} <= {
        (each.check, each.scope) for each in await found(story)
    }


async def test_many_of_one_kind_do_not_drown_the_others(story: Story) -> None:
    with sqlite3.connect(story.path) as connection:
        for number in range(150):
            connection.execute(
                "INSERT INTO links SELECT scope, fact_id, 'src_' || ?, claim, 'ep_none', file_uri, file_digest,"
                " file_range, by, method, confidence, spoke_from, spoke_to, covers_from, covers_to, recorded_at,"
                " attached_at, detached_at, original_recorded_at FROM links WHERE fact_id = ? LIMIT 1",
                (number, story.milk),
            )
    connection.close()
    dangling = [each for each in await found(story) if "not there" in each.check]
    assert len(dangling) == 101
    assert "50 more" in dangling[-1].what
