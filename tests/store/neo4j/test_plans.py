"""Every statement finds its rows by an index; the planner of each server is asked."""

from __future__ import annotations

import re
from typing import Any

import neo4j
import pytest

from memory_provider.resources import directory
from memory_provider.store.contract import Store
from memory_provider.store.neo4j.queries import query

from .conftest import Plan, explained

NAMES = sorted(path.stem for path in (directory("cypher") / "queries").glob("*.cypher"))
LOOK_AT_ALL = {"inspect-strays", "scopes"}
"""Look at every node of a label on purpose."""
SCANS = re.compile(
    r"(AllNodesScan|ByLabelsScan|ByLabelScan|RelationshipTypeScan|AllRelationshipsScan|IndexScan)$"
)

EXPECTED = {
    "records": "r:ContextRecord(scope, lineage, recorded_at, position)",
    "recall": "r:ContextRecord(scope, lineage, recorded_at, position)",
    "erase-records": "r:ContextRecord(scope, id)",
    "supersede-records": "r:ContextRecord(scope, id)",
    "dump-records": "r:ContextRecord(scope, recorded_at)",
    "facts-of-key": "f:Fact(scope, subject, predicate, superseded_at, valid_to)",
    "facts-of-subject": "f:Fact(scope, subject, superseded_at, valid_to)",
    "facts-of-predicate": "f:Fact(scope, predicate, superseded_at, valid_to)",
    "facts-of-object": "f:Fact(scope, object_key, superseded_at, valid_to)",
    "facts-of-scope": "f:Fact(scope, subject, superseded_at, valid_to)",
    "standing-of-key": "f:Fact(scope, subject, predicate, superseded_at, valid_to)",
    "history-of-key": "f:Fact(scope, subject, predicate, superseded_at, valid_to)",
    "history-of-scope": "f:Fact(scope, recorded_at)",
    "held": "f:Fact(scope, id, recorded_at)",
    "changes": "f:SupersededFact(scope, superseded_at)",
    "scope-lock": "f:Fact(scope, subject, predicate, superseded_at, valid_to)",
    "supersede": "f:Fact(scope, id, recorded_at)",
    "walk": "f:Fact(scope, object_key, superseded_at, valid_to)",
}


@pytest.fixture
async def explain(anyio_backend: str, neo4j_server: Any, store: Store):
    async with neo4j.AsyncGraphDatabase.driver(
        neo4j_server.uri, auth=neo4j_server.auth, notifications_min_severity="OFF"
    ) as driver:

        async def plan(text: str) -> Plan:
            async with driver.session() as session:
                return await explained(session, text)

        yield plan


@pytest.mark.parametrize("name", NAMES)
async def test_no_statement_scans(name: str, explain: Any) -> None:
    text = query(name)
    if text.startswith("SHOW"):
        return
    found = await explain(text)
    scans = [each for each in found if SCANS.search(each[0])]
    assert bool(scans) == (name in LOOK_AT_ALL), scans
    if name in EXPECTED:
        seeks = [details for operator, details in found if "IndexSeek" in operator]
        assert any(EXPECTED[name] in each for each in seeks), seeks


@pytest.mark.parametrize("name", ["recall", "held", "scope-lock"])
async def test_without_records_nothing_of_them_is_looked_for(name: str, explain: Any) -> None:
    text = query(name, records=False)
    assert "ContextRecord" in query(name) and "ContextRecord" not in text
    found = await explain(text)
    assert not [each for each in found if SCANS.search(each[0])]
    assert len(found) < len(await explain(query(name)))


async def test_what_stands_is_sought_by_both_clocks(explain: Any) -> None:
    """Neither superseded versions nor closed windows are looked at for a question about the present."""
    seeks = [details for operator, details in await explain(query("facts-of-key")) if "IndexSeek" in operator]
    (present,) = [each for each in seeks if "superseded_at = " in each]
    assert re.search(r"valid_to > ", present), present


async def test_the_lock_comes_before_every_look_up(explain: Any) -> None:
    """The plan is a chain of Apply: each look-up runs for the locked node, none beside it."""
    found = [operator for operator, _ in await explain(query("scope-lock"))]
    assert "CartesianProduct" not in found
    assert found.index("SetProperty") < min(i for i, each in enumerate(found) if each == "NodeIndexSeek")


@pytest.mark.parametrize(
    "name",
    [
        "facts-of-scope",
        "history-of-scope",
        "changes",
        "dump-entities",
        "dump-episodes",
        "dump-versions",
        "dump-links",
        "dump-records",
        "record-bodies",
    ],
)
async def test_a_page_reads_no_further_than_its_end(name: str, explain: Any) -> None:
    """The index has the order of the page, so that a hundred rows of a large scope cost a hundred rows."""
    found = [operator for operator, _ in await explain(query(name))]
    whole = found.count("Top") + found.count("Sort")
    assert whole == (1 if name in ("changes", "dump-episodes") else 0) + (name == "dump-versions"), found


@pytest.mark.parametrize("name", ["held", "add-sources", "scope-lock"])
async def test_the_latest_is_the_last_of_the_index(name: str, explain: Any) -> None:
    found = [operator for operator, _ in await explain(query(name))]
    assert "Limit" in found and "Top" not in found
