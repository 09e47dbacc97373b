"""`recall --explain`: every candidate, and why it was served or not."""

from __future__ import annotations

import re

import pytest

from .terminal import Terminal

QUESTION = "where does Alice live?"
AS_OF = ("--as-of", "2026")


@pytest.fixture
def told(any_terminal: Terminal) -> Terminal:
    any_terminal.done("assert", "Alice", "lives_in", "--entity", "Paris", "--from", "2019", "--to", "2024")
    any_terminal.done("assert", "Alice", "lives_in", "--entity", "Lyon", "--from", "2024")
    any_terminal.done(
        "remember", "Alice: we live by the river", "--speaker", "Alice", "--occurred-at", "2024"
    )
    return any_terminal


def test_the_table_says_why(told: Terminal) -> None:
    said = told.done("recall", QUESTION, "--explain", "--max-frames", "1", *AS_OF).out
    frames, _, table = said.partition("rank ")
    assert "Alice lives in Lyon" in frames
    assert re.search(r"\n1 +\d\.\d\d +fact +served, \d+ of 800 tokens\n", table)
    assert re.search(r"\n2 +\d\.\d\d +\w+ +over --max-frames: as many as that were served\n", table)
    assert re.search(r"\n +fact +does not hold at this time\n", table), "it is Paris"
    assert re.search(r"found by facts, relations: text \d\.\d\d \+ words \d\.\d\d \+ names \d\.\d\d\n", table)
    assert re.search(r"\nsearched: facts \d+ \(at most 64\), episodes 1 \(at most 64\), entities 1, ", table)
    assert "Paris" not in table
    assert "Lyon" not in table


def test_the_json_says_the_same(told: Terminal) -> None:
    answer = told.json("recall", QUESTION, "--explain", "--max-tokens", "16", *AS_OF)
    explained = answer["explanation"]
    candidates = explained["candidates"]
    assert [each["id"] for each in candidates if each["outcome"] == "served"] == [
        frame["id"] for frame in answer["frames"]
    ]
    over = [each for each in candidates if each["outcome"] == "over_budget"]
    assert over
    assert all(each["token_cost"] > each["remaining"] for each in over)
    for each in candidates:
        assert set(each) == {
            *("id", "kind", "outcome", "arms", "rank", "score", "parts", "token_cost", "remaining"),
            "representation",
        }
    assert {arm["name"] for arm in explained["arms"]} >= {"facts", "episodes", "entities", "relations"}
    assert explained["left_out"] == 0


def test_it_is_told_also_where_nothing_was_served(told: Terminal) -> None:
    said = told("recall", QUESTION, "--explain", "--max-frames", "0", *AS_OF)
    assert said.code == 1
    assert "over --max-frames" in said.out
    said = told("recall", "zebra", "--explain", *AS_OF)
    assert (said.code, said.out.count("\n")) == (1, 1)
    assert said.out.startswith("searched: facts 0 ")


def test_nobody_who_does_not_ask_is_told(told: Terminal) -> None:
    assert "explanation" not in told.json("recall", QUESTION, *AS_OF)
    assert "searched" not in told.done("recall", QUESTION, *AS_OF).out
