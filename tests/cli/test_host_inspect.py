"""`host inspect`, as whoever writes a provider runs it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.inspection.pantry import GOAL, write_pantry
from tests.transports.http.server import Server

from .asked_providers import over_http

CANNED = Path(__file__).with_name("small_stdio_provider.py")


def inspect(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memory_provider", "host", "inspect", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def small(*flaws: str) -> str:
    return f"stdio: {shlex.join([sys.executable, str(CANNED), *flaws])}"


def test_a_provider_that_passes() -> None:
    done = inspect(small())
    assert (done.returncode, done.stderr) == (
        0,
        "small 1 over stdio: 0 broken, 30 met, 4 not observed, 48 not applicable\n",
    )
    rows = done.stdout.splitlines()
    assert rows[0].split() == ["requirement", "level", "status", "what", "was", "seen"]
    assert any(row.split()[:3] == ["B1", "MUST", "met"] for row in rows)
    assert any("it does not offer the lifecycle profile: LP-ID1, LP-ID2" in row for row in rows)


def test_one_that_breaks_a_must() -> None:
    done = inspect(small("budget"))
    assert done.returncode == 1
    assert done.stderr.endswith("1 requirement broken: B1\n")
    first = done.stdout.splitlines()[2]
    assert first.split()[:3] == ["B1", "MUST", "broken"]
    assert "B1: Sum of token_cost <= max_tokens." in done.stdout
    assert '"max_tokens":0' in done.stdout  # what was sent


def test_what_only_should_be_is_a_warning_unless_it_counts() -> None:
    done = inspect(small("as_of"))
    assert done.returncode == 0
    assert "warning: QFMT: broken where it is a SHOULD" in done.stderr
    done = inspect(small("as_of"), "--strict")
    assert done.returncode == 1
    assert done.stderr.endswith("1 requirement broken: QFMT\n")


def test_json_has_every_requirement() -> None:
    done = inspect(small("escapes"), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert report["provider"] == {"name": "small", "version": "1", "protocol_version": "contextgraph/1.0"}
    assert (report["transport"], report["asked"], report["frames"]) == ("stdio", True, 1)
    assert len(report["requirements"]) == 82
    assert sum(report["counts"].values()) == 82
    [broken] = [each for each in report["requirements"] if each["status"] == "broken"]
    assert broken["id"] == "F2"
    assert broken["evidence"][0]["sent"] and broken["evidence"][0]["came"]
    assert "\x1b" not in done.stdout + done.stderr


def test_nothing_leaves_the_machine_unless_somebody_agrees() -> None:
    done = inspect(small("egress"))
    assert done.returncode == 1
    assert "only handshakes were sent" in done.stderr and "--consent" in done.stderr
    done = inspect(small("egress"), "--consent")
    assert done.returncode == 0, done.stderr


def test_without_frames_it_says_so() -> None:
    done = inspect(small("empty"))
    assert done.returncode == 0
    assert "give a --goal" in done.stderr


def test_over_http_with_a_token(tmp_path: Path) -> None:
    import anyio

    store, key = anyio.run(write_pantry, tmp_path)
    tokens, token = tmp_path / "tokens.json", tmp_path / "token"
    create = ["--scope", "kitchen", "token", "create", "inspector", "--tokens", str(tokens), "--json"]
    made = subprocess.run(
        [
            sys.executable,
            "-m",
            "memory_provider",
            "--store",
            store,
            *create,
            "--right",
            "read",
            "--right",
            "write",
            "--right",
            "erase",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    token.write_text(json.loads(made.stdout)["token"] + "\n")
    with Server(store, "kitchen", "--tokens", str(tokens), "--key", key) as server:
        refused = inspect(server.url)
        done = inspect(server.url, "--token-file", str(token), "--goal", GOAL, "--strict", "--write")
    assert refused.returncode == 1
    assert "HTTP 401" in refused.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken, 75 met, 5 not observed, 2 not applicable" in done.stderr
    assert token.read_text().strip() not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("stdio: no-such-program", 1, "could not be started: No such file or directory: 'no-such-program'"),
        ("http://127.0.0.1:9/", 1, "ConnectError"),
        ("http://provider.example/", 2, "https"),
        ("teapot", 2, "no address"),
    ],
)
def test_what_cannot_be_inspected(address: str, code: int, said: str) -> None:
    done = inspect(address)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_token_that_is_sent_back_is_not_shown(tmp_path: Path) -> None:
    token, file = "t0ken-nobody-should-see", tmp_path / "token"
    file.write_text(token)
    flow = {"reads": True, "writes": False, "egress": True}
    with over_http(token, name=f"tea {token}", data_flow=flow) as tea:
        for options in ((), ("--json",)):
            done = inspect(tea.url, "--token-file", str(file), *options)
            assert tea.types
            assert token[:12] not in done.stdout + done.stderr
