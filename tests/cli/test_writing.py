"""Commands that write: objects, windows, keys, and what needs to be said twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from .terminal import Terminal


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (["--entity", "Lyon"], {"type": "entity", "value": "Lyon"}),
        (["--text", "42"], {"type": "text", "value": "42"}),
        (["42"], {"type": "text", "value": "42"}),
        (["--int", "-42"], {"type": "integer", "value": -42}),
        (["--int", "9223372036854775807"], {"type": "integer", "value": 2**63 - 1}),
        (["--number", "4.2e3"], {"type": "number", "value": 4200.0}),
        (["--bool", "false"], {"type": "boolean", "value": False}),
        (["--date", "2026-04-01"], {"type": "date", "value": "2026-04-01"}),
        (["--instant", "2026-04-01 12:30"], {"type": "instant", "value": "2026-04-01T10:30:00Z"}),
    ],
)
def test_objects_with_their_type(terminal: Terminal, typed: list[str], stored: object) -> None:
    terminal.done("assert", "x", "p", *typed, "--tz", "Europe/Paris")
    assert [each["object"] for each in terminal.json("facts", "x")["facts"]] == [stored]


@pytest.mark.parametrize(
    ("kind", "typed", "stored"),
    [
        ("entity", "Lyon", "Lyon"),
        ("integer", "42", 42),
        ("number", "42", 42.0),
        ("boolean", "true", True),
        ("date", "2026-04-01", "2026-04-01"),
        ("instant", "2026-04-01", "2026-04-01T00:00:00Z"),
        ("text", "2026-04-01", "2026-04-01"),
    ],
)
def test_an_object_is_read_as_its_predicate_was_declared(
    terminal: Terminal, kind: str, typed: str, stored: object
) -> None:
    terminal.done("define", "p", "--object", kind)
    terminal.done("assert", "x", "p", typed)
    found = terminal.json("facts", "--predicate", "p", "--object", typed)["facts"]
    assert [each["object"] for each in found] == [{"type": kind, "value": stored}]


def test_windows(terminal: Terminal) -> None:
    terminal.done("assert", "x", "p", "a", "--from", "always", "--to", "2020")
    terminal.done("assert", "x", "p", "b", "--from", "2020", "--to", "open")
    shown = terminal.json("timeline", "x", "p")["timeline"]
    assert [(each["valid_from"], each["valid_to"]) for each in shown] == [
        (None, "2020-01-01T00:00:00Z"),
        ("2020-01-01T00:00:00Z", None),
    ]
    table = terminal.done("timeline", "x", "p").out
    assert "always" in table
    assert "open" in table


def test_a_zone_before_or_after_the_command_or_from_the_environment(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = terminal("facts", "--as-of", "2026-04-01", "--tz", "Europe/Paris")
    before = terminal("--tz", "Europe/Paris", "facts", "--as-of", "2026-04-01")
    monkeypatch.setenv("MEMORY_TZ", "Europe/Paris")
    unsaid = terminal("facts", "--as-of", "2026-04-01")
    overruled = terminal("facts", "--as-of", "2026-04-01", "--tz", "UTC")
    expected = "--as-of 2026-04-01 is taken as 2026-03-31T22:00:00Z (Europe/Paris)"
    assert all(expected in each.err for each in (after, before, unsaid))
    assert "2026-04-01T00:00:00Z (UTC)" in overruled.err


def test_the_store_and_scope_before_or_after_the_command_or_from_the_environment(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.done("assert", "x", "p", "a")
    asked = terminal.bare("facts", "--json", "--store", terminal.store, "--scope", "test")
    assert len(asked.json["facts"]) == 1
    monkeypatch.setenv("MEMORY_STORE", terminal.store)
    monkeypatch.setenv("MEMORY_SCOPE", "test")
    assert len(terminal.bare("facts", "--json").json["facts"]) == 1
    assert terminal.bare("--scope", "other", "facts").code == 1
    assert terminal.bare("facts", "--scope", "other").code == 1


def test_keys_make_a_write_happen_once(terminal: Terminal) -> None:
    first = terminal.done("remember", "hello", "--key", "k1")
    again = terminal.done("remember", "hello", "--key", "k1")
    assert first.out == again.out
    assert "nothing written" in again.err
    other = terminal("remember", "something else", "--key", "k1")
    assert other.code == 4
    assert other.err.count("\n") == 1


def test_text_from_standard_input(terminal: Terminal) -> None:
    text = "line one\nline two — ünïcode\n"
    terminal.done("remember", "-", typed=text)
    assert [each["after"] for each in terminal.json("changes")["changes"]] == [text]


def test_a_file_as_the_source(terminal: Terminal, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("hello")
    terminal.done("assert", "x", "p", "a", "--file", str(notes))
    [fact] = terminal.json("facts", "x")["facts"]
    assert fact["sources"][0]["file"] == {
        "uri": notes.as_uri(),
        "digest": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "range": None,
    }


def test_the_first_use_of_a_predicate_says_what_it_holds(terminal: Terminal) -> None:
    first = terminal.done("assert", "Alice", "lives_in", "Lyon")
    assert "it holds texts from now on" in first.err
    assert "--entity 'Lyon'" in first.err
    assert "from now on" not in terminal.done("assert", "Alice", "lives_in", "Paris").err
    assert "from now on" not in terminal.done("assert", "Alice", "works_at", "--entity", "Globex").err


def test_replaying_history(terminal: Terminal) -> None:
    terminal.done("assert", "x", "p", "a", "--recorded-at", "2024-01-01")
    terminal.done("assert", "x", "p", "b", "--recorded-at", "2024-02-01")
    assert len(terminal.json("facts", "--known-at", "2024-01-15", "--as-of", "2024-03")["facts"]) == 1
    late = terminal("assert", "x", "p", "c", "--recorded-at", "2024-01-20")
    assert late.code == 4
    assert "recorded time only moves forward" in late.err


def test_emptying_a_set_of_many_needs_all(terminal: Terminal) -> None:
    terminal.done("assert", "x", "likes", "tea", "--from", "2020")
    terminal.done("assert", "x", "likes", "rum", "--from", "2020")
    before = terminal.json("history")
    for command in (["retract", "x", "likes"], ["correct", "x", "likes", "milk"]):
        refused = terminal(*command, "--from", "always")
        assert refused.code == 2
        assert "--all" in refused.err
    assert terminal.json("history") == before
    terminal.done("correct", "x", "likes", "gin", "--replaces", "rum", "--from", "always")
    assert {each["object"]["value"] for each in terminal.json("facts")["facts"]} == {"tea", "gin"}
    terminal.done("retract", "x", "likes", "gin", "--from", "always")
    terminal.done("retract", "x", "likes", "--from", "always", "--all")
    assert terminal("facts").code == 1


def test_a_predicate_of_one_needs_no_all(terminal: Terminal) -> None:
    terminal.done("define", "p", "--one")
    terminal.done("assert", "x", "p", "a", "--from", "2020")
    terminal.done("retract", "x", "p", "--from", "always")
    nothing = terminal("retract", "x", "p", "--from", "always")
    assert nothing.code == 1
    assert "nothing of it stood" in nothing.err


def test_erasing_asks_first(terminal: Terminal) -> None:
    terminal.done("assert", "x", "p", "a")
    unsure = terminal("erase", "facts", "--subject", "x", "--reason", "r")
    assert unsure.code == 2
    assert "--yes" in unsure.err
    shown = terminal.done("erase", "facts", "--subject", "x", "--reason", "r", "--dry-run")
    assert "would erase 1 fact" in shown.out
    assert len(terminal.json("facts")["facts"]) == 1
    done = terminal.done("erase", "facts", "--subject", "x", "--reason", "r", "--yes")
    assert "erased 1 fact" in done.out
    assert terminal("erase", "facts", "--subject", "x", "--reason", "r", "--yes").code == 1


@pytest.mark.parametrize(("answer", "left"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_erasing_asks_at_a_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    terminal.done("assert", "x", "p", "a")
    monkeypatch.setattr("memory_provider.cli.confirming.at_a_terminal", lambda: True)
    said = terminal("erase", "facts", "--subject", "x", "--reason", "r", typed=answer)
    assert "would erase 1 fact" in said.err
    assert said.code == (130 if left else 0)
    assert len(terminal("facts", "--json").json["facts"]) == left


def test_erasing_takes_what_facts_takes(terminal: Terminal) -> None:
    for predicate in ("p", "q"):
        terminal.done("assert", "x", predicate, "a")
    done = terminal.done("erase", "facts", "x", "p", "--reason", "r", "--yes")
    assert done.out.startswith("erased 1 fact (1 version)\n")
    assert [each["predicate"] for each in terminal.json("facts", "x")["facts"]] == ["q"]
    assert "erased 1 fact" in terminal.done("erase", "facts", "x", "--reason", "r", "--yes").out
