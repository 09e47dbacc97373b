"""Any text is only text: kept to the byte, found by its exact name, never taken for syntax."""

from __future__ import annotations

from ..contract import Erasable, Erasure, Needs, Pattern, Selection, Slice
from ..names import normalise_name
from ..records import IdempotencyRecord, Key, Tombstone
from .claiming import same
from .rows import LATEST, declared, entity, episode, fact, link, load, probe, put, second, text
from .stores import Stores

TEXTS = (
    "nul\0inside",
    "\0",
    "👩‍👩‍👧 family 🏡",
    "quote ' double \" back ` slash \\ percent % under_score",
    "'; DROP TABLE facts; --",
    "$scope {name: 1} `n` // comment /* more */",
    '"phrase" AND (a OR b) NOT c NEAR/2 title:x ^3 ~0.5 [a TO b] *',
    "tab\tnew\nline\r\ncarriage",
    "e\u0301 is not \u00e9",
    "עברית العربية 日本語 हिन्दी",
    "  leading and trailing  ",
    "\u200bzero width\ufeff",
    "null",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U0010fffd",
)
"""Texts that have broken stores."""

LONGEST = ("n" * 1024, "é" * 512, "🏡" * 256)
"""Names of exactly 1,024 bytes."""


async def any_text_is_kept(stores: Stores) -> None:
    """As subject, predicate, object, statement and in every other place a text may stand."""
    store = stores.store
    for number, odd in enumerate((*TEXTS, *LONGEST)):
        scope = stores.scope(f"{number} {odd}"[:200])
        said = episode(f"{odd} {odd}", second(1), source=odd, speaker=odd, session=odd, position=1)
        rows = [
            fact(odd, odd, text(odd), second(1), statement=odd, alias=normalise_name(odd)),
            fact(odd, "to", entity(odd), second(1)),
        ]
        links = [
            link(each, episode_id=said.id, file_uri=odd, file_digest=odd, file_range=odd, by=odd)
            for each in rows
        ]
        record = IdempotencyRecord(odd, odd, second(1), None, odd, (odd,), (odd,))
        label = declared(odd)._replace(label=odd, inverse_label=odd)
        await put(
            store,
            scope,
            second(1),
            *rows,
            links=links,
            episodes=[said],
            predicates=[label],
            idempotency=[record],
        )
        for pattern in (Pattern(odd), Pattern(odd, odd), Pattern(None, odd), Pattern(object=text(odd))):
            found = (await store.facts(scope, LATEST, pattern, Slice(9))).found
            kept = {each.version for each in found}
            same(rows[0].version in kept, True, f"a fact of {odd!r}, asked for by {pattern!r}")
        found = (await store.facts(scope, LATEST, Pattern(odd, odd), Slice(9))).found
        same(list(found[0].sources), links[:1], f"the sources of {odd!r}")
        same(list(await store.episodes(scope, [said.id])), [said], f"an episode of {odd!r}")
        loaded = await load(store, scope, Needs([Key(odd, odd)], [odd], [odd], [], [odd], [odd], [odd]))
        same([each.subject for each in loaded.versions], [odd], f"the key {odd!r}")
        same((set(loaded.entities), loaded.predicates), ({odd}, {odd: label}), f"the names {odd!r}")
        same((set(loaded.sessions), loaded.idempotency), ({odd}, {odd: record}), f"the records {odd!r}")
        walked = (await store.neighbourhood(scope, LATEST, odd, 2, 9)).found
        same([each.version for each in walked.relations], [rows[1].version], f"relations of {odd!r}")
        asked = probe(odd, names=[normalise_name(odd), odd], entities=[odd], ids=[odd])
        hits = (await store.candidates(scope, LATEST, asked)).found
        same([each.name for each in hits.entities], [odd], f"the entity {odd!r} as anchor")
        same(
            [each.name for each in await store.scopes() if each.name == scope], [scope], f"a scope of {odd!r}"
        )
        same(list(await store.inspect(scope)), [], f"what is wrong with {odd!r}")


async def any_text_can_be_erased(stores: Stores) -> None:
    """By subject, object and entity; the reason is kept as given."""
    store, scope = stores.store, stores.scope()
    for number, odd in enumerate(TEXTS, 1):
        new = fact(odd, "says", text(odd), second(2 * number))
        await put(store, scope, second(2 * number), new)

        def plan(found: Erasable, odd: str = odd, at: int = second(2 * number + 1)) -> Erasure:
            stones = [Tombstone(each, "fact", at, odd, odd) for each in found.matched]
            return Erasure(at, facts=found.matched, tombstones=stones)

        await store.erase(scope, Selection(subject=odd, object=text(odd)), plan, dry_run=False)
        (stone,) = await store.tombstones(scope, [new.version.id])
        same((stone.reason, stone.by), (odd, odd), f"why {odd!r} was erased")
        same(
            list((await store.facts(scope, LATEST, Pattern(), Slice(9))).found),
            [],
            f"facts after erasing {odd!r}",
        )


async def long_texts_are_kept(stores: Stores) -> None:
    """Objects of 64 KiB and episodes of a megabyte."""
    store, scope = stores.store, stores.scope()
    long = "wide 🏡 " * 7000
    huge = "a long day\n" * 100_000
    new = fact("Ann", "wrote", text(long), second(1), statement=f"Ann wrote {long}")
    said = episode(huge, second(1))
    await put(store, scope, second(1), new, episodes=[said])
    found = (await store.facts(scope, LATEST, Pattern("Ann"), Slice(9))).found
    same(found[0].version == new.version, True, "a fact with a long object")
    found = (await store.facts(scope, LATEST, Pattern(object=text(long)), Slice(9))).found
    same(len(found), 1, "a fact asked for by its long object")
    (kept,) = await store.episodes(scope, [said.id])
    same(kept.text == huge, True, "a long episode")
    hits = (await store.candidates(scope, LATEST, probe("day"))).found.episodes
    same([each.hit.text == huge for each in hits], [True], "a long episode, found")


CHECKS = (any_text_is_kept, any_text_can_be_erased, long_texts_are_kept)
