"""What is printed: it fits, it cannot steer a terminal, and it survives any encoding."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_provider.cli.output import one_line, printable

from .terminal import Terminal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain — ünïcode 雪", "plain — ünïcode 雪"),
        ("a\x1b[31mred\x07", "a\\x1b[31mred\\x07"),
        ("a\rb\x00", "a\\x0db\\x00"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("right\u202eto left", "right\\u202eto left"),
        ("a\u2028b", "a\\u2028b"),
        ("👩\u200d🚀 e\u0301", "👩\u200d🚀 e\u0301"),
    ],
)
def test_text_cannot_steer_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert "\n" not in one_line(text)


def test_stored_text_cannot_either(terminal: Terminal) -> None:
    terminal.done("assert", "x\x1b]0;title\x07", "p", "\x1b[2Ja")
    terminal.done("remember", "\x1b[2J said", "--speaker", "\x1b[1mme")
    fact = terminal.json("facts")["facts"][0]["id"]
    for command in (
        ["facts"],
        ["history"],
        ["changes"],
        ["recall", "said p"],
        ["explain", fact],
        ["predicates"],
    ):
        said = terminal(*command)
        assert "\x1b" not in said.out + said.err, command
    assert "\x1b" not in terminal("facts", "\x1b[2J").err
    assert "\x1b" not in terminal("explain", "\x1b[2J").err


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_tables_fit(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    terminal.done("seed", "seeds/noor.yaml")
    monkeypatch.setenv("COLUMNS", str(columns))
    fact = terminal.json("facts", "--limit", "1")["facts"][0]
    for command in (
        ["facts"],
        ["history"],
        ["changes"],
        ["timeline", "Noor Haddad", "lives_in"],
        ["recall", "where does Noor live?"],
        ["graph", "Noor Haddad"],
        ["predicates"],
        ["scopes"],
        ["verify", fact["id"], fact["digest"]],
    ):
        for line in terminal.done(*command).out.splitlines():
            assert len(line) <= columns, (command, line)


def test_the_next_page(terminal: Terminal) -> None:
    for number in range(5):
        terminal.done("assert", "x", "p", "--int", str(number))
    for command, listed in ((["facts"], "facts"), (["history"], "versions"), (["changes"], "changes")):
        first = terminal(*command, "--limit", "3", "--json")
        assert len(first.json[listed]) == 3
        assert first.json["cursor"] in first.err
        second = terminal.json(*command, "--limit", "3", "--after", first.json["cursor"])
        assert (len(second[listed]), second["cursor"]) == (2, None)


def test_json_in_any_encoding(terminal: Terminal) -> None:
    terminal.done("assert", "Zoë", "p", "雪")
    for encoding in ("ascii", "latin-1", "utf-8"):
        done = subprocess.run(
            [sys.executable, "-m", "memory_provider", "--store", terminal.store, "--scope", "test", "facts"],
            capture_output=True,
            env={"PYTHONIOENCODING": encoding, "PATH": ""},
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
