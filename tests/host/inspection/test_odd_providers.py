"""Providers that offer little, answer nonsense, or may not be asked: an inspection goes on to its end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_provider.host.errors import ProviderCrashed, TransportError
from memory_provider.host.inspection import Report, Status, inspect_provider
from memory_provider.host.inspection.runner import inspect_over
from memory_provider.temporal.errors import InvalidInput

from .small_provider import FRAMES, Exit, Json, Spoil, written
from .spoiling import GONE, ack, at, holding, is_goodbye, member, says_nothing, unread, with_
from .test_every_breach_is_found import as_it_should, broken, report
from .wires import ProcessLike, ServerLike

FLOW = {"reads": True, "writes": False, "egress": True, "egress_scopes": ["org-tenant"]}


def at_all(*spoils: Spoil) -> Spoil:
    def spoil(moment: str, asked: Json, what: Any) -> Any:
        for each in spoils:
            what = each(moment, asked, what)
        return what

    return spoil


def offers_nothing(said: Json) -> Json:
    del said["attester_keys"]
    return said | {"capabilities": {"query": {"kinds": ["fact"]}}}


def whole(frame: Json) -> Json:
    return dict(next(each for each in FRAMES if each["id"] == frame["id"]))


def unsigned(said: Json) -> Json:
    if said["type"] == "frames":
        for name in ("frame_attestations", "result_attestation"):
            said["result"].pop(name, None)
    return said


def unseen(report: Report) -> set[str]:
    return {each.requirement.id for each in report.of(Status.NOT_OBSERVED)}


@pytest.mark.parametrize("is_stdio", [True, False])
async def test_a_provider_that_offers_nothing_but_frames(is_stdio: bool) -> None:
    """No ids, no graph, no verdicts: what hangs on them does not apply, and all else is looked at."""
    bare = at_all(
        at(
            "handshake", lambda asked, said: offers_nothing(said) if said["type"] == "handshake_ack" else said
        ),
        at("query", lambda asked, said: unsigned(with_(said, GONE, "id"))),
        at("served", lambda query, frames: [whole(each) for each in frames]),
    )
    found = await report(bare, is_stdio=is_stdio)
    assert not broken(found), {each.requirement.id: each.evidence for each in found.of(Status.BROKEN)}
    for id in (
        "H4",
        "V2",
        "V2p",
        "V4",
        "V5p",
        "G3",
        "G4",
        "E1p",
        "P2",
        "P3",
        "P6",
        "F7",
        "F12",
        "LP-ID1",
        "LH1",
    ):
        assert found[id].status is Status.NOT_APPLICABLE, id
    assert unseen(found) == {"C3", "U4"}


async def test_without_frames_it_says_what_was_not_seen() -> None:
    found = await report(at("served", lambda query, frames: []))
    assert not broken(found)
    for id in ("F1", "F5", "B1", "B4", "Q1", "D1", "G1", "V2p", "LH1", "LO-R1"):
        assert found[id].status is Status.NOT_OBSERVED, id
        assert found[id].reason
    assert "no frame was served" in str(found["F1"].reason)
    assert found["R1"].status is found["H1"].status is found["QFMT"].status is Status.MET


async def test_what_only_this_host_does_not_take_is_no_breach() -> None:
    """Labels of any length are within the protocol."""
    found = await report(member("citation_label", "a label " * 500))
    assert not broken(found)


NONSENSE: dict[str, Any] = {
    "frames without a result": {"type": "frames"},
    "a result that is a list": {"type": "frames", "result": []},
    "frames of no shape": {
        "type": "frames",
        "result": {"frames": [1, None, [], {}, {"id": 7}], "truncated": False},
    },
    "frames with nonsense in them": {
        "type": "frames",
        "result": {
            "frames": [
                {
                    "id": "a",
                    "kind": "fact",
                    "title": "t",
                    "content": "\u0000\u001b[2J",
                    "score": 1e308,
                    "token_cost": 10**30,
                    "provenance": [{"type": "file", "uri": "file:///dev/zero", "range": "L" + "9" * 5000}],
                    "relations": [{"rel": "", "target_uri": ""}],
                    "valid_from": "x" * 1000,
                },
            ],
            "truncated": "no",
        },
    },
    "verdicts of no shape": {"type": "verified", "response": {"verdicts": [{"frame": []}, 7, {"frame": {}}]}},
    "an acknowledgement": {"type": "handshake_ack"},
    "an error of no shape": {"type": "error", "code": {"a": 1}, "message": []},
    "another object": {"type": "\u001b[31mred"},
    "no object": [],
}


@pytest.mark.parametrize("name", NONSENSE)
@pytest.mark.parametrize("is_stdio", [True, False])
async def test_nonsense_for_every_answer_is_a_report_all_the_same(name: str, is_stdio: bool) -> None:
    found = await report(
        lambda moment, asked, what: (
            [written(NONSENSE[name])] if moment == "line" and b"handshake" not in what else what
        ),
        is_stdio=is_stdio,
    )
    assert not found.passes()
    assert len(found.results) == 82
    shown = json.dumps(found.plain(), ensure_ascii=False)
    assert "\u001b" not in shown and "\u0000" not in shown
    assert max(len(each.what) for result in found.results for each in result.evidence) < 1500


@pytest.mark.parametrize(
    "name", ["an acknowledgement", "another object", "no object", "frames without a result"]
)
async def test_nonsense_for_an_acknowledgement_breaks_it(name: str) -> None:
    found = await report(unread(lambda line: True, lambda: [written(NONSENSE[name])]))
    assert not found.passes()


async def test_silence_has_an_end() -> None:
    found = await report(unread(holding(b'"query"'), says_nothing))
    assert "R1" in broken(found)
    assert any("unanswered" in each.what for each in found["R1"].evidence)


async def test_a_provider_that_does_not_come_back_is_a_breach() -> None:
    starts = iter([True])

    def spoil(moment: str, asked: Json, what: Any) -> Any:
        if moment == "line" and b"handshake" in what and not next(starts, False):
            raise Exit(7)
        return what

    found = await report(spoil)
    assert {"H1", "R1"} <= broken(found)


# --- consent


class Heard:
    """What a provider is sent."""

    def __init__(self, spoil: Spoil) -> None:
        self.types: set[str] = set()
        self._spoil = spoil

    def __call__(self, moment: str, asked: Json, what: Any) -> Any:
        if moment == "line":
            try:
                self.types.add(json.loads(what)["type"])
            except (ValueError, TypeError, KeyError, RecursionError):
                self.types.add("nonsense")
        return self._spoil(moment, asked, what)


async def inspected(
    spoil: Spoil, *, is_here: bool = True, consent: bool = False, is_stdio: bool = False
) -> Report:
    make: Any = ProcessLike if is_stdio else ServerLike
    return await inspect_over(
        lambda: make(spoil), is_stdio=is_stdio, is_here=is_here, consent=consent, patience=0.3, settle=0.01
    )


@pytest.mark.parametrize("is_stdio", [True, False])
@pytest.mark.parametrize(
    "declares",
    [
        ack(FLOW, "provider", "data_flow"),
        ack(["org-tenant"], "provider", "data_flow", "egress_scopes"),
        ack(GONE, "provider", "data_flow"),
        ack("no", "provider", "data_flow", "egress"),
    ],
    ids=["egress", "a scope lie", "nothing", "nonsense"],
)
async def test_what_may_leave_the_machine_is_not_asked(declares: Spoil, is_stdio: bool) -> None:
    heard = Heard(declares)
    found = await inspected(heard, is_stdio=is_stdio)
    assert heard.types == {"handshake", "shutdown"}
    assert found["F1"].status is Status.NOT_OBSERVED
    assert "nobody agreed" in str(found["F1"].reason)
    assert found["H1"].status is Status.MET


async def test_nor_is_what_is_not_on_this_machine() -> None:
    heard = Heard(as_it_should)
    found = await inspected(heard, is_here=False)
    assert heard.types == {"handshake", "shutdown"}
    assert "nobody agreed" in str(found["B1"].reason)


async def test_with_consent_all_is_asked() -> None:
    heard = Heard(ack(FLOW, "provider", "data_flow"))
    found = await inspected(heard, is_here=False, consent=True)
    assert {"query", "verify", "nonsense"} <= heard.types
    assert not broken(found)


# --- HTTP


def response(status: int, body: bytes = b"") -> bytes:
    return b"%d\0%b" % (status, body)


def gone_after_a_goodbye() -> Spoil:
    heard: list[bytes] = []

    def line(asked: Json, data: bytes) -> Any:
        heard.append(data)
        return [response(503)] if any(map(is_goodbye, heard[:-1])) else data

    return at("line", line)


HTTP_MODES: dict[str, tuple[set[str], Spoil]] = {
    "400 for what cannot be read": (
        set(),
        at("refusal", lambda asked, said: said if asked else response(400, written(said))),
    ),
    "400 for a question that can be": (
        {"T4", "QFMT"},
        at("refusal", lambda asked, said: response(400, written(said)) if "as_of" in str(asked) else said),
    ),
    "500 with an envelope": (
        {"T4", "LO-R3"},
        at(
            "memory-provider:resolve",
            lambda asked, said: response(500, written(said)) if "nowhere" in str(asked) else said,
        ),
    ),
    "no envelope for a question": ({"T4"}, unread(holding(b"near/3"), lambda: [response(204)])),
    "a page for an envelope": ({"T4"}, unread(holding(b"near/3"), lambda: [response(200, b"<html>")])),
    "gone after a goodbye": ({"T4", "R2"}, gone_after_a_goodbye()),
}


@pytest.mark.parametrize("name", HTTP_MODES)
async def test_what_is_against_the_binding(name: str) -> None:
    breaks, spoil = HTTP_MODES[name]
    found = await report(spoil, is_stdio=False)
    assert broken(found) - {"LP-ID1"} == breaks, {
        each.requirement.id: [seen.what for seen in each.evidence if not seen.holds]
        for each in found.of(Status.BROKEN)
    }


# --- addresses


@pytest.mark.parametrize(
    ("address", "kind", "said"),
    [
        ("stdio: /nowhere/at-all", ProviderCrashed, "could not be started"),
        ("stdio:", InvalidInput, "names no command"),
        ("teapot", InvalidInput, "no address"),
        ("http://provider.example/", InvalidInput, "https"),
        ("http://127.0.0.1:9/", TransportError, "ConnectError"),
    ],
)
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_what_cannot_be_inspected(address: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        await inspect_provider(address)


async def test_a_token_is_for_http() -> None:
    with pytest.raises(InvalidInput, match="token"):
        await inspect_provider("stdio: true", token="t0ken")


async def test_a_secret_that_is_echoed_is_not_shown() -> None:
    echoes = at("refusal", lambda asked, said: said | {"code": "t0ken-of-somebody"})
    found = await inspect_over(
        lambda: ProcessLike(echoes),
        is_stdio=True,
        is_here=True,
        patience=0.3,
        settle=0.01,
        secret="t0ken-of-somebody",
    )
    assert found["U3"].status is Status.BROKEN
    assert "t0ken" not in json.dumps(found.plain())
