"""The plans of the reads on Neo4j: indexes, never a scan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from ..measuring import Effort
from ..results import Row
from ..stores import Measured

PART = "Plans on Neo4j"


async def run(measured: Measured, effort: Effort) -> AsyncIterator[Row]:
    """What the planner does with the statement of each read, parameters as the store gives them."""
    if measured.path:
        return
    corpus, memory = measured.corpus, measured.memory
    reads = {
        "facts(subject, predicate)": lambda: memory.at().facts(*corpus.keys("works_at")[0]),
        "recall": lambda: memory.at().recall(corpus.questions("named")[0]),
        "verify": lambda: memory.verify([("fact_x", "sha256:x")]),
    }
    for name, call in reads.items():
        for text, parameters in await _asked(call):
            operators = list(_operators(await _plan(measured, text, parameters)))
            indexes = sorted({_index(each) for each in operators} - {""})
            scans = sorted({_scan(each) for each in operators} - {""})
            yield Row(
                PART,
                measured.name,
                name,
                value=float(len(scans)),
                unit="scans",
                target="<= 0",
                note=", ".join(scans + indexes),
            )


SCANS = ("AllNodes", "NodeByLabel", "NodeIndexScan", "UnionNodeByLabels", "DirectedRelationshipType")


def _scan(operator: Any) -> str:
    """What an operator scans, if it scans."""
    kind = operator["operatorType"].partition("@")[0]
    return f"**{kind} of {_named(operator)}**" if kind.startswith(SCANS) else ""


async def _asked(call: Any) -> list[tuple[str, dict[str, Any]]]:
    from unittest import mock

    import neo4j

    seen: list[tuple[str, dict[str, Any]]] = []
    run = neo4j.AsyncManagedTransaction.run

    async def kept(self: Any, query: Any, parameters: Any = None, **keywords: Any) -> Any:
        seen.append((str(query), parameters or {}))
        return await run(self, query, parameters, **keywords)

    with mock.patch.object(neo4j.AsyncManagedTransaction, "run", kept):
        await call()
    return seen


async def _plan(measured: Measured, text: str, parameters: dict[str, Any]) -> Any:
    async def work(tx: Any) -> Any:
        return (await (await tx.run(f"EXPLAIN {text}", parameters)).consume()).plan

    store: Any = measured.memory.store
    return await store.wrapped._connection.read(work)


def _operators(plan: Any) -> Iterator[Any]:
    yield plan
    for child in plan.get("children", []):
        yield from _operators(child)


def _index(operator: Any) -> str:
    """What an operator seeks in, if it seeks."""
    kind = operator["operatorType"]
    if "queryNodes" in str(operator["args"].get("Details")):
        return "full text"
    return _named(operator) if "IndexSeek" in kind else ""


def _named(operator: Any) -> str:
    """`Fact(scope, subject, …)`: the index of an operator."""
    details = str(operator["args"].get("Details", ""))
    return details.partition(":")[2].partition(")")[0] + ")" if ":" in details else details
