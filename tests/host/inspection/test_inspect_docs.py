"""docs/inspect.md shows what happens."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from click import Context

from memory_provider.cli.commands.host.inspect import inspect
from memory_provider.host.inspection.observations import LONGEST_EVIDENCE
from tests.cli.test_readme import ROOT, blocks, run

PAGE = (ROOT / "docs" / "inspect.md").read_text(encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """A checkout that is somebody's home, where this interpreter's programs are found first."""
    for name in ("seeds", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {"HOME": str(tmp_path), "PATH": programs, "PYTHONPATH": str(ROOT)}


def test_its_commands(home: dict[str, str]) -> None:
    [commands] = blocks(PAGE, "sh")
    done = run(["sh", "-ec", commands], home)
    assert done.returncode == 0, done
    table, _, shown = done.stdout.partition("\n{")
    report = json.loads("{" + shown)
    assert re.search(r"^B1 +MUST +met ", table, re.MULTILINE)
    assert len(report["requirements"]) == 82
    assert "0 broken" in done.stderr


def test_its_python(home: dict[str, str]) -> None:
    [program], [printed] = blocks(PAGE, "python"), blocks(PAGE, "text")
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)


def test_its_numbers_and_options() -> None:
    assert f"cut to {LONGEST_EVIDENCE} bytes" in PAGE
    [row] = re.findall(
        r"^\| `host inspect ADDRESS` \|.*$", (ROOT / "docs" / "cli.md").read_text(), re.MULTILINE
    )
    options = set(re.findall(r"--[a-z-]+", inspect.get_help(Context(inspect)))) - {"--help", "--json"}
    assert options - {"--provider"} == set(re.findall(r"--[a-z-]+", row))
