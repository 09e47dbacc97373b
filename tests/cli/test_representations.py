"""`recall --representation` and `resolve`: extracts and handles, as a person and a program see them."""

from __future__ import annotations

import pytest

from .terminal import Terminal

LONG = f"{'Nothing was decided. ' * 40}The kettle goes to the museum. {'Then we had tea. ' * 40}".strip()


@pytest.fixture
def minutes(any_terminal: Terminal) -> Terminal:
    any_terminal.done("remember", LONG, "--source", "minutes", "--occurred-at", "2026-02-01")
    any_terminal.done("assert", "kettle", "made of", "copper", "--from", "2020")
    return any_terminal


def test_an_extract_and_what_it_is_of(minutes: Terminal) -> None:
    said = minutes.done("recall", "museum", "--max-tokens", "80", "--representation", "compact").out
    assert "The kettle goes to the museum." in said
    assert "…" in said
    assert said.rstrip().endswith(" (compact)")
    assert minutes("recall", "museum", "--max-tokens", "80").code == 1, "nothing fits"


def test_references_say_what_there_is(minutes: Terminal) -> None:
    answer = minutes.json(
        "recall",
        "kettle museum",
        "--max-tokens",
        "20",
        "--representation",
        "full",
        "--representation",
        "reference",
    )
    assert {frame["representation"] for frame in answer["frames"]} == {"full", "reference"}
    frame = next(frame for frame in answer["frames"] if frame["representation"] == "reference")
    assert (frame["content"], frame["token_cost"]) == ("", 0)
    canonical = frame["canonical"]
    assert canonical["digest"] == frame["digest"]
    assert canonical["tokenizer"] == "tiktoken/cl100k_base"
    assert 100 < canonical["tokens"] < 600
    assert minutes.done("resolve", canonical["uri"]).out == f"{LONG}\n"
    content = minutes.json("resolve", canonical["uri"])
    assert (content["content"], content["digest"], content["frame_id"]) == (
        LONG,
        frame["digest"],
        frame["id"],
    )
    assert minutes.done("verify", frame["id"], frame["digest"]).code == 0
    whole = next(frame for frame in answer["frames"] if frame["representation"] == "full")
    assert whole["canonical"] is None


def test_a_handle_to_nothing(minutes: Terminal) -> None:
    for handle in ("memory:content/x", "nonsense"):
        said = minutes("resolve", handle)
        assert (said.code, said.out) == (1, "")
        assert "is no handle to a content of this memory" in said.err
    assert minutes("recall", "kettle", "--representation", "holographic").code == 2
