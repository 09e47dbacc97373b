"""Recall: words, names, anchors and relations, inside the scope and both clocks before any limit."""

from __future__ import annotations

from ..contract import Pattern, Slice
from ..names import normalise_name
from ..records import Chunk
from .claiming import holds, same, same_members
from .rows import (
    LATEST,
    NOW,
    ended,
    ending,
    entity,
    episode,
    fact,
    in_context,
    probe,
    put,
    second,
    terms_of,
    text,
    view,
)
from .stores import Stores


async def any_word_finds(stores: Stores) -> None:
    """A hit holds at least one of the words; the more and the rarer, the better."""
    store, scope = stores.store, stores.scope()
    both = fact("Ann", "likes", text("green tea"), second(1))
    one = [fact(f"guest{i}", "likes", text(f"tea kind{i}"), second(1)) for i in range(12)]
    none = fact("Cid", "owns", text("a bicycle"), second(1))
    await put(store, scope, second(1), both, *one, none)
    found = (await store.candidates(scope, LATEST, probe("green", "tea"))).found
    same(found.facts[0].hit.version, both.version, "the best hit holds both words")
    same(len(found.facts), 13, "hits that hold any of the words")
    scores = [each.score for each in found.facts]
    same(scores, sorted(scores, reverse=True), "scores, best first")
    holds(scores[0] > scores[1], "two words score more than one")
    holds(bool(found.facts[0].hit.citations), "a hit shows its sources")
    same(found.more, 0, "matches left out of an answer that holds them all")
    found = (await store.candidates(scope, LATEST, probe("green", "tea", facts=1))).found
    same([each.hit.version for each in found.facts], [both.version], "the best hit alone")
    holds(found.more >= 1, "an answer that left matches out says so")
    for nothing in (probe(), probe("absent"), probe("gree")):
        found = (await store.candidates(scope, LATEST, nothing)).found
        same((list(found.facts), list(found.episodes), found.more), ([], [], 0), f"hits of {nothing.terms}")


async def closed_facts_do_not_starve_a_search(stores: Stores) -> None:
    """However many better matches are not valid, those that are valid are found."""
    store, scope = stores.store, stores.scope()
    for start in range(0, 1200, 400):
        await put(
            store,
            scope,
            second(1 + start),
            *(
                fact(f"tea {i}", "tea", text("tea"), second(1 + start), start=second(1), end=second(2))
                for i in range(start, start + 400)
            ),
        )
    valid = [fact(f"guest {i}", "likes", text("some tea in the garden"), second(2000)) for i in range(3)]
    early = fact("tea early", "tea", text("tea"), second(2000), end=second(1))
    await put(store, scope, second(2000), *valid, early)
    found = (await store.candidates(scope, LATEST, probe("tea", facts=3))).found.facts
    same_members([each.hit.version for each in found], [each.version for each in valid], "what is valid now")
    found = (await store.candidates(scope, view(second(0)), probe("tea", facts=4))).found.facts
    same_members(
        [each.hit.version for each in found],
        [each.version for each in (*valid, early)],
        "what was valid at the beginning",
    )
    some = (await store.candidates(scope, view(second(1)), probe("tea", facts=5))).found
    same(len(some.facts), 5, "as many as asked for, while nearly all are valid")
    holds(some.more >= 1, "more than were asked for")


async def what_is_not_known_yet_does_not_starve_a_search(stores: Stores) -> None:
    """Looking back, later versions and later ended ones are judged before the limit."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "likes", text("some tea in the garden"), second(1))
    await put(store, scope, second(1), old)
    for number in range(2, 42):
        new = fact("Ann", "likes", text("tea"), second(number), id=old.version.id, replaces=[old.version])
        await put(store, scope, second(number), new, superseded=[ending(old)])
        if number == 2:
            first = ended(old, second(2))
        old = new
    later = [fact(f"tea {i}", "tea", text("tea"), second(50)) for i in range(60)]
    await put(store, scope, second(50), *later)
    found = (await store.candidates(scope, view(None, second(1)), probe("tea", facts=1))).found.facts
    same([each.hit.version for each in found], [first.version], "what was known at first")
    found = (await store.candidates(scope, view(NOW, second(41)), probe("tea", facts=10))).found.facts
    same([each.hit.version for each in found], [old.version], "what was known before the last write")
    found = (await store.candidates(scope, LATEST, probe("tea", facts=100))).found.facts
    same(len(found), 61, "what is known now")


async def other_scopes_do_not_starve_a_search(stores: Stores) -> None:
    """Words of another scope are not in the way, and do not weigh."""
    store, scope, other = stores.store, stores.scope("one"), stores.scope("other")
    await put(store, other, second(1), *(fact(f"tea {i}", "tea", text("tea"), second(1)) for i in range(400)))
    mine = fact("Ann", "likes", text("some tea in the garden"), second(1))
    await put(store, scope, second(1), mine)
    found = (await store.candidates(scope, LATEST, probe("tea", facts=1))).found
    same([each.hit.version for each in found.facts], [mine.version], "hits of this scope")
    same(found.more, 0, "matches of this scope that were left out")


async def episodes_are_found_within_the_clocks(stores: Stores) -> None:
    """By their text and the turn before; once they occurred and were recorded."""
    store, scope = stores.store, stores.scope()
    first = episode("Where is the garden", second(10), occurred_at=second(1), session="s", position=1)
    answer = in_context(
        episode(
            "Behind that house", second(20), occurred_at=second(2), session="s", position=2, previous=first.id
        ),
        first.text,
    )
    later = episode("Another garden", second(30), occurred_at=second(3))
    for each in (first, answer, later):
        await put(store, scope, each.recorded_at, episodes=[each])

    async def hits(word: str, as_of: int | None, known_at: int | None, limit: int = 10) -> list[str]:
        moment = view(as_of, known_at)
        found = (await store.candidates(scope, moment, probe(word, episodes=limit))).found
        return [each.hit.text for each in found.episodes]

    same_members(
        await hits("garden", None, None), [first.text, answer.text, later.text], "all that speak of it"
    )
    same_members(
        (await hits("garden", None, None))[:2], [first.text, later.text], "own words before the context's"
    )
    same(await hits("house", None, None), [answer.text], "a word of one turn")
    same_members(await hits("garden", second(2), None), [first.text, answer.text], "what had occurred")
    same(await hits("garden", second(1), None), [first.text], "what had occurred first")
    same(await hits("garden", None, second(10)), [first.text], "what had been recorded first")
    same(await hits("garden", second(0), None), [], "before anything")
    same(await hits("garden", second(1), None, 1), [first.text], "a limit does not count what is out of view")
    (hit,) = (await store.candidates(scope, view(second(1)), probe("garden"))).found.episodes
    same(hit.hit.episode, first, "the episode of a hit")
    same(hit.hit.chunk, first.chunks[0], "the chunk of a hit")


async def chunks_are_found_by_themselves(stores: Stores) -> None:
    """A long episode is found chunk by chunk, each with its own text, cut at bytes."""
    store, scope = stores.store, stores.scope()
    parts = ["Él vive en París. ", "Ella vive en Bogotá. ", "🏡 Fin."]
    chunks, start = [], 0
    for number, part in enumerate(parts, 1):
        end = start + len(part.encode())
        chunks.append(Chunk(number, start, end, f"sha256:{number}", terms_of(part), ""))
        start = end
    long = episode("".join(parts), second(1), chunks=tuple(chunks))
    await put(store, scope, second(1), episodes=[long])
    found = (await store.candidates(scope, LATEST, probe(terms_of("Bogotá"), "fin"))).found.episodes
    same_members([each.hit.text for each in found], parts[1:], "the chunks' own texts")
    same({each.hit.episode.id for each in found}, {long.id}, "their episode")
    anchored = (await store.candidates(scope, LATEST, probe(ids=[long.id]))).found.anchored_episodes
    same([each.text for each in anchored], parts, "all chunks of an episode asked for by id, in order")


async def an_arm_of_zero_is_left_out(stores: Stores) -> None:
    """A limit of 0 asks for nothing."""
    store, scope = stores.store, stores.scope()
    await put(
        store,
        scope,
        second(1),
        fact("Ann", "knows", entity("Bea"), second(1)),
        episodes=[episode("Ann knows Bea", second(1))],
    )
    asked = probe("ann", names=["ann"], facts=0, episodes=0, relations=0)
    found = (await store.candidates(scope, LATEST, asked)).found
    same(
        (list(found.facts), list(found.episodes), list(found.relations), list(found.predicates)),
        ([], [], [], []),
        "arms that were left out",
    )


async def entities_are_matched_by_name(stores: Stores) -> None:
    """By normalised name, by an alias in view, and exactly by anchor."""
    store, scope = stores.store, stores.scope()
    nickname = fact(
        "Elizabeth Baker",
        "also_known_as",
        text("Lizzie B."),
        second(1),
        start=second(10),
        end=second(20),
        alias=normalise_name("Lizzie B."),
    )
    await put(store, scope, second(1), nickname, fact("Éva O'Neil", "likes", text("tea"), second(1)))
    await put(store, scope, second(2), fact("!!!", "likes", text("noise"), second(2)))

    async def named(
        as_of: int, *names: str, anchors: tuple[str, ...] = (), known_at: int | None = None
    ) -> set[str]:
        asked = probe(names=names, entities=anchors)
        found = (await store.candidates(scope, view(second(as_of), known_at), asked)).found
        return {each.name for each in found.entities}

    same(await named(15, "elizabeth baker"), {"Elizabeth Baker"}, "by name, in any case")
    same(await named(15, normalise_name("ÉVA O’NEIL")), {"Éva O'Neil"}, "by name, however it is punctuated")
    same(await named(15, "lizzie b"), {"Elizabeth Baker"}, "by an alias in view")
    same(await named(25, "lizzie b"), set(), "by an alias that no longer holds")
    same(await named(15, "lizzie b", known_at=second(0)), set(), "by an alias that was not known")
    same(await named(15, "baker", "elizabeth", ""), set(), "by parts of a name, or by nothing")
    same(
        await named(15, anchors=("Elizabeth Baker", "elizabeth baker")), {"Elizabeth Baker"}, "by exact name"
    )
    same(await named(15, "éva o neil", "lizzie b"), {"Éva O'Neil", "Elizabeth Baker"}, "by several names")


async def relations_of_named_entities_come_along(stores: Stores) -> None:
    """With a named entity at either end, whenever valid, known at `known_at`, and their predicates."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "knows", entity("Bea"), second(1), end=second(5)),
        fact("Cid", "employs", entity("Ann"), second(1), start=second(50)),
        fact("Ann", "knows", entity("Ann"), second(1)),
        fact("Ann", "age", text("7"), second(1)),
        fact("Bea", "knows", entity("Cid"), second(1)),
    ]
    await put(store, scope, second(1), *rows)
    late = fact("Ann", "knows", entity("Dan"), second(2))
    await put(store, scope, second(2), late)
    asked = probe(names=["ann"])
    found = (await store.candidates(scope, view(second(20)), asked)).found
    expected = [rows[0], rows[1], rows[2], late]
    same_members(
        [each.version for each in found.relations], [each.version for each in expected], "relations of Ann"
    )
    same({each.name for each in found.predicates}, {"knows", "employs"}, "their predicates")
    holds(all(each.citations for each in found.relations), "relations show their sources")
    same(found.more, 0, "relations left out")
    back = (await store.candidates(scope, view(second(20), second(1)), asked)).found
    same_members(
        [each.version for each in back.relations],
        [each.version for each in rows[:3]],
        "relations known before",
    )
    few = (await store.candidates(scope, view(second(20)), asked._replace(relations=2))).found
    same(len(few.relations), 2, "relations under a limit")
    holds(few.more >= 1, "an answer that left relations out says so")


async def anchors_are_fetched_if_in_view(stores: Stores) -> None:
    """Facts and episodes by id, and facts about an entity, newest first."""
    store, scope = stores.store, stores.scope()
    rows = [
        fact("Ann", "likes", text("tea"), second(1), end=second(5)),
        fact("Ann", "likes", text("jam"), second(1)),
        fact("Bea", "knows", entity("Ann"), second(1)),
        fact("Bea", "likes", text("Ann"), second(1)),
    ]
    said = episode("hello", second(1), occurred_at=second(8))
    await put(store, scope, second(1), *rows, episodes=[said])
    newer = fact("Ann", "likes", text("oats"), second(2))
    await put(store, scope, second(2), newer)
    found = (await store.candidates(scope, view(second(9)), probe(entities=["Ann"]))).found
    same_members(
        [each.version for each in found.anchored_facts],
        [newer.version, rows[1].version, rows[2].version],
        "facts in view about an anchored entity",
    )
    same(found.anchored_facts[0].version, newer.version, "the newest of them first")
    found = (await store.candidates(scope, view(second(9)), probe(entities=["Ann"], facts=1))).found
    same([each.version for each in found.anchored_facts], [newer.version], "as many as facts may be returned")
    holds(found.more >= 1, "an answer that left anchored facts out says so")
    ids = [rows[0].version.id, rows[3].version.id, said.id, "fact_none", "ep_none"]
    found = (await store.candidates(scope, view(second(9)), probe(ids=ids))).found
    same([each.version for each in found.anchored_facts], [rows[3].version], "facts in view by id")
    same([each.episode for each in found.anchored_episodes], [said], "episodes in view by id")
    found = (await store.candidates(scope, view(second(4)), probe(ids=ids))).found
    same_members(
        [each.version for each in found.anchored_facts],
        [rows[0].version, rows[3].version],
        "facts that were in view",
    )
    same(list(found.anchored_episodes), [], "episodes that had not occurred")
    found = (
        await store.candidates(scope, view(second(9), second(0)), probe(entities=["Ann"], ids=ids))
    ).found
    same((list(found.anchored_facts), list(found.anchored_episodes)), ([], []), "before anything was known")


async def words_are_no_syntax(stores: Stores) -> None:
    """Words of query languages are words, and what is no word finds nothing and breaks nothing."""
    store, scope = stores.store, stores.scope()
    words = ["and", "or", "not", "near", "to", "0", "007", "x" * 64, "0xe5a4a7"]
    rows = {
        word: fact(f"subject {n}", "says", text(str(n)), second(1))._replace(terms=word)
        for n, word in enumerate(words)
    }
    await put(store, scope, second(1), *rows.values())
    for word in words:
        hits = (await store.candidates(scope, LATEST, probe(word))).found.facts
        same([each.hit.version for each in hits], [rows[word].version], f"hits of {word!r}")
    hostile = [
        '"',
        "*",
        "a*",
        "terms:and",
        "^0",
        "(",
        "and)",
        "\\",
        "-and",
        "+",
        "a b",
        "",
        "ʼ",
        "[0 TO 9]",
        "~1",
        "\0",
    ]
    for word in hostile:
        found = (
            await store.candidates(scope, LATEST, probe(word, names=[word], entities=[word], ids=[word]))
        ).found
        same(list(found.entities), [], f"entities named {word!r}")
    hits = (await store.candidates(scope, LATEST, probe(*hostile, "near"))).found.facts
    holds(rows["near"].version in [each.hit.version for each in hits], "a word among signs is still found")


async def a_long_question_is_searched_whole(stores: Stores) -> None:
    """Hundreds of words, of which the last is said."""
    store, scope = stores.store, stores.scope()
    new = fact("Ann", "likes", text("tea"), second(1))
    await put(store, scope, second(1), new, episodes=[episode("some tea", second(1))])
    found = (await store.candidates(scope, LATEST, probe(*(f"word{i}" for i in range(300)), "tea"))).found
    same(
        [each.hit.version for each in found.facts],
        [new.version],
        "a fact found by the last word of a question",
    )
    same(len(found.episodes), 1, "episodes found by it")


async def ended_versions_leave_the_search(stores: Stores) -> None:
    """What was superseded is found only at a moment that knew it, also by the facts read."""
    store, scope = stores.store, stores.scope()
    old = fact("Ann", "lives", entity("Oslo"), second(1))
    await put(store, scope, second(1), old)
    new = fact("Ann", "lives", entity("Rome"), second(2), replaces=[old.version])
    await put(store, scope, second(2), new, superseded=[ending(old)])
    found = (await store.candidates(scope, LATEST, probe("oslo", "rome"))).found.facts
    same([each.hit.version for each in found], [new.version], "what is found now")
    found = (await store.candidates(scope, view(NOW, second(1)), probe("oslo", "rome"))).found.facts
    same([each.hit.version for each in found], [ended(old, second(2)).version], "what was found before")
    same(len((await store.facts(scope, LATEST, Pattern("Ann"), Slice(5))).found), 1, "facts in view")


CHECKS = (
    any_word_finds,
    closed_facts_do_not_starve_a_search,
    what_is_not_known_yet_does_not_starve_a_search,
    other_scopes_do_not_starve_a_search,
    episodes_are_found_within_the_clocks,
    chunks_are_found_by_themselves,
    an_arm_of_zero_is_left_out,
    entities_are_matched_by_name,
    relations_of_named_entities_come_along,
    anchors_are_fetched_if_in_view,
    words_are_no_syntax,
    a_long_question_is_searched_whole,
    ended_versions_leave_the_search,
)
