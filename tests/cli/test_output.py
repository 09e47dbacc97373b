"""What is printed: it fits, it cannot steer a terminal, and it survives any encoding."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_provider.cli.showing.counting import counted, counted_all
from memory_provider.cli.showing.output import one_line, print_json, printable
from memory_provider.cli.showing.shapes import instant_cell, instant_text, moment_cell

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


@pytest.mark.parametrize("columns", [60, 80, 100, 120])
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


@pytest.mark.parametrize("columns", [60, 80, 100, 120])
def test_ids_are_whole(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """They are there to be copied, whatever stands beside them."""
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal.done("assert", "Alice", "said", "something that is long enough to be wrapped", "--to", "9999")
    terminal.done("assert", "Alice", "knows", "--entity", "Bob")
    terminal.done("remember", "Alice said something")
    said, knows = (terminal.json("facts", "Alice", each)["facts"][0] for each in ("said", "knows"))
    episode = next(each["id"] for each in terminal.json("changes")["changes"] if each["kind"] == "episode")
    for command, ids in (
        (["facts"], [said["id"], knows["id"]]),
        (["history"], [said["id"], knows["id"]]),
        (["graph", "Alice"], [knows["id"]]),
        (["recall", "Alice said something"], [said["id"], episode]),
        (["verify", knows["id"], knows["digest"], said["id"], said["digest"]], [said["id"], knows["id"]]),
    ):
        out = terminal.done(*command).out
        assert all(each in out for each in ids), (command, out)
    terminal.done("erase", "facts", "Alice", "said", "--reason", "it had better not been said", "--yes")
    assert said["id"] in terminal.done("changes").out


def test_instants_below_each_other() -> None:
    moment = datetime(2026, 5, 2, 18, tzinfo=UTC)
    assert instant_cell(moment) == "2026-05-02T18:00:00Z"
    assert instant_cell(moment.replace(microsecond=250_000)) == "2026-05-02T18:00:00.250000Z"
    assert instant_text(moment.replace(microsecond=250_000)) == "2026-05-02T18:00:00.25Z"
    assert moment_cell(moment.replace(hour=0), "open") == "2026-05-02"
    assert moment_cell(None, "open") == "open"


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (1, "migration", "1 migration"),
        (0, "migration", "0 migrations"),
        (1, "entity", "1 entity"),
        (14, "entity", "14 entities"),
        (2, "part of a fact", "2 parts of facts"),
        (2, "idempotency record", "2 idempotency records"),
    ],
)
def test_counted_things(count: int, noun: str, words: str) -> None:
    assert counted(count, noun) == words
    assert counted_all([(noun, count), ("row", 0)]) == (words if count else "nothing")


def test_an_empty_store(terminal: Terminal) -> None:
    """Is said to be empty, and asking for its scopes is no failure."""
    for command in ("scopes", "predicates"):
        assert terminal.done(command).err == "nothing found\n"


def test_json_before_the_command(terminal: Terminal) -> None:
    terminal.done("assert", "x", "p", "a")
    for command in (["scopes"], ["facts", "x"], ["doctor"]):
        assert terminal.done("--json", *command).json.keys() == terminal.json(*command).keys()


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


def test_json_for_programs_cannot_steer_a_terminal_and_says_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    value = {"\x9b1mname": "a\x1b[31m\x7f\x9b\u2028\u202e\u2066 — ünïcode 雪\n"}
    print_json(value)
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert printable(printed) == printed
    assert "ünïcode 雪" in printed


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_streams_that_are_closed_or_full_end_no_command(closed: str, tmp_path: Path) -> None:
    file = tmp_path / "held.json"
    file.write_text("[]")
    command = [
        sys.executable,
        "-m",
        "memory_provider",
        "--store",
        f"sqlite:///{tmp_path}/m.db",
        "--scope",
        "noor",
    ]
    for arguments, code in ((["remember", "It boils."], 0), (["host", "verify", str(file), "--memory"], 1)):
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *command, *arguments], capture_output=True, text=True
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr and "unexpected" not in done.stderr
