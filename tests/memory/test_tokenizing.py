"""Token counts come from tiktoken where its vocabulary is at hand, and never from a network."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.memory.evidence.frames import Canonical
from memory_provider.memory.text import tokenizing
from memory_provider.memory.text.tokenizing import REFERENCE, TokenCount, token_counter

LONG = "The kettle whistles at noon, and nobody minds. " * 20


@pytest.fixture(autouse=True)
def unlearned(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No counter kept from before or after, and no network."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    token_counter.cache_clear()
    yield
    token_counter.cache_clear()


async def compact(memory: Memory) -> Canonical:
    await memory.add_episode(LONG, occurred_at="2026-01-01T00:00:00Z")
    found = await memory.at().recall("kettle", representations=["compact"])
    assert found.frames[0].canonical
    return found.frames[0].canonical


@pytest.mark.anyio
async def test_a_count_is_of_the_whole_content() -> None:
    count = token_counter()
    assert count
    assert count("The kettle whistles at noon.") == TokenCount(7, "tiktoken/cl100k_base")
    assert count("<|endoftext|>") == TokenCount(7, REFERENCE), "text is text"
    assert count("x" * (tokenizing.LONGEST + 1)) is None
    async with Memory.open("memory:") as memory:
        canonical = await compact(memory)
        assert canonical.cost == count(LONG)


@pytest.mark.parametrize(
    "environment",
    [{"TIKTOKEN_CACHE_DIR": "empty"}, {"TIKTOKEN_CACHE_DIR": ""}, {"DATA_GYM_CACHE_DIR": "empty"}],
)
@pytest.mark.anyio
async def test_without_a_vocabulary_the_count_is_left_out(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, str(tmp_path) if value else "")
    monkeypatch.setattr(tokenizing, "OFFLINE", "a package that is not installed")
    assert token_counter() is None
    async with Memory.open("memory:") as memory:
        assert (await compact(memory)).cost is None


def test_a_vocabulary_in_the_cache_serves_and_a_broken_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tiktoken_ext

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizing, "OFFLINE", "a package that is not installed")
    shipped = next(
        file for place in tiktoken_ext.__path__ for file in Path(place).rglob("cl100k_base.tiktoken")
    )
    cached = tmp_path / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
    cached.write_bytes(shipped.read_bytes()[:-1])
    assert token_counter() is None
    assert cached.exists(), "tiktoken would have thrown it away and asked for another"
    cached.write_bytes(shipped.read_bytes())
    token_counter.cache_clear()
    count = token_counter()
    assert count
    assert count("The kettle whistles at noon.") == TokenCount(7, REFERENCE)


@pytest.mark.parametrize("missing", [None, "broken"])
@pytest.mark.anyio
async def test_without_tiktoken_nothing_is_missed_but_the_count(
    missing: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", missing)
    assert token_counter() is None
    async with Memory.open("memory:") as memory:
        assert (await compact(memory)).cost is None


def test_it_is_loaded_when_something_is_counted() -> None:
    program = (
        "import sys, anyio\n"
        "from memory_provider import Memory\n"
        "async def ask():\n"
        "    async with Memory.open('memory:') as memory:\n"
        f"        await memory.add_episode({LONG!r})\n"
        "        for accepted in (['full'], ['compact']):\n"
        "            await memory.at().recall('kettle', representations=accepted)\n"
        "            print('tiktoken' in sys.modules)\n"
        "anyio.run(ask)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"]
