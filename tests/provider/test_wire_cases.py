"""Every authored case a host may send, answered in this process."""

from __future__ import annotations

from typing import Any

import pytest

from memory_provider.provider import Provider

from .conftest import Ask
from .kettle import GOAL, Kettle
from .wire import CASES, DECLARES_A_SPACE, assert_expected, raw

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_answer(case: dict[str, Any], ask: Ask, kettle: Kettle, provider: Provider) -> None:
    line = raw(case, kettle).rstrip(b"\r\n")
    if case["expected_reply"] == {"exit": 0}:
        assert (await provider.handle(line)) == (None, True)
        return
    expected = case["expected_reply"]
    if case.get("needs") == DECLARES_A_SPACE:
        expected = {"type": "error", "code": "bad_request", "id": "w-17"}  # no space is declared
    assert_expected(await ask(line), expected)
    after = await ask(
        {"type": "query", "id": "after", "query": {"goal": GOAL, "max_frames": 4, "max_tokens": 600}}
    )
    assert after["id"] == "after"
    assert after["result"]["frames"]
