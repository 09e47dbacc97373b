"""What docs/protocol.md shows works as shown, and what it states as limits is so."""

import re
from pathlib import Path
from typing import Any

import pytest

from memory_provider.protocol import ERROR_CODES, MAX_BYTES, MAX_DEPTH, U32_MAX

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=["representations", "types", "pydantic"])
def test_the_examples_run(block: str) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(block, "docs/protocol.md", "exec"), names)
    assert {"minutes", "query", "schema"} & names.keys()


@pytest.mark.parametrize(
    "limit", [f"{MAX_BYTES:,} bytes", f"more than {MAX_DEPTH} deep", f"0 to {U32_MAX:,} "]
)
def test_the_limits_are_those_of_the_decoder(limit: str) -> None:
    assert limit in PAGE


def test_the_codes_named_are_codes() -> None:
    named = set(re.findall(r"`error` `(\w+)`|refused with `(\w+)`", PAGE))
    assert {one or other for one, other in named} <= ERROR_CODES
