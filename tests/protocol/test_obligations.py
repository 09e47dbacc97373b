"""docs/requirements.md names, for every obligation on a provider, tests that there are."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
DUE = {
    each["id"]: each
    for each in json.loads((ROOT / "tests" / "data" / "protocol" / "requirements.json").read_bytes())
    if each["party"] in ("provider", "both")
}
NODE = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


class Row(NamedTuple):
    """A row of the table."""

    id: str
    level: str
    obligation: str
    tests: tuple[tuple[str, str], ...]


def rows(page: str = "requirements.md") -> list[Row]:
    found = []
    for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 4 or cells[0] == "id" or set(cells[0]) <= {"-"}:
            continue
        id, level, obligation, shown_by = cells
        found.append(Row(id, level, re.sub(r"\\([|<])", r"\1", obligation), tuple(NODE.findall(shown_by))))
    return found


ROWS = rows()


@cache
def names_in(file: str) -> frozenset[str]:
    """Names of the tests of a file that run: not those inside something, and none that is always skipped."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any(re.search(r"\b(skip|xfail)\b", ast.unparse(each)) for each in node.decorator_list)
    )


def test_every_obligation_is_there_once() -> None:
    assert sorted(row.id for row in ROWS) == sorted(DUE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_obligation_is_as_the_protocol_has_it_and_shown(row: Row) -> None:
    assert (row.level, row.obligation) == (DUE[row.id]["level"], DUE[row.id]["requirement"])
    assert row.tests, "no test is named"
    for file, test in row.tests:
        assert (ROOT / file).is_file(), file
        assert test in names_in(file), f"{file} has no test {test}"


def test_every_test_named_after_an_obligation_is_in_its_row() -> None:
    """`test_Q2_…` shows Q2, or it should have another name. Tests of a host show the other side's part."""
    named = {row.id: {test for _, test in row.tests} for row in ROWS}
    prefixes = {f"test_{id.replace('-', '_')}_": id for id in DUE}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = path.relative_to(ROOT)
        if file.is_relative_to("tests/host"):
            continue
        for test in names_in(str(file)):
            for id in [id for prefix, id in prefixes.items() if test.startswith(prefix)]:
                assert test in named[id], f"{file}::{test} is missing in the row of {id}"
