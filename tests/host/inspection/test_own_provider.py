"""This project's provider keeps every requirement that can be seen, over both transports."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from memory_provider.host.inspection import Report, Status, inspect_provider
from tests.transports.http.server import Server

from .pantry import GOAL, write_pantry

OF_NOBODY = {"C3", "U4", "LX4", "LO-ID3", "LO-ID4"}
"""What cannot be seen of any provider."""
BY_WRITING = {"LR2", "LO-ID1", "LO-ID2"}
"""What only writing shows."""


def ids(report: Report, status: Status) -> set[str]:
    return {each.requirement.id for each in report.of(status)}


def assert_passes(report: Report, unseen: set[str] = OF_NOBODY) -> None:
    broken = report.of(Status.BROKEN)
    assert not broken, [(each.requirement.id, each.evidence[0]) for each in broken]
    assert report.passes(strict=True)
    assert report.name == "memory-provider"
    assert ids(report, Status.NOT_OBSERVED) == unseen  # so the run is not vacuous


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_over_stdio(tmp_path: Path, anyio_backend: str) -> None:
    store, key = await write_pantry(tmp_path)
    command = [sys.executable, "-m", "memory_provider", "--store", store, "--scope", "kitchen"]
    address = f"stdio: {shlex.join([*command, 'serve', 'stdio', '--key', key])}"
    report = await inspect_provider(address, goal=GOAL)
    assert_passes(report, OF_NOBODY | BY_WRITING)
    assert report.transport == "stdio"
    assert ids(report, Status.NOT_APPLICABLE) == {"T4", "E1p"}  # HTTP; embeddings


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_over_http(tmp_path: Path, anyio_backend: str) -> None:
    store, key = await write_pantry(tmp_path)
    with Server(store, "kitchen", "--insecure-no-auth", "--key", key) as server:
        report = await inspect_provider(server.url, goal=GOAL, writes=True)
    assert_passes(report)
    assert report.transport == "http"
    assert ids(report, Status.NOT_APPLICABLE) == {"T1", "E1p"}
