"""The log: one JSON object a line, or lines for people, and no credentials in either."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace

from memory_provider.telemetry.logs import JsonFormatter, TextFormatter, without_secrets

from .conftest import Told

SECRET = "hunter2-is-the-word"
ERROR_TEXT = (
    f"no answer from bolt://neo4j:{SECRET}@127.0.0.1:1\x1b[2J\n(Authorization: Bearer {SECRET}{SECRET})"
)


def record(message: str, *arguments: object, problem: BaseException | None = None) -> logging.LogRecord:
    exc_info = (type(problem), problem, problem.__traceback__) if problem else None
    return logging.LogRecord("memory_provider", logging.ERROR, "x.py", 1, message, arguments, exc_info)


def failed() -> Exception:
    try:
        raise ValueError(ERROR_TEXT)
    except ValueError as problem:
        return problem


def test_json_is_one_line_and_says_what_when_and_where() -> None:
    line = JsonFormatter().format(record("a request failed: %s", ERROR_TEXT, problem=failed()))
    assert "\n" not in line
    assert line.isascii()
    said = json.loads(line)
    assert list(said)[:4] == ["time", "level", "logger", "message"]
    assert said["level"] == "error"
    assert said["time"].endswith("Z")
    assert said["error"]["type"] == "ValueError"
    assert "Traceback" in said["error"]["traceback"]
    assert SECRET not in line


def test_text_cannot_steer_a_terminal_or_forge_a_line() -> None:
    shown = TextFormatter().format(record("a request failed: %s", ERROR_TEXT))
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert SECRET not in shown
    shown = TextFormatter().format(record("a request failed", problem=failed()))
    assert SECRET not in shown
    assert "Traceback" in shown


def test_members_of_a_record_never_take_the_place_of_its_own() -> None:
    plain = record("m")
    plain.members = {"message": "forged", "frames": 3, "odd": object()}
    said = json.loads(JsonFormatter().format(plain))
    assert (said["message"], said["frames"]) == ("m", 3)


def test_a_line_names_the_span_it_was_written_in(told: Told) -> None:
    with trace.get_tracer("t").start_as_current_span("s") as span:
        said = json.loads(JsonFormatter().format(record("m")))
    context = span.get_span_context()
    assert said["trace_id"] == f"{context.trace_id:032x}"
    assert said["span_id"] == f"{context.span_id:016x}"
    assert "trace_id" not in json.loads(JsonFormatter().format(record("m")))


@pytest.mark.parametrize("text", ["bolt://host:1", "mail a@b.c", "a bearer of news", "https://x/y@z"])
def test_what_is_no_secret_stays(text: str) -> None:
    assert without_secrets(text) == text


# --- commands ---------------------------------------------------------------------------------------------------


def environment_of(**further: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **further}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memory_provider", *arguments],
        capture_output=True,
        text=True,
        env=environment_of(),
    )


def serve(*arguments: str, asked: Sequence[dict[str, Any]], **environment: str) -> str:
    """What a provider process logs that is asked, answers, and is told to go."""
    with subprocess.Popen(
        [sys.executable, "-m", "memory_provider", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment_of(**environment),
    ) as process:
        assert process.stdin
        assert process.stdout
        for message in asked:
            process.stdin.write(f"{json.dumps(message)}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["type"]
        out, logged = process.communicate(json.dumps({"type": "shutdown"}))
        assert (out, process.returncode) == ("", 0)
        return logged


QUERY = {
    "type": "query",
    "id": "q",
    "query": {"goal": "what does Zebedee like?", "max_frames": 4, "max_tokens": 600, "kinds": ["fact"]},
}


@pytest.fixture
def store(tmp_path: Path) -> str:
    address = f"sqlite:///{tmp_path / 'memory.db'}"
    assert run("--store", address, "assert", "Zebedee", "likes", "tea").returncode == 0
    return address


@pytest.mark.parametrize(
    "place",
    [
        lambda store: (["--store", store, "--log-format", "json", "serve", "stdio"], {}),
        lambda store: (["--store", store, "serve", "stdio", "--log-format", "json"], {}),
        lambda store: (["--store", store, "serve", "stdio"], {"MEMORY_LOG_FORMAT": "json"}),
        lambda store: (
            ["--log-format", "text", "--store", store, "serve", "stdio", "--log-format", "json"],
            {},
        ),
    ],
    ids=["before", "after", "environment", "the later counts"],
)
def test_serving_logs_each_request(place: Any, store: str) -> None:
    arguments, environment = place(store)
    asked = [
        {"type": "handshake", "protocol_version": "contextgraph/1.0"},
        QUERY,
        {"type": "zebedee", "id": "z"},
    ]
    logged = serve(*arguments, asked=asked, **environment)
    told = [json.loads(line) for line in logged.splitlines()]
    requests = {each["type"]: each for each in told if each["logger"] == "memory_provider.requests"}
    assert {kind: each["outcome"] for kind, each in requests.items()} == {
        "handshake": "ok",
        "query": "ok",
        "other": "bad_request",
        "shutdown": "ok",
    }
    query = requests["query"]
    assert (query["kinds"], query["frames"], query["truncated"]) == (["fact"], 1, False)
    assert query["tokens"] > 0
    assert query["ms"] > 0
    assert "zebedee" not in logged.lower()


def test_text_says_the_same_in_a_line(store: str) -> None:
    logged = serve("--store", store, "serve", "stdio", "--log-level", "info", asked=[QUERY])
    [line] = [line for line in logged.splitlines() if "type=query" in line]
    assert "INFO memory_provider.requests: request type=query outcome=ok ms=" in line
    assert " kinds=fact frames=1 tokens=" in line


def test_a_higher_level_keeps_requests_out(store: str) -> None:
    arguments = ("--store", store, "serve", "stdio", "--log-format", "json", "--log-level", "warning")
    assert serve(*arguments, asked=[QUERY]) == ""


def test_without_either_there_is_no_log(store: str) -> None:
    assert serve("--store", store, "serve", "stdio", asked=[QUERY]) == ""


def test_failures_are_logged_with_no_credentials() -> None:
    address = f"bolt://neo4j:{SECRET}@127.0.0.1:1"
    logged = serve("--store", address, "serve", "stdio", "--log-format", "json", asked=[QUERY])
    told = [json.loads(line) for line in logged.splitlines()]
    assert [each["level"] for each in told if each["logger"] == "memory_provider"] == ["error"]
    assert {each.get("outcome") for each in told} >= {"unavailable"}
    assert SECRET not in logged


def test_a_command_that_fails_says_so_in_the_log() -> None:
    address = f"bolt://neo4j:{SECRET}@127.0.0.1:1"
    done = run("--store", address, "--log-format", "json", "facts")
    assert done.returncode == 3
    [said] = map(json.loads, done.stderr.splitlines())
    assert (said["level"], said["logger"]) == ("error", "memory_provider.cli")
    assert said["message"].startswith("connection refused; is Neo4j running at bolt://127.0.0.1:1?")
    done = run("--log-format", "json", "facts", "--limit", "none")
    [said] = map(json.loads, done.stderr.splitlines())
    assert (done.returncode, said["level"]) == (2, "error")


def test_serving_over_http_says_where_in_the_log(store: str) -> None:
    command = [sys.executable, "-m", "memory_provider", "--store", store, "serve", "http", "--port", "0"]
    with subprocess.Popen([*command, "--log-format", "json"], stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            said = json.loads(server.stderr.readline())
        finally:
            server.terminate()
        assert said["level"] == "info"
        assert "at http://127.0.0.1:" in said["message"]
        assert server.wait() == 0
