"""docs/host-requirements.md names, for every obligation on a host, tests that there are."""

from __future__ import annotations

import json

import pytest

from tests.protocol.test_obligations import ROOT, Row, names_in, rows

DUE = {
    each["id"]: each
    for each in json.loads((ROOT / "tests" / "data" / "protocol" / "requirements.json").read_bytes())
    if each["party"] in ("host", "both")
}
ROWS = rows("host-requirements.md")


def test_every_obligation_is_there_once() -> None:
    assert sorted(row.id for row in ROWS) == sorted(DUE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_obligation_is_as_the_protocol_has_it_and_shown(row: Row) -> None:
    assert (row.level, row.obligation) == (DUE[row.id]["level"], DUE[row.id]["requirement"])
    assert row.tests, "no test is named"
    for file, test in row.tests:
        assert (ROOT / file).is_file(), file
        assert test in names_in(file), f"{file} has no test {test}"
