"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("anyio", "neo4j", "pydantic", "starlette", "uvicorn")


def machine(command: str) -> dict[str, Any]:
    """The machine, the versions and the command, without anything that names a place or a person."""
    return {
        "command": f"`{command}`",
        "machine": f"{_processor()}, {os.cpu_count()} cores, {_memory()}; {platform.system()} {platform.release()}",
        "versions": ", ".join(
            [
                f"{platform.python_implementation()} {platform.python_version()}",
                f"SQLite {sqlite3.sqlite_version}",
                *(f"{name} {_version(name)}" for name in PACKAGES),
            ]
        ),
    }


def load() -> str:
    """How busy the machine is."""
    return " ".join(f"{each:.1f}" for each in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "memory unknown"
    return f"{size / 2**30:.0f} GiB"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
