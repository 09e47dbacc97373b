"""Every authored case a host may send, through a real process that has to live through all of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.provider.kettle import GOAL
from tests.provider.wire import CASES, DECLARES_A_SPACE, assert_expected, raw

from .conftest import Kitchen
from .host import Host


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_answer(case: dict[str, Any], host: Host, kitchen: Kitchen) -> None:
    line, expected = raw(case, kitchen.kettle), case["expected_reply"]
    assert line.endswith(b"\n")
    if expected == {"exit": 0}:
        with kitchen.host() as another:
            another.send(line)
            code, seconds, rest = another.end()
        assert (code, rest) == (0, [])
        assert seconds < 2
        return
    if case.get("needs") == DECLARES_A_SPACE:
        expected = {"type": "error", "code": "bad_request", "id": "w-17"}  # no space is declared
    host.send(line)
    reply = None if expected.get("reply", "") is None else host.receive()
    assert_expected(reply, expected)
    after = host.query(GOAL, id=f"after {case['name']}")
    assert after["id"] == f"after {case['name']}"
    assert after["result"]["frames"]
