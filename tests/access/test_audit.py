"""The audit log: lines of JSON, whole, for its owner alone."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memory_provider.access import Right
from memory_provider.access.audit import AuditEntry, AuditLog
from memory_provider.errors import AuditError

ENTRY = AuditEntry(
    "alice", "0123456789ab", "query", Right.READ, "acme", "answered", None, ("fact_1", "ep_2#1")
)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_says_who_did_what(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.write(ENTRY, at=1_780_000_000_000_000)
    log.write(AuditEntry("local", None, "verify", Right.READ, None, "refused", "bad_request"), at=0)
    assert lines(log.path) == [
        {
            "at": "2026-05-28T20:26:40Z",
            "who": "alice",
            "token": "0123456789ab",
            "operation": "query",
            "right": "read",
            "scope": "acme",
            "outcome": "answered",
            "ids": ["fact_1", "ep_2#1"],
        },
        {
            "at": "1970-01-01T00:00:00Z",
            "who": "local",
            "operation": "verify",
            "right": "read",
            "outcome": "refused",
            "code": "bad_request",
            "ids": [],
        },
    ]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_it_is_its_owners_alone(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_no_text_ends_a_line_or_grows_without_end(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    long = "a\nb\u2028\x1b[2J" + "x" * 10_000
    log.write(ENTRY._replace(scope=long, outcome="refused", ids=(long, "fact_1")))
    [line] = log.path.read_bytes().splitlines()
    assert line.isascii()
    assert len(line) < 2000
    assert json.loads(line)["ids"][1] == "fact_1"
    assert b"\x1b" not in line


def test_it_goes_on_where_it_was_and_begins_anew_where_it_was_moved(tmp_path: Path) -> None:
    path, old = tmp_path / "audit.jsonl", tmp_path / "audit.1"
    log = AuditLog(path)
    log.write(ENTRY)
    AuditLog(path).write(ENTRY)
    path.rename(old)
    log.write(ENTRY)
    assert (len(lines(old)), len(lines(path))) == (2, 1)


WRITE = """
import sys
from memory_provider.access import Right
from memory_provider.access.audit import AuditEntry, AuditLog
log = AuditLog(sys.argv[1])
for number in range(200):
    ids = tuple(f"{sys.argv[2]}-{number}-{each}" for each in range(200))
    log.write(AuditEntry("alice", None, "query", Right.READ, "acme", "answered", None, ids))
"""


def test_lines_of_several_processes_stay_whole(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(path), str(each)]) for each in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(lines(path)) == 600


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="No such file"):
        AuditLog(tmp_path / "none" / "audit.jsonl")
    log = AuditLog(tmp_path / "audit.jsonl")
    log.path.unlink()
    log.path.mkdir()
    with pytest.raises(AuditError):
        log.write(ENTRY)
    log.path = tmp_path / "pipe"
    os.mkfifo(log.path)
    with pytest.raises(AuditError):  # that nobody reads it is not waited for
        log.write(ENTRY)
    if Path("/dev/full").exists():
        log.path = Path("/dev/full")
        with pytest.raises(AuditError, match="No space"):
            log.write(ENTRY)
