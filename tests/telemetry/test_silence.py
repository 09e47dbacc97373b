"""Without OpenTelemetry nothing of it is imported, and everything works."""

from __future__ import annotations

import subprocess
import sys

import pytest

USE = """
import sys
import anyio
from memory_provider import Memory

async def main() -> None:
    async with Memory.open("memory:", scope="s") as memory:
        await memory.assert_fact("Alice", "likes", "tea")
        found = await memory.at().recall("what does Alice like?", explain=True)
        assert [frame.content[:16] for frame in found.frames] == ["Alice likes tea "]
        async for batch in memory.store.dump("s", 10):
            pass

anyio.run(main, backend="{backend}")
assert not [name for name in sys.modules if name.startswith("opentelemetry.")]
"""
UNINSTALLED = "import sys\nsys.modules['opentelemetry'] = None  # type: ignore[assignment]\n"
API_ALONE = "import opentelemetry.trace\n"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("before", ["", UNINSTALLED], ids=["unused", "not-installed"])
def test_nothing_is_imported_that_nobody_asked_for(before: str, backend: str) -> None:
    program = before + USE.replace("{backend}", backend)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_api_without_an_sdk_is_enough() -> None:
    program = API_ALONE + USE.replace("{backend}", "asyncio").rpartition("assert not")[0]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
