"""`host verify`: in a later process, from what `host query --json` printed."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from .asked_providers import Canned, adversary, over_http
from .canned_provider import frame
from .terminal import Terminal


@pytest.fixture(autouse=True)
def consents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "consents.json"
    monkeypatch.setenv("MEMORY_CONSENTS", str(path))
    return path


def held(terminal: Terminal, tmp_path: Path, *whom: str) -> Path:
    """What a query brought, in a file."""
    said = terminal.done("host", "query", "where is the kettle?", *whom, "--json")
    path = tmp_path / "held.json"
    path.write_text(said.out)
    return path


def test_what_stands_is_retained_and_what_changed_is_dropped(terminal: Terminal, tmp_path: Path) -> None:
    where = ("kettle", "stands_on", "--text")
    terminal.done("define", "stands_on", "--one", "--object", "text")
    terminal.done("assert", *where, "stove", "--from", "2020")
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    whom = ("--memory", "--provider", f"tea={canned.address}")
    file = held(terminal, tmp_path, *whom)
    said = terminal("host", "verify", str(file), *whom)
    assert (said.code, said.err) == (0, "")
    assert said.out.count("retained") == 2
    assert canned.sent[-2]["request"]["frames"][0]["provider_id"] == "canned"
    terminal.done("correct", *where, "stove", "--from", "2019")
    said = terminal("host", "verify", str(file), *whom)
    assert (said.code, said.err) == (1, "1 of 2 dropped\n")
    assert "stale: it says something else now" in said.out
    shape = terminal("host", "verify", str(file), *whom, "--json").json
    assert [each["provider_id"] for each in shape["retained"]] == ["tea"]
    [dropped] = shape["dropped"]
    assert (dropped["reason"], dropped["worth_asking_again"]) == ("stale", True)
    assert dropped["frame"]["provider_id"] == "memory"
    assert dropped["replacement_digest"].startswith("sha256:")
    canned.say(frames=[])
    shape = terminal("host", "verify", str(file), *whom, "--json").json
    assert [(each["reason"], each["worth_asking_again"]) for each in shape["dropped"]] == [
        ("stale", True),
        ("gone", False),
    ]


def test_a_provider_may_be_reached_another_way_later(terminal: Terminal, tmp_path: Path) -> None:
    terminal.done("assert", "kettle", "stands_on", "stove")
    file = held(terminal, tmp_path, "--memory")
    command = [sys.executable, "-m", "memory_provider", "--store", terminal.store, "--scope", terminal.scope]
    served = f"memory=stdio: {shlex.join([*command, 'serve', 'stdio'])}"
    assert terminal("host", "verify", str(file), "--provider", served).code == 0
    renamed = terminal("host", "verify", str(file), "--provider", f"other{served[6:]}", "--json")
    assert renamed.code == 1
    assert [each["reason"] for each in renamed.json["dropped"]] == ["unknown_provider"]


def test_everything_else_drops_with_the_reason(terminal: Terminal, tmp_path: Path) -> None:
    plain = frame("c1", "The kettle is hot.")
    no_digest = {name: value for name, value in plain.items() if name != "content_digest"}
    for says, reason, why in (
        ({"frames": [no_digest | {"id": "c2"}]}, "no_digest", "without a digest"),
        ({"frames": [plain], "verify": False}, "verify_unsupported", "does not verify"),
    ):
        canned = Canned(tmp_path / "c.json", **says)
        whom = ("--provider", f"tea={canned.address}")
        file = held(terminal, tmp_path, *whom)
        [dropped] = terminal("host", "verify", str(file), *whom, "--json").json["dropped"]
        assert dropped["reason"] == reason
        assert why in terminal("host", "verify", str(file), *whom).out
        assert "verify" not in canned.types


def test_one_that_fails_takes_nothing_from_another(terminal: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    file = held(terminal, tmp_path, "--provider", f"tea={canned.address}")
    frames = json.loads(file.read_text())["frames"]
    file.write_text(json.dumps([*frames, frames[0] | {"provider_id": "bad"}]))
    whom = ("--provider", f"tea={canned.address}", "--provider", f"bad={adversary('version')}")
    shape = terminal("host", "verify", str(file), *whom, "--json").json
    assert [each["provider_id"] for each in shape["retained"]] == ["tea"]
    [dropped] = shape["dropped"]
    assert dropped["reason"] == "verify_failed" and "contextgraph/2.0" in dropped["error"]


def test_nothing_is_verified_before_consent(terminal: Terminal, tmp_path: Path) -> None:
    held_frame = {
        "provider_id": "tea",
        "frame_id": "c1",
        "content_digest": frame("c1", "x")["content_digest"],
    }
    (tmp_path / "held.json").write_text(json.dumps({"frames": [held_frame]}))
    with over_http(frames=[frame("c1", "x")]) as server:
        verify = ("host", "verify", str(tmp_path / "held.json"), "--provider", f"tea={server.url}")
        said = terminal(*verify)
        assert said.code == 1
        assert f"host consent grant tea --provider {server.url}" in " ".join(said.out.split())
        assert server.types == ["handshake"]
        terminal.done("host", "consent", "grant", "tea", "--provider", server.url, "--yes")
        assert terminal(*verify).code == 0
        assert server.types[-1] == "verify"


def test_standard_input_will_do(terminal: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    whom = ("--provider", f"tea={canned.address}")
    text = held(terminal, tmp_path, *whom).read_text()
    assert terminal("host", "verify", "-", *whom, typed=text).code == 0
    empty = terminal("host", "verify", "-", *whom, typed='{"frames": []}')
    assert (empty.code, empty.out, empty.err) == (1, "", "there are no frames to verify\n")


@pytest.mark.parametrize(
    "value",
    [
        "nonsense",
        {},
        7,
        [1],
        {"frames": {}},
        [{"id": "a", "content_digest": "b"}],
        [{"provider_id": "p", "content_digest": "b"}],
        [{"provider_id": "p", "id": "a", "content_digest": 4}],
        [{"provider_id": 1, "id": "a"}],
    ],
)
def test_what_is_no_file_of_frames(terminal: Terminal, tmp_path: Path, value: Any) -> None:
    file = tmp_path / "held.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    said = terminal("host", "verify", str(file), "--memory")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "host query --json" in said.err


def test_a_file_that_is_not_there_and_one_that_is_too_deep(terminal: Terminal, tmp_path: Path) -> None:
    assert "no-such-file" in terminal("host", "verify", "no-such-file", "--memory").err
    said = terminal("host", "verify", "-", "--memory", typed="[" * 100_000)
    assert (said.code, said.err.count("\n")) == (2, 1)


def test_identities_nobody_can_say(terminal: Terminal, tmp_path: Path) -> None:
    canned = Canned(tmp_path / "c.json", frames=[frame("c1", "The kettle is hot.")])
    typed = json.dumps([{"provider_id": "tea", "frame_id": "\udcff", "content_digest": "sha256:" + "0" * 64}])
    said = terminal("host", "verify", "-", "--provider", f"tea={canned.address}", "--json", typed=typed)
    assert said.code == 1
    assert [each["reason"] for each in said.json["dropped"]] == ["verify_failed"]
