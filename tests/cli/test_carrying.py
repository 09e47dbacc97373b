"""Files in and out: archives through pipes, seeds by name, progress where somebody can see it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from .terminal import Terminal


def test_an_archive_through_pipes(terminal: Terminal) -> None:
    terminal.done("seed", "seeds/conformance.jsonl")
    archive = terminal.done("export", "-")
    copy = Terminal(terminal.monkeypatch, terminal.store, "copy")
    assert copy("import", "-", typed=archive.out).code == 0
    assert copy.json("history") == terminal.json("history") | {"scope": "copy"}
    assert terminal("export", "-", "--json").code == 2


def test_a_damaged_archive(terminal: Terminal, tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    terminal.done("seed", "seeds/conformance.jsonl")
    terminal.done("export", str(archive))
    archive.write_text(archive.read_text().replace("harbour wall", "harbour mall", 1))
    copy = Terminal(terminal.monkeypatch, terminal.store, "copy")
    said = copy("import", str(archive))
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert copy("history").code == 1


def test_an_archive_into_a_scope_with_other_history(terminal: Terminal, tmp_path: Path) -> None:
    terminal.done("seed", "seeds/conformance.jsonl")
    terminal.done("export", str(tmp_path / "archive.jsonl"))
    other = Terminal(terminal.monkeypatch, terminal.store, "other")
    other.done("assert", "x", "p", "a")
    refused = other("import", str(tmp_path / "archive.jsonl"))
    assert (refused.code, refused.err.count("\n")) == (4, 1)
    restamped = other.json("import", str(tmp_path / "archive.jsonl"), "--restamp")
    assert restamped["restamped"]
    assert len(other.json("facts")["facts"]) == 7


def test_seeds_that_ship_are_found_by_name(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    said = terminal("seed", "conformance.jsonl")
    assert said.code == 0
    assert "ships with this package" in said.err
    (tmp_path / "northgate.jsonl").write_text("")
    assert terminal.json("seed", "northgate.jsonl")["facts"] == 0
    assert terminal("seed", "../seeds/conformance.jsonl").code == 2


def test_what_is_wrong_in_a_file_has_a_line_each(terminal: Terminal, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"type": "poem"}\n\nnonsense\n')
    said = terminal("seed", str(bad))
    assert said.code == 2
    first, second = said.err.splitlines()
    assert first.startswith(f"error: {bad}:1: type is 'poem'")
    assert second.startswith(f"error: {bad}:3: not JSON")
    assert terminal("changes").code == 1


def test_progress_is_shown_at_a_terminal_alone(terminal: Terminal) -> None:
    command = [sys.executable, "-m", "memory_provider", "--store", terminal.store, "--scope", "test"]
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*command, "seed", "seeds/noor.yaml", "--json"], stdout=subprocess.PIPE, stderr=theirs, timeout=120
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    assert done.returncode == 0
    assert b"writing" in shown
    assert done.stdout.startswith(b"{")
    quiet = terminal.done("seed", "seeds/noor.yaml")
    assert "writing" not in quiet.err


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # nobody has the other end any more
        return b""
