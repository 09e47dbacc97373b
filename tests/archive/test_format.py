"""The format is what its page says, and what was written in it once can be read for good."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from memory_provider import Memory
from memory_provider.archive import export_scope, import_archive
from memory_provider.archive.rows import MEMBERS
from memory_provider.doctor import examine
from memory_provider.store import records
from tests.archive.forging import parsed

GOLDEN = {version: (Path(__file__).parent / f"format-{version}.jsonl").read_bytes() for version in (1, 2)}
PAGE = Path(__file__).parents[2] / "docs" / "archive.md"

ROWS: dict[str, tuple[Any, set[str]]] = {
    "entity": (records.Entity, set()),
    "predicate": (records.Predicate, set()),
    "episode": (records.Episode, set()),
    "version": (records.Version, {"replaces"}),
    "source": (records.SourceLink, set()),
    "record": (records.ContextRecord, set()),
    "tombstone": (records.Tombstone, set()),
    "idempotency": (records.IdempotencyRecord, set()),
}


@pytest.mark.parametrize("kind", MEMBERS)
def test_every_column_of_a_row_is_carried(kind: str) -> None:
    row, more = ROWS[kind]
    assert [member.name for member in MEMBERS[kind]] == [*row._fields, *more]


@pytest.mark.parametrize("kind", MEMBERS)
def test_the_page_lists_the_members(kind: str) -> None:
    line = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{kind}` |"))
    named = re.findall(r"`(\w+)`", line.rsplit("|", 2)[1])
    for member in MEMBERS[kind]:
        assert member.name in named


@pytest.mark.parametrize("version", GOLDEN)
async def test_an_archive_written_once_is_read_for_good(version: int) -> None:
    golden = GOLDEN[version]
    async with Memory.open("memory:", scope="again") as memory:
        report = await import_archive(memory, io.BytesIO(golden))
        assert dict(report.written) == {
            kind: count for kind, count in report.manifest.rows.items() if kind != "idempotency"
        }
        assert await examine(memory.store) == []
        archive = io.BytesIO()
        await export_scope(memory, archive)
    before = [line for line in parsed(golden)[1:-1] if "idempotency" not in line]
    assert parsed(archive.getvalue())[1:-1] == before


@pytest.mark.parametrize("version", GOLDEN)
async def test_the_same_lines_make_the_same_bytes(version: int) -> None:
    """What JSON leaves open, this format does not: order of members, spaces, escapes."""
    async with Memory.open("memory:", scope="again") as memory:
        await import_archive(memory, io.BytesIO(GOLDEN[version]))
        archive = io.BytesIO()
        await export_scope(memory, archive)
    golden = GOLDEN[version].split(b"\n")
    found = archive.getvalue().split(b"\n")
    for before, after in zip(golden[1:], found[1:-2], strict=False):
        if not before.startswith((b'{"idempotency"', b'{"manifest"')):
            assert before[: before.rindex(b',"chain"')] == after[: after.rindex(b',"chain"')]
