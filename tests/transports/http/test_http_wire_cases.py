"""Every authored case a host may send, over HTTP, to one server that has to live through all of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.provider.kettle import GOAL
from tests.provider.wire import CASES, DECLARES_A_SPACE, assert_expected, assert_valid, raw
from tests.transports.conftest import Kitchen

from .server import Server


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_answer(case: dict[str, Any], server: Server, kitchen: Kitchen) -> None:
    expected = case["expected_reply"]
    if case.get("needs") == DECLARES_A_SPACE:
        expected = {"type": "error", "code": "bad_request", "id": "w-17"}  # no space is declared
    answer = server.post(raw(case, kitchen.kettle))
    if expected == {"exit": 0} or expected.get("reply", "") is None:
        assert (answer.status, answer.body) == (204, b"")
    else:
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/json"
        assert_expected(assert_valid(json.loads(answer.body)), expected)
    after = server.query(GOAL, id=f"after {case['name']}")
    assert after["id"] == f"after {case['name']}"
    assert after["result"]["frames"]
