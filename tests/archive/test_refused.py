"""A scope with history of its own takes no archive, unless told to restamp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.archive import export_scope, import_archive
from memory_provider.store.errors import ScopeNotEmpty
from tests.archive.answering import rows
from tests.archive.rich_histories import write_rich


@pytest.fixture
async def archive(anyio_backend: str, tmp_path: Path) -> Path:
    """An archive."""
    path = tmp_path / "archive.jsonl"
    async with Memory.open("memory:", scope="exported") as memory:
        await write_rich(memory, 10, 15)
        await export_scope(memory, path)
    return path


async def refused(memory: Memory, archive: Path) -> None:
    before = await rows(memory)
    with pytest.raises(ScopeNotEmpty, match="restamp"):
        await import_archive(memory, archive)
    assert await rows(memory) == before


async def test_other_history(store_address: str, scope: str, archive: Path) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await memory.assert_fact("Ann", "likes", "tea", valid_from=None)
        await refused(memory, archive)


async def test_much_other_history(store_address: str, scope: str, archive: Path) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await write_rich(memory, 11, 40)
        await refused(memory, archive)


async def test_later_history(store_address: str, scope: str, archive: Path) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await import_archive(memory, archive)
        await memory.add_episode("And then?")
        await refused(memory, archive)


async def test_a_later_end_of_something_imported(store_address: str, scope: str, archive: Path) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await import_archive(memory, archive)
        fact = (await memory.at().facts())[0]
        await memory.retract_fact(fact.subject, fact.predicate, valid_from=None)
        await refused(memory, archive)


async def test_only_a_declaration(store_address: str, scope: str, archive: Path) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await memory.define_predicate("colour")
        await refused(memory, archive)


async def test_only_a_clock(store_address: str, scope: str, archive: Path) -> None:
    """Nothing is left, but time went on: what is imported would be older than what was known."""
    async with Memory.open(store_address, scope=scope) as memory:
        receipt = await memory.add_episode("Forget this.")
        await memory.erase(episode=receipt.episode_id, reason="asked to")
        await refused(memory, archive)


async def test_another_scope_of_the_store_does_not_matter(
    store_address: str, scope: str, archive: Path
) -> None:
    async with Memory.open(store_address, scope=scope) as memory:
        await memory.add_episode("Hello.")
        other = Memory(memory.store, f"{scope}/other")
        await import_archive(other, archive)
        assert [each.text for each in await memory.store.episodes(scope, await _episodes(memory))] == [
            "Hello."
        ]


async def _episodes(memory: Memory) -> list[str]:
    return [each.id for each in (await rows(memory))["episodes"]]


async def test_somebody_writes_just_before_the_first_batch(
    store_address: str, scope: str, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store itself looks again, under its lock: nothing of the archive is written."""
    async with Memory.open(store_address, scope=scope) as memory:
        restore = memory.store.restore

        async def late(*arguments: Any, **options: Any) -> None:
            if options["first"]:
                await memory.add_episode("I was first.")
            await restore(*arguments, **options)

        monkeypatch.setattr(memory.store, "restore", late)
        with pytest.raises(ScopeNotEmpty):
            await import_archive(memory, archive)
        found = await rows(memory)
        assert [each.text for each in found["episodes"]] == ["I was first."]
        assert not found["versions"]
