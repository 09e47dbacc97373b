"""`host query`: one prompt from many providers, what each came to, and an exit code that means something."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trustme

from memory_provider.host import PREAMBLE
from tests.transports.http.server import Server

from .asked_providers import NOTES, Canned, adversary, over_http
from .canned_provider import frame
from .terminal import Said, Terminal


@pytest.fixture(autouse=True)
def consents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "consents.json"
    monkeypatch.setenv("MEMORY_CONSENTS", str(path))
    return path


@pytest.fixture
def kettle(terminal: Terminal) -> Terminal:
    """A memory in which the kettle was moved."""
    moved = ("kettle", "stands_on", "--text")
    terminal.done("define", "stands_on", "--one", "--object", "text", "--label", "stands on")
    terminal.done("assert", *moved, "stove", "--from", "2020", "--recorded-at", "2020-01-02")
    terminal.done("correct", *moved, "shelf", "--from", "2020", "--recorded-at", "2021-01-02")
    return terminal


def query(terminal: Terminal, *arguments: str) -> Said:
    return terminal("host", "query", "where is the kettle?", *arguments)


def ids_of(shape: Any) -> list[tuple[str, str]]:
    return [(each["provider_id"], each["id"]) for each in shape["frames"]]


def test_one_prompt_quotes_a_memory_and_another_provider(kettle: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    said = query(kettle, "--memory", "--provider", f"tea={canned.address}")
    assert said.code == 0
    assert said.out.startswith(PREAMBLE)
    blocks = said.out[len(PREAMBLE) :]
    assert (
        '<frame provider="tea" id="c1" kind="fact" cite="label c1">\nThe kettle is hot.\n</frame>\n' in blocks
    )
    assert "kettle stands on shelf (since 2020-01-01)" in blocks
    assert said.err.splitlines() == ["provider memory: 1 frame, 11 tokens", "provider tea: 1 frame, 5 tokens"]
    assert canned.types == ["handshake", "query", "shutdown"]


def test_the_budget_is_for_all_of_them(kettle: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    options = ("--memory", "--provider", canned.address, "--max-frames", "3")
    shape = query(kettle, *options, "--max-tokens", "101", "--json").json
    assert canned.sent[1]["query"] == {"goal": "where is the kettle?", "max_frames": 3, "max_tokens": 50}
    assert shape["audit"]["tokens_used"] <= shape["audit"]["global_budget"] == 101
    assert shape["usage"]["budget_requested"] == 101
    assert shape["usage"]["budget_consumed"] == 16
    tight = query(kettle, *options, "--max-tokens", "50")
    assert (tight.code, tight.out.count("<frame provider=")) == (0, 1)
    assert tight.err.splitlines()[2:] == ["1 frame did not fit 50 tokens: raise --max-tokens"]
    small = query(kettle, *options, "--max-tokens", "22")
    assert (small.code, small.out) == (1, "")
    assert small.err.splitlines()[-1] == "nothing fits 22 tokens: raise --max-tokens"


def test_the_content_behind_a_reference_is_fetched_where_that_is_possible(
    kettle: Terminal, tmp_path: Path
) -> None:
    said = query(kettle, "--memory", "--representation", "reference")
    assert said.code == 0 and "kettle stands on shelf (since 2020-01-01)" in said.out
    assert said.err == "provider memory: 1 frame, 11 tokens\n"


def test_json_has_everything(kettle: Terminal, tmp_path: Path) -> None:
    good, bad = (
        frame("c1", "The kettle is hot."),
        frame("c2", "It is cold.", content_digest="sha256:" + "0" * 64),
    )
    canned = Canned(tmp_path / "c.json", frames=[good | {"provider_id": "memory"}, bad])
    options = ("--memory", "--provider", f"tea={canned.address}")
    shape = query(kettle, *options, "--as-of", "2026", "--json").json
    assert shape["prompt"] == query(kettle, *options, "--as-of", "2026").out
    assert (shape["goal"], shape["as_of"], shape["known_at"]) == (
        "where is the kettle?",
        "2026-01-01T00:00:00Z",
        None,
    )
    assert ("tea", "c1") in ids_of(shape) and ("memory", "c1") not in ids_of(shape)
    [quoted] = [each for each in shape["frames"] if each["id"] == "c1"]
    assert {**quoted, "provider_id": "memory"} == good | {"provider_id": "memory"}
    assert [each["frame"]["frame_id"] for each in shape["citations"]] == [id for _, id in ids_of(shape)]
    outcomes = {each["provider"]: each for each in shape["outcomes"]}
    assert outcomes["memory"]["outcome"] == outcomes["tea"]["outcome"] == "frames"
    [set_aside] = outcomes["tea"]["quarantined"]
    assert set_aside["frame"]["frame_id"] == "c2" and "(D1)" in set_aside["reasons"][0]
    audited = {each["frame"]["frame_id"]: each["outcome"] for each in shape["audit"]["entries"]}
    assert (audited["c1"], audited["c2"]) == ("included", "rejected")
    usage = {each["provider_id"]: each for each in shape["usage"]["providers"]}
    assert (usage["tea"]["frames_served"], usage["tea"]["frames_rejected"]) == (1, 1)


def test_the_audit_and_the_usage_follow_the_prompt(kettle: Terminal, tmp_path: Path) -> None:
    twice = [frame("c1", "The kettle is hot."), frame("c2", "The kettle is hot."), frame("c3", "x" * 4000)]
    canned = Canned(tmp_path / "c.json", frames=[*twice, frame("c4", "y", score=7)])
    options = ("--provider", f"tea={canned.address}", "--max-tokens", "1015")
    prompt = query(kettle, *options).out
    audited = query(kettle, *options, "--audit").out
    assert audited.startswith(prompt)
    books = " ".join(audited[len(prompt) :].split())
    for part in (
        "included as block 1, rank 1: 22 tokens",
        "duplicate of c1 of tea: same content",
        "over budget: 1018 tokens, 993 were left",
        "rejected: score: expected a number from 0 to 1, got 7",
        "tea 3 1 1010",
        "prompt: 22 of 1015 tokens, ranked round_robin",
        "usage: 1010 of 1015 tokens",
    ):
        assert part in books, books


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("dies", "it ended"),
        ("dies mid-line", "it ended"),
        ("log line", "a line is no envelope"),
        ("version", "contextgraph/2.0"),
        ("scope lie", "C5"),
        ("wrong id", "expected q1 (H4)"),
        ("error", "it answered unavailable: locked"),
        ("budget", "999999 tokens"),
        ("flood", "500 frames where 10 were asked for"),
        ("digest", "1 frame, 3 tokens; 1 set aside, the first because of content_digest"),
    ],
)
def test_what_one_does_takes_nothing_from_another(
    mode: str, why: str, tmp_path: Path, terminal: Terminal
) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    shown = query(terminal, "--provider", f"bad={adversary(mode)}", "--provider", f"tea={canned.address}")
    assert shown.code == 0
    assert "The kettle is hot." in shown.out
    bad, tea = shown.err.splitlines()
    assert bad.startswith("provider bad: ") and why in bad, bad
    assert tea == "provider tea: 1 frame, 5 tokens"


def test_one_that_is_silent_has_an_end(terminal: Terminal) -> None:
    said = query(terminal, "--provider", f"bad={adversary('hangs')}", "--timeout", "0.2")
    assert (said.code, said.out) == (1, "")
    assert said.err.splitlines() == ["provider bad: no answer within 0.2 s", "nothing to quote"]
    failed = query(terminal, "--provider", f"bad={adversary('hangs')}", "--timeout", "0.2", "--json")
    [outcome] = failed.json["outcomes"]
    assert (failed.code, failed.json["prompt"]) == (1, "")
    assert (outcome["outcome"], outcome["error"], outcome["reaction"]) == (
        "failed",
        "AnswerTimeout",
        "back_off",
    )


def test_known_at_reaches_those_who_know_of_it(kettle: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    options = ("--memory", "--provider", f"tea={canned.address}", "--known-at", "2020-06")
    said = query(kettle, *options)
    assert said.code == 0
    assert "kettle stands on stove" in said.out and "shelf" not in said.out
    assert said.err.splitlines()[1:] == [
        "provider memory: 1 frame, 11 tokens",
        "provider tea: 1 frame, 5 tokens; it takes no --known-at, so this is what it knows now",
    ]
    assert "memory-provider:known_at" not in canned.sent[1]["query"]
    canned.say(capabilities={"memory-provider:known_at": True})
    shape = query(kettle, *options, "--json").json
    assert shape["known_at"] == "2020-06-01T00:00:00Z"
    assert canned.sent[-2]["query"]["memory-provider:known_at"] == "2020-06-01T00:00:00Z"
    assert [each["withheld"] for each in shape["outcomes"]] == [[], []]


def test_as_of_is_asked_and_held_to(kettle: Terminal, tmp_path: Path) -> None:
    old = frame("c1", "The kettle is hot.", valid_to="2019-01-01T00:00:00Z")
    canned = Canned(tmp_path / "c.json", frames=[old])
    said = query(kettle, "--memory", "--provider", f"tea={canned.address}", "--as-of", "2020-06", "--json")
    assert canned.sent[1]["query"]["as_of"] == "2020-06-01T00:00:00Z"
    assert {provider for provider, _ in ids_of(said.json)} == {"memory"}
    assert "(Q2)" in said.err


def test_who_serves_none_of_the_kinds_is_not_asked(kettle: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", kinds=["recipe"], frames=[frame("c1", "x", kind="recipe")])
    options = ("--memory", "--provider", f"tea={canned.address}")
    said = query(kettle, *options, "--kind", "fact", "--kind", "doc", "--json")
    assert "provider tea: not asked, it serves none of the kinds asked for" in said.err.splitlines()
    assert said.json["outcomes"][1] == {"provider": "tea", "outcome": "not_asked"}
    assert "query" not in canned.types
    assert ids_of(query(kettle, *options, "--kind", "recipe", "--json").json) == [("tea", "c1")]


def test_what_else_is_asked_goes_along(terminal: Terminal, tmp_path: Path) -> None:
    canned = Canned(
        tmp_path / "c.json", capabilities={"representations": ["full", "compact"], "resolve": True}
    )
    query(
        terminal,
        *("--provider", canned.address, "--anchor", "a:1", "--anchor", "a:2"),
        *("--representation", "compact", "--representation", "full", "--representation", "reference"),
    )
    asked = canned.sent[1]["query"]
    assert asked["anchors"] == ["a:1", "a:2"]
    assert asked["representation_preferences"] == ["compact", "full"]


def test_what_is_behind_a_reference_is_fetched_and_what_is_not_there_is_not_made_up(
    kettle: Terminal, tmp_path: Path
) -> None:
    handle: dict[str, Any] = frame("c1", "", representation="reference", title="Tea", token_cost=0)
    del handle["content"], handle["content_digest"]
    handle["content_ref"] = {"provider_id": "canned", "uri": "canned:c1"}
    handle["canonical_content_hash"] = "sha256:" + "0" * 64
    can = {"representations": ["full", "reference"], "resolve": True}
    canned = Canned(tmp_path / "c.json", frames=[handle], capabilities=can)
    options = ("--memory", "--provider", f"tea={canned.address}", "--representation", "reference")
    said = query(kettle, *options, "--known-at", "2020-06")
    assert said.code == 0
    assert "kettle stands on stove" in said.out and "shelf" not in said.out
    assert '<frame provider="tea" id="c1" kind="fact" cite="label c1">\n\n</frame>' in said.out
    memory, tea = said.err.splitlines()[1:]
    assert memory == "provider memory: 1 frame, 11 tokens"
    assert "1 report: frame c1: it is left as it came" in tea


def test_who_is_ranked_first(terminal: Terminal, tmp_path: Path) -> None:
    loud = Canned(tmp_path / "a.json", frames=[frame(f"a{n}", f"kettle {n}", score=0.9) for n in range(4)])
    low = Canned(tmp_path / "b.json", frames=[frame(f"b{n}", f"pot {n}", score=0.1) for n in range(4)])
    whom = ("--provider", f"a={loud.address}", "--provider", f"b={low.address}", "--max-tokens", "80")
    kept = {}
    for policy in ("score", "round-robin", "quota:1", "quota:3"):
        shape = query(terminal, *whom, "--rank", policy, "--json").json
        kept[policy] = sorted(id for _, id in ids_of(shape))
        assert shape["audit"]["ranking"].replace("_", "-")[:5] in (policy[:5], "by-sc", "per-p")
    assert kept["score"] == ["a0", "a1", "a2", "a3"]
    assert kept["round-robin"] == ["a0", "a1", "b0", "b1"]
    assert kept["quota:1"] == ["a0", "a1", "a2", "b0"]
    assert kept["quota:3"] == ["a0", "a1", "a2", "b0"]


def test_nobody_is_pushed_out_by_high_scores(terminal: Terminal, tmp_path: Path) -> None:
    """Small frames with long labels take more of a prompt than of the provider's share."""
    greedy = [frame(f"a{n}", "x", score=1.0, citation_label=f"{n}" * 900) for n in range(10)]
    honest = [frame(f"b{n}", f"pot {n}", score=0.1) for n in range(10)]
    whom = [
        f"{name}={Canned(tmp_path / name, frames=frames).address}"
        for name, frames in (("a", greedy), ("b", honest))
    ]
    shape = query(terminal, "--provider", whom[0], "--provider", whom[1], "--json").json
    assert {id for name, id in ids_of(shape) if name == "b"} == {f"b{n}" for n in range(10)}


def test_strict_sets_aside_a_frame_that_misstates_its_cost(terminal: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.", token_cost=1)])
    lax = query(terminal, "--provider", f"tea={canned.address}")
    assert lax.code == 0 and "1 report: frame c1: token_cost" in lax.err
    strict = query(terminal, "--provider", f"tea={canned.address}", "--strict")
    assert strict.code == 1 and "1 set aside" in strict.err


def test_a_memory_that_cannot_be_opened_takes_nothing_from_the_others(
    terminal: Terminal, tmp_path: Path
) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database" * 1000)
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    said = query(
        terminal, "--memory", "--store", f"sqlite:///{tmp_path / 'broken.db'}", "--provider", canned.address
    )
    assert said.code == 0 and "The kettle is hot." in said.out
    assert "provider memory: it answered unavailable" in said.err
    assert "Traceback" not in said.err


def test_a_provider_without_an_id_is_called_like_its_program_or_its_host(terminal: Terminal) -> None:
    with over_http() as server:
        shape = query(terminal, "--provider", f"stdio: {NOTES}", "--provider", server.url, "--json").json
    names = [each["provider"] for each in shape["outcomes"]]
    assert names == [Path(sys.executable).name, server.url.removeprefix("http://").removesuffix("/")]


def test_over_http_nothing_is_asked_before_consent_and_everything_after(
    kettle: Terminal, consents: Path
) -> None:
    with Server(kettle.store, kettle.scope) as server:
        said = query(kettle, "--provider", f"there={server.url}")
        assert said.code == 1
        grant = f"memory-provider host consent grant there --provider {server.url}"
        assert said.err.splitlines()[0].endswith(grant)
        granted = kettle.bare(*grant.split()[1:], "--yes", "--until", "2999")
        assert granted.code == 0, granted
        said = query(kettle, "--provider", f"there={server.url}")
        assert said.code == 0 and "kettle stands on shelf" in said.out


def test_a_token_is_sent_to_its_provider_and_shown_to_nobody(
    terminal: Terminal, tmp_path: Path, consents: Path
) -> None:
    (tmp_path / "token").write_text("hunter2-secret\n")
    with over_http("hunter2-secret", frames=[frame("c1", "hot")]) as server, over_http() as other:
        whom = ("--provider", f"tea={server.url}", "--provider", f"other={other.url}")
        without = query(terminal, *whom)
        assert "provider tea: it refused the credential (HTTP 401); give --token-file tea=FILE" in without.err
        token = ("--token-file", f"tea={tmp_path / 'token'}")
        for id, url in (("tea", server.url), ("other", other.url)):
            options = token if id == "tea" else ()
            done = terminal.bare("host", "consent", "grant", id, "--provider", url, "--yes", *options)
            assert done.code == 0, done
        said = query(terminal, *whom, *token)
        assert said.code == 0, said
        assert server.types[-1] == "query"
        for shown in (without, said):
            assert "hunter2" not in shown.out + shown.err
    assert "hunter2" not in consents.read_text()


def test_a_command_gets_of_the_environment_what_is_passed_on(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEA_KEY", "hunter2")
    monkeypatch.setenv("POT_KEY", "hunter3")
    whom = []
    for id in ("tea", "pot"):
        canned = Canned(tmp_path / f"{id}.json", frames=[frame("c1", "$TEA_KEY$POT_KEY")])
        whom += ["--provider", f"{id}={canned.address}"]
    shape = query(terminal, *whom, "--pass-env", "tea=TEA_KEY", "--json").json
    environments = [json.loads((tmp_path / f"{id}.environment").read_text()) for id in ("tea", "pot")]
    assert [each.get("TEA_KEY") for each in environments] == ["hunter2", None]
    assert not any("POT_KEY" in each for each in environments)
    assert "hunter2" not in json.dumps(shape)
    alone = query(terminal, *whom[:2], "--pass-env", "POT_KEY")
    assert alone.code == 0
    assert json.loads((tmp_path / "tea.environment").read_text())["POT_KEY"] == "hunter3"


def test_a_certificate_of_an_authority_that_is_named(
    kettle: Terminal, tmp_path: Path, consents: Path
) -> None:
    authority, certificate = trustme.CA(), tmp_path / "cert.pem"
    certificate.write_bytes(authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.bytes())
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    trust = ("--tls-ca", str(tmp_path / "ca.pem"))
    with Server(kettle.store, kettle.scope, "--tls-cert", f"{certificate}") as server:
        whom = ("--provider", server.url)
        done = kettle.bare("host", "consent", "grant", "there", *whom, *trust, "--yes")
        assert done.code == 0, done
        whom = ("--provider", f"there={server.url}")
        assert "kettle stands on shelf" in query(kettle, *whom, *trust).out
        untrusted = query(kettle, *whom)
        assert untrusted.code == 1 and "certificate" in untrusted.err
    for file, why in (
        (certificate.with_name("none"), "No such file"),
        (tmp_path / "test.py", "no certificate"),
    ):
        if why == "no certificate":
            file.write_text("nothing")
        refused = query(kettle, *whom, "--tls-ca", str(file))
        assert refused.code == 2 and why in refused.err and refused.err.count("\n") == 1


def test_what_to_type_does_not_repeat_the_secrets_of_a_url(terminal: Terminal) -> None:
    with over_http() as server:
        said = query(terminal, "--provider", f"tea={server.url}?key=hunter2")
    assert f"grant tea --provider '{server.url}?…'" in said.err
    assert "hunter2" not in said.err
    assert server.types == ["handshake"]


BAD = [
    ((), "--provider ADDRESS, or --memory"),
    (("--provider", "kettle"), "no address of a provider"),
    (("--provider", "tea=kettle"), "provider tea"),
    (("--provider", "stdio: 'open"), "cannot be split"),
    (("--provider", "http://docs.example"), "https://"),
    (("--provider", "https://ann:hunter2@docs.example"), "token"),
    (("--provider", "tea=stdio: a", "--provider", "tea=stdio: b"), "two providers are called tea"),
    (("--provider", "stdio: /a/p", "--provider", "stdio: /b/p"), "two providers are called p"),
    (("--memory", "--provider", "memory=stdio: p"), "two providers are called memory"),
    (("--provider", "stdio: p", "--token-file", "p=x"), "no provider over HTTP is named"),
    (
        ("--provider", "a=https://a.example", "--token-file", "a=hunter2"),
        "the file for a cannot be read: No such file",
    ),
    (
        ("--provider", "a=https://a.example", "--provider", "b=https://b.example", "--token-file", "x"),
        "ID=…",
    ),
    (("--provider", "stdio: p", "--pass-env", "NO_SUCH_NAME"), "NO_SUCH_NAME"),
    (("--provider", "https://a.example", "--pass-env", "PATH"), "no provider with a command is named"),
    (("--provider", "stdio: p", "--provider", "stdio: q", "--pass-env", "PATH"), "ID=…"),
    (("--provider", "stdio: p", "--rank", "best"), "round-robin"),
    (("--provider", "stdio: p", "--rank", "quota:"), "round-robin"),
    (("--provider", "stdio: p", "--max-tokens", "-1"), "--max-tokens"),
    (("--provider", "stdio: p", "--max-tokens", "4294967296"), "--max-tokens"),
    (("--provider", "stdio: p", "--max-frames", "many"), "--max-frames"),
    (("--provider", "stdio: p", "--timeout", "0"), "--timeout"),
    (("--provider", "stdio: p", "--timeout", "nan"), "--timeout"),
    (("--provider", "stdio: p", "--as-of", "yesterday"), "not guessed"),
    (("--provider", "stdio: p", "--representation", "poem"), "poem"),
    (("--provider", "stdio: p", "--kind", "\udcff"), "surrogate"),
    (("--memory", "--store", "nosuch://x"), "nosuch"),
    (("--memory", "--scope", ""), "scope"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=[" ".join(each)[:50] or "none" for each, _ in BAD])
def test_bad_input(terminal: Terminal, arguments: tuple[str, ...], why: str) -> None:
    said = terminal("host", "query", "kettle", *arguments)
    assert (said.code, said.out) == (2, ""), said
    assert said.err.startswith("error: ") and said.err.count("\n") == 1
    assert why in said.err
    assert "hunter2" not in said.err


@pytest.mark.parametrize("goal", ["", "  ", "\udcff"])
def test_a_goal_that_is_none(terminal: Terminal, goal: str) -> None:
    said = terminal("host", "query", goal, "--memory")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)


def test_tokens_that_are_none(terminal: Terminal, tmp_path: Path) -> None:
    for content in (b"", b"hunter2\nhunter3", b"hunter2\x1b", b"\xff"):
        (tmp_path / "token").write_bytes(content)
        said = query(terminal, "--provider", "https://a.example", "--token-file", str(tmp_path / "token"))
        assert said.code == 2 and "holds no token" in said.err and "hunter" not in said.err


def test_consents_that_cannot_be_read_stop_everything(
    kettle: Terminal, tmp_path: Path, consents: Path
) -> None:
    consents.write_text("nonsense")
    canned = Canned(tmp_path / "c.json")
    said = query(kettle, "--memory", "--provider", canned.address)
    assert (said.code, said.out) == (2, "")
    assert "is not a file of consents" in said.err


def test_on_a_terminal_no_content_can_steer_it_and_a_program_gets_it_as_it_is(tmp_path: Path) -> None:
    canned = Canned(
        tmp_path / "c.json", frames=[frame("c1\x1b]0;x\x07", "hot\x1b[2J\u202e", title="\x1b[8m")]
    )
    command = [sys.executable, "-m", "memory_provider", "host", "query", "kettle", "--audit"]
    command += ["--provider", f"tea={canned.address}"]
    piped = subprocess.run(command, capture_output=True)
    assert b"hot\x1b[2J\xe2\x80\xae\n</frame>" in piped.stdout
    terminal, its_end = pty.openpty()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=its_end, stderr=its_end) as running:
        os.close(its_end)
        shown = b""
        while chunk := _read(terminal):
            shown += chunk
        assert running.wait() == 0
    os.close(terminal)
    assert rb"hot\x1b[2J\u202e" in shown
    for forbidden in (b"\x1b[2J", b"\x1b]0", b"\x1b[8m", "\u202e".encode()):
        assert forbidden not in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody is at the other end any more
        return b""


def test_what_a_peer_writes_in_an_error_is_harmless(terminal: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", name="\x1b[2Jtea", frames=[{"id": "\x1b[2J"}])
    said = query(terminal, "--provider", f"tea={canned.address}")
    assert said.code == 1
    assert "\x1b" not in said.err
    canned.say(frames=[frame("\x1b[2J", "x", score=2)])
    assert "\x1b" not in query(terminal, "--provider", f"tea={canned.address}").err
    shape = query(terminal, "--provider", f"tea={canned.address}", "--json")
    assert json.loads(shape.out)["outcomes"][0]["quarantined"][0]["frame"]["frame_id"] == "\x1b[2J"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_is_interrupted_leaves_no_provider_behind(number: signal.Signals, tmp_path: Path) -> None:
    """The provider is in a group of its own: nobody else would end it."""
    held_open = tmp_path / "held"
    os.mkfifo(held_open)
    command = [sys.executable, "-m", "memory_provider", "host", "query", "kettle"]
    silent = (
        "import sys, time; f = open(sys.argv[1], 'w'); print('runs', file=f, flush=True); time.sleep(3600)"
    )
    command += ["--provider", f"bad=stdio: {shlex.join([sys.executable, '-c', silent, str(held_open)])}"]
    # A process started in the background, as these tests may be, ignores some of them, and so would what it starts.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    finally:
        signal.signal(number, before)
    with running:
        with held_open.open() as child:
            assert child.readline() == "runs\n"
            running.send_signal(number)
            assert running.wait() == 130
            assert child.read() == ""  # it is over when whoever holds the other end is
        assert running.stdout is not None and running.stderr is not None
        assert (running.stdout.read(), running.stderr.read()) == (b"", b"interrupted\n")


def test_what_the_host_logs_is_not_said_twice_but_in_a_log(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "memory_provider"]
    command = ["host", "query", "kettle", "--provider", f"bad={adversary('digest')}"]
    done = subprocess.run([*program, *command], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith("provider bad: 1 frame, 3 tokens; 1 set aside")
    logged = subprocess.run([*program, "--log-format", "json", *command], capture_output=True, text=True)
    assert any(
        json.loads(line)["level"] == "warning" for line in logged.stderr.splitlines() if line[0] == "{"
    )


def test_http_without_its_library_says_what_to_install(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_provider.cli.hosting.providers.find_spec", lambda name: None)
    said = query(terminal, "--provider", "https://a.example")
    assert (said.code, said.out) == (2, "")
    assert "pip install 'memory-provider[host]'" in said.err and said.err.count("\n") == 1
