"""The benchmarks run and say what they measured, at a size where the figures mean nothing. No time is judged here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main
from bench.results import Row
from tests.conftest import RunningNeo4j

TINY = ["--size", "200", "--versions", "5", "--rounds", "1", "--calls", "2", "--warming", "1"]
TINY += ["--clients", "4", "--seconds", "2"]
READS = {
    "facts(subject, predicate), one fact",
    "recall, rare",
    "recall, medium",
    "recall, common",
    "recall, named",
}


def _run(tmp_path: Path, *arguments: str) -> list[dict[str, Any]]:
    found, table = tmp_path / "out" / "found.json", tmp_path / "out" / "table.md"
    assert main([*arguments, *TINY, "--json", str(found), "--markdown", str(table)]) == 0
    told = json.loads(found.read_text())
    assert {"command", "machine", "versions", "data", "effort"} <= told["machine"].keys()
    rows: list[dict[str, Any]] = told["rows"]
    shown = table.read_text()
    for row in rows:
        assert f"### {row['part']}\n" in shown
        assert f"| {row['what']} |" in shown
        assert row["value"] is not None
    return rows


def test_everything_on_sqlite(tmp_path: Path) -> None:
    rows = _run(tmp_path, "--store", "sqlite")
    assert {row["what"] for row in rows} >= READS
    assert {row["part"].split(",")[0] for row in rows} >= {
        "Starting",
        "Reading",
        "As of the past",
        "5 superseded versions a key",
        "Verifying 1",
        "Writing in transactions of 1",
        "Single durable writes",
        "Over HTTP",
    }
    asked = [row for row in rows if row["part"].startswith("Asking 20 providers")]
    assert len(asked) == 2
    assert all(float(row["ours"].split()[0]) >= 200 for row in asked)  # not before the slowest answers
    became = {
        row["what"]: row["note"].rpartition("latter ")[2] for row in rows if "memory of a host" in row["part"]
    }
    assert len(became) == 7
    assert became["short answers"] == became["lines as long as they may be"] == "2 Frames"
    assert became["a line without an end"] == "2 WireError"
    assert became["a body without an end, over HTTP"] == "2 TransportError"


def test_composing(tmp_path: Path) -> None:
    rows = _run(tmp_path, "compose")
    assert {row["unit"] for row in rows} == {"ms of CPU"}
    assert len(rows) == 3


@pytest.mark.slow
def test_neo4j(tmp_path: Path, neo4j_server: RunningNeo4j) -> None:
    rows = _run(
        tmp_path,
        *("reads", "plans", "past", "history", "verify", "writes", "single", "http"),
        *("--store", neo4j_server.version, "--neo4j", neo4j_server.uri),
    )
    assert {row["what"] for row in rows} >= READS
    (recall,) = [row for row in rows if row["part"] == "Plans on Neo4j" and row["what"] == "recall"]
    assert "full text" in recall["note"]


@pytest.mark.parametrize(
    ("value", "target", "met"),
    [
        (2.0, "<= 2", True),
        (2.1, "<= 2", False),
        (0.31, ">= 0.3", True),
        (0.29, ">= 0.3", False),
        (9.9, "", None),
    ],
)
def test_a_target_is_met_or_missed(value: float, target: str, met: bool | None) -> None:
    assert Row("part", "store", "what", value=value, target=target).met is met
