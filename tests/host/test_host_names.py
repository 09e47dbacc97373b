"""The front door of the host: every public name leads somewhere, and importing it loads nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from memory_provider import host

SOURCE = ast.parse(Path(str(host.__file__)).read_text(encoding="utf-8"))
SHOWN_TO_TYPE_CHECKERS = [
    alias.name
    for each in ast.walk(SOURCE)
    if isinstance(each, ast.ImportFrom) and each.level == 1
    for alias in each.names
]


def test_type_checkers_and_programs_see_the_same_names() -> None:
    assert sorted(SHOWN_TO_TYPE_CHECKERS) == sorted(host._HOME)
    assert set(host._HOME) <= set(dir(host))


@pytest.mark.parametrize("name", sorted(host._HOME))
def test_every_name_leads_somewhere(name: str) -> None:
    assert getattr(host, name) is not None


def test_another_name_does_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = host.nothing


def test_importing_the_host_loads_none_of_it() -> None:
    check = "import sys, memory_provider.host; print([n for n in sys.modules if n.startswith('memory_provider.host.')])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
