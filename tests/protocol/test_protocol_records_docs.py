"""What docs/records.md shows works as shown, and what it states as limits is so."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from memory_provider.protocol import AppendRecords, decode, encode
from memory_provider.protocol.lifecycle.codes import LIFECYCLE_CODES
from memory_provider.protocol.lifecycle.hashing import record_hash
from memory_provider.protocol.lifecycle.records import read_record
from memory_provider.provider import lifecycle

PAGE = (Path(__file__).parents[2] / "docs/records.md").read_text(encoding="utf-8")
MESSAGES = [
    line for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()
]


@pytest.mark.anyio
async def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, as `python -m asyncio` takes them."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "example"}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        running = eval(compile(block, "docs/records.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
        if running is not None:
            await running
    assert names["answer"].response.records


@pytest.mark.parametrize("line", MESSAGES, ids=lambda line: line[9:45])
def test_the_messages_are_messages(line: str) -> None:
    assert encode(decode(line.encode())).decode() == line


def test_the_record_that_is_appended_is_one() -> None:
    [append] = [
        each for each in (decode(line.encode()) for line in MESSAGES) if isinstance(each, AppendRecords)
    ]
    for record in append.request.records:
        assert read_record(record).record_hash == record_hash(record)


@pytest.mark.parametrize(
    "stated",
    [
        f"`max_records` {lifecycle.MAX_RECORDS} ",
        f"`max_record_bytes` {lifecycle.MAX_RECORD_BYTES:,} ",
        f"`max_request_bytes` {lifecycle.MAX_REQUEST_BYTES:,} ",
        f"`max_statement_bytes` {lifecycle.MAX_STATEMENT_BYTES:,} ",
        f"| {lifecycle.KEY_LIFETIME.total_seconds():,.0f}, a week",
        ", ".join(f"`{name}`" for name in lifecycle.RETENTION),
        f"`default_retention` | `{lifecycle.INDEFINITE}`",
        f"`consent_class` | `{lifecycle.CONSENT_CLASS}`",
    ],
)
def test_the_limits_are_those_that_are_kept(stated: str) -> None:
    assert stated in PAGE


def test_every_member_of_the_block_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", PAGE, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(lifecycle.lifecycle_block(())) <= named


def test_every_code_of_the_profile_is_named() -> None:
    codes = PAGE[PAGE.index("## Codes") :]
    assert set(re.findall(r"`([a-z_]+)`", codes)) >= LIFECYCLE_CODES
