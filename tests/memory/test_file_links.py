"""Files as sources keep the protocol's grammar for digests (F5) and ranges (F17)."""

from __future__ import annotations

from hashlib import sha256

import pytest

from memory_provider import Memory
from memory_provider.memory.writing.operations import File
from memory_provider.temporal.errors import InvalidInput

pytestmark = pytest.mark.anyio

DIGEST = f"sha256:{sha256(b'line').hexdigest()}"
URI = "file:///notes.txt"


@pytest.mark.parametrize("range", [None, "L1", "L10", "L2-2", "L3-12"])
async def test_a_range_of_lines_comes_back_as_it_was(memory: Memory, range: str | None) -> None:
    await memory.assert_fact("kettle", "made of", "copper", file=File(URI, DIGEST, range))
    [frame] = (await memory.at().recall("kettle")).frames
    [link] = frame.provenance
    assert (link.type, link.uri, link.digest, link.range) == ("file", URI, DIGEST, range)


@pytest.mark.parametrize(
    "range",
    [
        "",
        "L",
        "L0",
        "L01",
        "L1-",
        "L-2",
        "L1-0",
        "L3-2",
        "L1-02",
        "l1",
        "1",
        "1-2",
        "L1,L3",
        "L1-L2",
        " L1",
        "L1\n",
        "L１",
    ],
)
async def test_F17_a_range_against_the_grammar_is_refused(memory: Memory, range: str) -> None:
    with pytest.raises(InvalidInput, match="range"):
        await memory.assert_fact("kettle", "made of", "copper", file=File(URI, DIGEST, range))
    assert (await memory.at().recall("kettle")).frames == []


@pytest.mark.parametrize(
    "digest",
    [
        "",
        DIGEST.upper(),
        DIGEST[7:],
        DIGEST[:-1],
        f"{DIGEST}0",
        f"md5:{'0' * 32}",
        f"sha256:{'g' * 64}",
        f"{DIGEST}\n",
    ],
)
async def test_F5_a_digest_against_the_grammar_is_refused(memory: Memory, digest: str) -> None:
    with pytest.raises(InvalidInput, match="digest"):
        await memory.assert_fact("kettle", "made of", "copper", file=File(URI, digest))
    assert (await memory.at().recall("kettle")).frames == []
