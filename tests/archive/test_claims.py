"""What one standing fact says anew."""

from __future__ import annotations

from memory_provider.archive.claims import Renewal
from memory_provider.store.records import ObjectValue, SourceLink, Version
from memory_provider.temporal.instants import OPEN, PAST

RENEWAL = Renewal(b"secret", "scope")


def version(start: int, end: int) -> Version:
    tea = ObjectValue("text", "tea")
    return Version("fact_1", "Ann", "likes", tea, start, end, 5, OPEN, "Ann likes tea", "", "assert")


def link(start: int, end: int) -> SourceLink:
    return SourceLink(
        *("src_1", "clm_1", "fact_1", None, None, None, None, "user", "stated", 0.5),
        *(PAST, OPEN, start, end, 3, 3),
    )


def windows(start: int, end: int, *links: SourceLink) -> list[tuple[object, object, str | None]]:
    claims = RENEWAL.claims(version(start, end), links)
    return [(each.valid_from, each.valid_to, each.source.by) for each in claims]


def test_each_source_speaks_for_what_it_covers() -> None:
    assert windows(10, 20, link(10, 15), link(12, 20)) == [(10, 15, "user"), (12, 20, "user")]


def test_no_source_speaks_for_more_than_the_fact_holds() -> None:
    assert windows(10, 20, link(PAST, 30)) == [(10, 20, "user")]
    assert windows(10, 20, link(30, 40)) == [(10, 20, None)]


def test_what_no_source_covers_is_not_lost() -> None:
    assert windows(PAST, OPEN, link(10, 20)) == [(10, 20, "user"), (PAST, 10, None), (20, OPEN, None)]


def test_keys_and_ids_depend_on_the_row_and_the_place_alone() -> None:
    (one,) = RENEWAL.claims(version(10, 20), [link(10, 20)])
    (same,) = Renewal(b"secret", "scope").claims(version(10, 20), [link(10, 20)])
    (other,) = RENEWAL.claims(version(10, 19), [link(10, 20)])
    assert one.idempotency_key == same.idempotency_key != other.idempotency_key
    assert RENEWAL.episode_id("ep_1") == Renewal(b"secret", "scope").episode_id("ep_1")
    assert RENEWAL.episode_id("ep_1") != Renewal(b"secret", "other").episode_id("ep_1")
    assert RENEWAL.episode_id("ep_1") != Renewal(b"other", "scope").episode_id("ep_1")
