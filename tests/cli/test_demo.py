"""The first thing people run: what it shows is true, and the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from .terminal import Terminal


def test_what_it_shows(terminal: Terminal) -> None:
    said = terminal.bare("demo")
    assert (said.code, said.err) == (0, "")
    told = terminal.bare("demo", "--json").json
    as_of, known_at, trust = told["chapters"]
    assert [each["answer"] for each in as_of["asked"]] == [
        ["Alice lives in Paris (from 2019-01-01 until 2024-03-01)"],
        ["Alice lives in Lyon (since 2024-03-01)"],
    ]
    assert [each["answer"] for each in known_at["asked"]] == [
        ["Alice lives in Paris (from 2019-01-01 until 2024-04-01)"],
        ["Alice lives in Lyon (since 2024-03-01)"],
        ["Alice is allergic to peanuts (since 2024-02-10)"],
        ["nothing found"],
    ]
    assert [each["answer"][0].split(":")[0] for each in trust["asked"][1:]] == ["valid", "stale", "gone"]
    for chapter in told["chapters"]:
        for asked in chapter["asked"]:
            assert f"$ memory-provider {asked['command']}\n" in said.out
            assert all(line in said.out for line in asked["answer"])


def test_it_is_short_and_always_the_same(terminal: Terminal) -> None:
    first, second = terminal.bare("demo").out, terminal.bare("demo").out
    assert first == second
    lines = first.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 100


def test_it_leaves_nothing_behind(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("MEMORY_STORE", f"sqlite:///{tmp_path / 'mine.db'}")
    assert terminal.bare("demo").code == 0
    assert list(tmp_path.iterdir()) == []


def test_its_commands_can_be_typed(terminal: Terminal, tmp_path: Path) -> None:
    """With --keep, each command that it shows answers what it shows."""
    kept = tmp_path / "demo.db"
    terminal.bare("demo", "--keep", str(kept))
    told = terminal.bare("demo", "--json").json
    for chapter in told["chapters"][:2]:
        for asked in chapter["asked"]:
            said = terminal.bare(
                "--store", f"sqlite:///{kept}", "--scope", "demo", *asked["command"].split(), "--json"
            )
            assert [each["content"] for each in said.json["facts"]] or asked["answer"] == ["nothing found"]
            if said.json["facts"]:
                assert [each["content"] for each in said.json["facts"]] == asked["answer"]
