"""Bad input: one line on stderr, an exit code, no traceback, nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .terminal import Terminal

BAD = [
    # arguments, a word of the message
    (["nonsense"], "nonsense"),
    (["facts", "--nonsense"], "--nonsense"),
    (["erase"], "command"),
    (["serve"], "command"),
    (["serve", "http2"], "http2"),
    (["remember"], "TEXT"),
    (["remember", "   "], "empty"),
    (["remember", "x", "--occurred-at", "last tuesday"], "not guessed"),
    (["remember", "x", "--occurred-at", "04/05/2026"], "day or the month first"),
    (["remember", "x", "--speaker", ""], "speaker"),
    (["assert", "x"], "PREDICATE"),
    (["assert", "x", "p"], "object is missing"),
    (["assert", "", "p", "a"], "subject is empty"),
    (["assert", "x", "p", "a", "--int", "4"], "object once"),
    (["assert", "x", "p", "--int", "4", "--text", "4"], "object once"),
    (["assert", "x", "p", "--int", "4.5"], "digits"),
    (["assert", "x", "p", "--int", "99999999999999999999"], "64 bits"),
    (["assert", "x", "p", "--int", "1_000"], "digits"),
    (["assert", "x", "p", "--number", "nan"], "4.2"),
    (["assert", "x", "p", "--number", "1e999"], "inf"),
    (["assert", "x", "p", "--bool", "yes"], "true or false"),
    (["assert", "x", "p", "--date", "2026-02-30"], "date that exists"),
    (["assert", "x", "p", "--date", "01.02.2026"], "2026-04-01"),
    (["assert", "x", "p", "--instant", "tomorrow"], "not guessed"),
    (["assert", "x", "p", "a", "--from", "2026", "--to", "2025"], "inverted"),
    (["assert", "x", "p", "a", "--from", "2026", "--to", "2026"], "empty"),
    (["assert", "x", "p", "a", "--to", "2020"], "inverted"),
    (["assert", "x", "p", "a", "--from", "open"], "--from"),
    (["assert", "x", "p", "a", "--to", "always"], "--to"),
    (["assert", "x", "p", "a", "--from", "2026-03-29 02:30", "--tz", "Europe/Paris"], "does not exist"),
    (["assert", "x", "p", "a", "--from", "2026-10-25 02:30", "--tz", "Europe/Paris"], "twice"),
    (["assert", "x", "p", "a", "--tz", "Mars/Phobos"], "IANA"),
    (["assert", "x", "p", "a", "--confidence", "2"], "0 to 1"),
    (["assert", "x", "p", "a", "--confidence", "high"], "high"),
    (["assert", "x", "p", "a", "--file", "no-such-file"], "no-such-file"),
    (["assert", "x", "p", "a", "--episode", "e", "--file", "pyproject.toml"], "not both"),
    (["assert", "x", "p", "a", "--key", ""], "key"),
    (["assert", "x" * 1025, "p", "a"], "1024"),
    (["assert", "x", "declared", "a"], "digits"),
    (["assert", "x", "declared", "--text", "a"], "integer"),
    (["correct", "x", "p", "a"], "--from"),
    (["correct", "x", "p", "a", "--from", "always"], "--all"),
    (["retract", "x", "p"], "--from"),
    (["retract", "x", "p", "--from", "always"], "--all"),
    (["erase", "facts", "--reason", "r", "--yes"], "--predicate"),
    (["erase", "facts", "x", "--subject", "y", "--reason", "r", "--yes"], "not both"),
    (["erase", "facts", "--subject", "x", "--yes"], "--reason"),
    (["erase", "facts", "--subject", "x", "--reason", " ", "--yes"], "reason"),
    (["erase", "everything"], "everything"),
    (["scopes", "erase", "test"], "--yes"),
    (["recall"], "QUESTION"),
    (["recall", "x", "--kind", "poem"], "poem"),
    (["recall", "x", "--anchor", "\udcff"], "surrogate"),
    (["assert", "x", "p", "a", "--key", "\udcff"], "surrogate"),
    (["import", "pyproject.toml"], "no memory-provider archive"),
    (["recall", "x", "--max-frames", "-1"], "--max-frames"),
    (["facts", "--limit", "0"], "--limit"),
    (["facts", "--after", "nonsense"], "cursor"),
    (["facts", "--as-of", "2026-13"], "--as-of"),
    (["graph", "x", "--depth", "9"], "--depth"),
    (["verify"], "ID DIGEST"),
    (["verify", "a", "b", "c"], "pairs"),
    (["verify", "no-such-file.json"], "no-such-file.json"),
    (["verify", "-"], "JSON of frames"),
    (["define", "p", "--one", "--many"], "--one or --many"),
    (["define", "p", "--object", "poem"], "poem"),
    (["define", "kind"], "reserved"),
    (["seed", "no-such-file.jsonl"], "no-such-file.jsonl"),
    (["seed", "pyproject.toml"], ".jsonl"),
    (["import", "no-such-file"], "no-such-file"),
    (["demo", "--keep", "pyproject.toml"], "exists"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=[" ".join(each)[:60] for each, _ in BAD])
def test_bad_input(terminal: Terminal, arguments: list[str], why: str) -> None:
    terminal.done("define", "declared", "--object", "integer")
    said = terminal(*arguments)
    assert said.code == 2, said
    assert said.out == ""
    errors = [line for line in said.err.splitlines() if not line.startswith("--")]  # how times were taken
    assert len(errors) == 1, said.err
    assert errors[0].startswith("error: ")
    assert why in errors[0]
    assert terminal("changes", "--json").json["changes"] == []


REFUSED = [
    (["assert", "x", "p", "a", "--episode", "ep_nope"], 1, "no episode"),
    (["explain", "fact_nope"], 1, "fact_nope"),
    (["explain", "what Alice said"], 1, "no id"),
    (["assert", "x", "p", "a", "--recorded-at", "9999"], 4, "ahead of the clock"),
    (["export", "no/such/directory/archive.jsonl"], 4, "could not be written"),
    (["facts", "Nobody"], 1, "nothing found"),
    (["recall", "nothing at all"], 1, "nothing found"),
    (["timeline", "x", "p"], 1, "nothing found"),
    (["graph", "Nobody"], 1, "nothing found"),
    (["verify", "fact_nope", "sha256:nope"], 1, "1 of 1 not valid"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "why"), REFUSED, ids=[" ".join(each[0])[:60] for each in REFUSED]
)
def test_found_nothing_or_refused(terminal: Terminal, arguments: list[str], code: int, why: str) -> None:
    said = terminal(*arguments)
    assert said.code == code, said
    assert why in said.err.splitlines()[-1]
    assert "Traceback" not in said.err
    assert terminal("changes", "--json").json["changes"] == []


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[1]",
        '[{"id": 1, "digest": "x"}]',
        '[{"digest": "x"}]',
        '{"frames": 1}',
        "nonsense",
        "[" * 100_000,
    ],
)
def test_verify_takes_only_frames(terminal: Terminal, text: str) -> None:
    said = terminal("verify", "-", typed=text)
    assert said.code == 2
    assert said.err.count("\n") == 1


def test_verify_takes_what_other_commands_print(terminal: Terminal, tmp_path: Path) -> None:
    terminal.done("assert", "x", "p", "a")
    facts = terminal.json("facts")
    for value in (facts, facts["facts"], terminal.json("explain", facts["facts"][0]["id"])):
        file = tmp_path / "held.json"
        file.write_text(json.dumps(value))
        assert terminal.json("verify", str(file))["verdicts"][0]["status"] == "valid"


def test_input_that_is_not_text(terminal: Terminal) -> None:
    said = terminal("remember", "-", typed=b"\xff\xfe")
    assert said.code == 2
    assert "UTF-8" in said.err
    assert said.err.count("\n") == 1
