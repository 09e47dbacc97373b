"""Both clocks and verification over the wire, while another process (this one) writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Entity
from memory_provider.provider import KNOWN_AT
from memory_provider.sync import Memory

from .host import Host

APRIL, MAY, JUNE, JULY = (f"2026-0{month}-01T00:00:00Z" for month in (4, 5, 6, 7))

Verdicts = Callable[[list[dict[str, Any]]], list[tuple[str, str | None]]]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[tuple[Memory, Host]]:
    """A memory, and a provider process on the same file."""
    store, scope = f"sqlite:///{tmp_path / 'memory.db'}", "acme/alice"
    with Memory.open(store, scope=scope) as memory, Host(store, scope) as host:
        yield memory, host


def frames_of(host: Host, **members: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = host.query("where does Alice live", id="q", **members)["result"]["frames"]
    return found


def verify(host: Host, frames: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    held = [
        {"provider_id": "memory", "frame_id": frame["id"], "content_digest": frame["content_digest"]}
        for frame in frames
    ]
    reply = host.ask({"type": "verify", "request": {"frames": held}})
    assert [verdict["frame"] for verdict in reply["response"]["verdicts"]] == held
    return [(each["status"], each.get("replacement_digest")) for each in reply["response"]["verdicts"]]


def test_what_was_held_goes_from_valid_to_stale_to_gone(home: tuple[Memory, Host]) -> None:
    memory, host = home
    memory.define_predicate("lives_in", cardinality="one", object="entity", label="lives in")
    said = memory.add_episode("Alice: we moved to Lyon!", occurred_at=APRIL, speaker="Alice")
    memory.assert_fact("Alice", "lives_in", Entity("Lyon"), valid_from=APRIL, episode=said.episode_id)
    held = frames_of(host, as_of=JUNE)
    assert {frame["kind"] for frame in held} == {"fact", "episode", "graph"}
    assert {verdict for verdict, _ in verify(host, held)} == {"valid"}

    memory.assert_fact("Alice", "lives_in", Entity("Rome"), valid_from=JULY)
    now = {frame["id"]: frame["content_digest"] for frame in frames_of(host, as_of=JUNE)}
    for frame, (status, replacement) in zip(held, verify(host, held), strict=True):
        if frame["kind"] == "episode":
            assert (status, replacement) == ("valid", None)
        else:
            assert (status, replacement) == ("stale", now[frame["id"]])

    memory.erase(entity="Alice", reason="asked to")
    assert {verdict for verdict, _ in verify(host, held)} == {"gone"}
    assert frames_of(host, as_of=JUNE) == []
    assert frames_of(host, as_of=JUNE, **{KNOWN_AT: MAY}) == []


def test_an_identity_of_another_scope_is_unknown(home: tuple[Memory, Host], tmp_path: Path) -> None:
    memory, host = home
    memory.assert_fact("Alice", "lives_in", "Lyon", valid_from=APRIL)
    held = frames_of(host)
    assert {verdict for verdict, _ in verify(host, held)} == {"valid"}
    with Host(f"sqlite:///{tmp_path / 'memory.db'}", "acme/bob") as other:
        assert {verdict for verdict, _ in verify(other, held)} == {"unknown"}
        assert frames_of(other, anchors=[frame["uri"] for frame in held]) == []


def test_what_was_known_at_an_instant(home: tuple[Memory, Host]) -> None:
    memory, host = home
    memory.define_predicate("lives_in", cardinality="one", object="text", label="lives in")
    memory.assert_fact("Alice", "lives_in", "Paris", valid_from="2026-01-01T00:00:00Z", recorded_at=APRIL)
    memory.correct_fact("Alice", "lives_in", "Lyon", valid_from="2026-03-01T00:00:00Z", recorded_at=JUNE)

    def contents(known_at: str | None = None, **members: Any) -> list[str]:
        given = {} if known_at is None else {KNOWN_AT: known_at}
        return [frame["content"] for frame in frames_of(host, **members, **given)]

    lyon, paris = "Alice lives in Lyon (since 2026-03-01)", "Alice lives in Paris (since 2026-01-01)"
    assert contents(as_of=MAY) == [lyon]
    assert contents(MAY, as_of=MAY) == [paris]
    assert contents(APRIL, as_of=MAY) == [paris]
    assert contents("2026-03-31T23:59:59.9999999Z", as_of=MAY) == []
    assert contents("2026-03-31T23:59:60Z", as_of=MAY) == [paris]
    assert contents("2026-05-31T23:59:59.9999999Z", as_of=MAY) == [paris]
    assert contents(JUNE, as_of=MAY) == [lyon]
    assert contents("2026-06-01T00:00:00.0000009Z", as_of=MAY) == [lyon]
    assert contents("9999-12-31T23:59:60Z", as_of=MAY) == [lyon]
    assert contents("0000-06-01T00:00:00Z", as_of=MAY) == []
    assert contents("0001-01-01T00:00:00Z", as_of=MAY) == []
    assert contents(MAY, as_of="2026-02-01T00:00:00Z") == [paris]
    assert contents(JULY, as_of="2026-02-01T00:00:00Z") == [
        "Alice lives in Paris (from 2026-01-01 until 2026-03-01)"
    ]
    reply = host.query("x", id="bad", **{KNOWN_AT: "June"})
    assert (reply["code"], reply["id"]) == ("bad_request", "bad")


def test_nothing_was_known_in_year_0(home: tuple[Memory, Host]) -> None:
    memory, host = home
    first = "0001-01-01T00:00:00Z"
    memory.assert_fact("Alice", "lives in", "Eden", valid_from=None, recorded_at=first)
    assert frames_of(host, as_of=first, **{KNOWN_AT: first})
    assert frames_of(host, as_of="0000-01-01T00:00:00Z", **{KNOWN_AT: first})
    assert frames_of(host, **{KNOWN_AT: "0000-12-31T23:59:59.999999Z"}) == []


def test_a_write_is_seen_by_the_next_question(home: tuple[Memory, Host]) -> None:
    memory, host = home
    assert frames_of(host) == []
    for number in range(5):
        memory.assert_fact("Alice", "lives_in", f"house {number}")
        assert len(frames_of(host, kinds=["fact"])) == number + 1
