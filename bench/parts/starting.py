"""Starting: a process for `--version`, and one that answers a handshake, beside bare Pythons."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ..measuring import Effort, compare
from ..results import Row, compared

PART = "Starting"
HANDSHAKE = b'{"type": "handshake", "protocol_version": "contextgraph/1.0"}\n'
SCRIPT = "import sys\nfrom memory_provider.cli import main\nsys.exit(main())\n"
"""What an installed console script says."""

HEAVY = (
    "neo4j",
    "pydantic",
    "anyio",
    "asyncio",
    "sqlite3",
    "tiktoken",
    "rich",
    "click",
    "yaml",
    "dateutil",
    "logging",
)


async def run(effort: Effort) -> AsyncIterator[Row]:
    """Both starts, and what they import."""
    with TemporaryDirectory(prefix="bench-") as place:
        program = _script(place)
        version = [sys.executable, str(program), "--version"]
        serve = [sys.executable, str(program), "--store", f"sqlite:///{place}/memory.db", "serve", "stdio"]

        async def started(command: list[str]) -> None:
            _start(command, place)

        async def shaken(command: list[str]) -> None:
            _handshake(command, place)

        bare = [sys.executable, "-c", "pass"]
        found = await compare(started, started, [version], effort, [bare])
        yield compared(
            PART, "", "`--version`, beside `python -c pass`", found, "<= 2", _imported(version, place)
        )
        imports = [sys.executable, "-c", "import pydantic, anyio"]
        found = await compare(shaken, started, [serve], effort, [imports])
        yield compared(
            PART,
            "",
            'a handshake answered, beside `python -c "import pydantic, anyio"`',
            found,
            "<= 1.5",
            _imported(serve, place),
        )


def _script(place: str) -> Path:
    program = Path(place, "memory-provider")
    program.write_text(SCRIPT)
    return program


def _start(command: list[str], place: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=place, env=environment())


def _handshake(command: list[str], place: str) -> str:
    """Start, shake hands, read the answer, say goodbye; what was written to stderr."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place,
        env=environment(),
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(HANDSHAKE)
        process.stdin.flush()
        answer = process.stdout.readline()
        process.kill()
        if b"handshake_ack" not in answer:
            raise RuntimeError(f"no handshake: {answer!r}")
        return process.stderr.read().decode()


def environment() -> dict[str, str]:
    """That of this process, in which this package is found from anywhere."""
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def _imported(command: list[str], place: str) -> str:
    """The heavy modules a start imports, and the packages it spends most on."""
    traced = [command[0], "-X", "importtime", *command[1:]]
    if "serve" in command:
        told = _handshake(traced, place)
    else:
        told = subprocess.run(
            traced, capture_output=True, text=True, check=True, cwd=place, env=environment()
        ).stderr
    spent: dict[str, int] = {}
    for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", told):
        package = name.partition(".")[0]
        spent[package] = spent.get(package, 0) + int(own)
    heavy = ", ".join(name for name in HEAVY if name in spent) or "none"
    most = sorted(spent, key=lambda name: -spent[name])[:4]
    return f"heavy imports: {heavy}; most spent on {', '.join(f'{name} {spent[name] / 1000:.0f} ms' for name in most)}"
