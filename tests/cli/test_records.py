"""`records`: from files to the memory and back, and what is said when some are not taken."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from .terminal import Terminal

ROOT = Path(__file__).parents[2]
SEED = ROOT / "seeds/records.jsonl"
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in SEED.read_text(encoding="utf-8").splitlines()]
IDS = [each["record_id"] for each in RECORDS]


def test_the_commands_of_the_page_work(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    commands = [shlex.split(line)[3:] for line in block.splitlines()]
    said = [terminal.done(*command) for command in commands]
    assert said[0].out.count("accepted") == said[1].out.count("duplicate") == 4
    assert [json.loads(line) for line in said[2].out.splitlines()] == [RECORDS[1], RECORDS[3]]
    assert "Thursday at ten" in said[3].out
    assert "erased noor-tea-1" in said[4].out


@pytest.mark.parametrize(
    "text", [json.dumps(RECORDS), json.dumps(RECORDS, indent=2), SEED.read_text("utf-8")]
)
def test_a_list_or_one_a_line(terminal: Terminal, text: str) -> None:
    said = terminal.done("records", "append", "-", "--json", typed=text).json
    assert [each["status"] for each in said["receipts"]] == ["accepted"] * 4
    assert said["scope"] == terminal.scope
    found = terminal.json("records", "get", *IDS)["records"]
    assert [each["record"] for each in found] == RECORDS


def test_one_record_over_several_lines(terminal: Terminal) -> None:
    said = terminal.done("records", "append", "-", "--json", typed=json.dumps(RECORDS[0], indent=1)).json
    assert [each["record_id"] for each in said["receipts"]] == [IDS[0]]


def test_a_hash_can_be_filled_in(terminal: Terminal) -> None:
    unhashed = {name: value for name, value in RECORDS[0].items() if name != "record_hash"}
    said = terminal("records", "append", "-", typed=json.dumps(unhashed))
    assert said.code == 1
    assert "record_hash" in said.out
    said = terminal.done("records", "append", "-", "--set-hash", "--json", typed=json.dumps(unhashed)).json
    assert said["receipts"][0]["record_hash"] == RECORDS[0]["record_hash"]


def test_some_that_are_rejected_leave_the_others(terminal: Terminal) -> None:
    said = terminal("records", "append", "-", typed=json.dumps([{"record_id": "odd"}, RECORDS[0]]))
    assert said.code == 1
    assert re.search(r"rejected +odd +invalid_record", said.out)
    assert re.search(rf"accepted +{IDS[0]}", said.out)
    assert "1 of 2" in said.err
    assert terminal.done("records", "get", IDS[0]).out


def test_a_key_and_retention(terminal: Terminal) -> None:
    arguments = ("records", "append", str(SEED), "--key", "k", "--retention", "P30D", "--json")
    first, again = terminal.done(*arguments).json, terminal.done(*arguments).json
    assert {each["retention"] for each in first["receipts"]} == {"P30D"}
    assert {each["status"] for each in again["receipts"]} == {"duplicate"}
    said = terminal("records", "append", str(SEED), "--key", "k")
    assert (said.code, said.out) == (2, "")
    assert "idempotency_conflict" in said.err
    said = terminal("records", "append", str(SEED), "--retention", "ever")
    assert (said.code, said.out) == (2, "")
    assert "retention_rejected" in said.err


def test_what_is_not_there_is_said(terminal: Terminal) -> None:
    terminal.done("records", "append", str(SEED))
    said = terminal("records", "get", IDS[0], "missing")
    assert said.code == 1
    assert json.loads(said.out) == RECORDS[0]
    assert "missing" in said.err
    said = terminal("records", "get", IDS[0], "--known-at", "2000")
    assert (said.code, said.out) == (1, "")


def test_erasing_is_asked_for(terminal: Terminal) -> None:
    terminal.done("records", "append", str(SEED))
    erase = ("records", "erase", IDS[0], "--reason", "r")
    said = terminal(*erase)
    assert said.code == 2
    assert "--yes" in said.err
    assert f"would erase {IDS[0]}" in terminal.done(*erase, "--dry-run").out
    assert terminal.done("records", "get", IDS[0]).out
    assert terminal.json(*erase, "--yes")["receipts"] == [{"record_id": IDS[0], "status": "erased"}]
    assert terminal(*erase, "--yes").code == 1
    said = terminal("records", "get", IDS[0])
    assert (said.code, said.out) == (1, "")
    assert "erased" in said.err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no record"),
        ("no json", "not JSON"),
        ("7", "value 1"),
        ("[{}, 7]", "value 2"),
        ('{}\n{"a": 1, "a": 2}', "line 2"),
        ('{"a": 1,\n "a": 2}', "given twice"),
        ('{"a": NaN}', "NaN"),
    ],
)
def test_a_file_of_something_else_is_refused(terminal: Terminal, text: str, problem: str) -> None:
    said = terminal("records", "append", "-", typed=text)
    assert (said.code, said.out) == (2, "")
    assert problem in said.err


def test_no_file_and_no_text(terminal: Terminal, tmp_path: Path) -> None:
    said = terminal("records", "append", str(tmp_path / "missing"))
    assert (said.code, said.out) == (2, "")
    (tmp_path / "latin").write_bytes(b"{\xff}")
    said = terminal("records", "append", str(tmp_path / "latin"))
    assert (said.code, said.out) == (2, "")
