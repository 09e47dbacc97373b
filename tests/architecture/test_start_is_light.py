"""Nothing heavy is imported before it is needed: not by the package, not by `--version`."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "cryptography",
    "neo4j",
    "pydantic",
    "tiktoken",
    "rich",
    "anyio",
    "asyncio",
    "sqlite3",
    "yaml",
    "dateutil",
    "snowballstemmer",
)


@pytest.mark.parametrize(
    "statement",
    [
        "import memory_provider",
        "import sys; sys.argv = ['memory-provider', '--version']\n"
        "from memory_provider.cli import main\n"
        "try: main()\nexcept SystemExit as done: assert not done.code, done.code",
    ],
    ids=["import", "version"],
)
def test_imports_nothing_heavy(statement: str) -> None:
    loaded = f"[name for name in {HEAVY} if name in sys.modules]"
    check = f"{statement}\nimport sys\nassert not {loaded}, {loaded}"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
