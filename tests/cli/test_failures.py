"""When the store or this program fails: one line, an exit code, and never a password."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memory_provider.cli import failures
from memory_provider.store.sqlite import connection
from memory_provider.store.sqlite.connection import connect
from memory_provider.sync import Memory

from .terminal import Terminal

SECRET = "hunter2"


@pytest.mark.parametrize(
    "store",
    [
        f"bolt://neo4j:{SECRET}@127.0.0.1:1",
        f"neo4j://neo4j:{SECRET}@127.0.0.1:1",
        "sqlite:////proc/no/such/memory.db",
        "sqlite:////etc/hostname",
    ],
)
def test_a_store_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    said = Terminal(monkeypatch, store, "test")("facts")
    assert said.code == 3, said
    assert said.err.count("\n") == 1
    assert SECRET not in said.err


@pytest.mark.parametrize(
    ("store", "why"),
    [
        (
            f"bolt://neo4j:{SECRET}@127.0.0.1:1",
            "connection refused; is Neo4j running at bolt://127.0.0.1:1?",
        ),
        (
            f"neo4j://neo4j:{SECRET}@127.0.0.1:1",
            "no server answers; is Neo4j running at neo4j://127.0.0.1:1?",
        ),
    ],
)
def test_a_neo4j_that_does_not_run(monkeypatch: pytest.MonkeyPatch, store: str, why: str) -> None:
    """In plain words: those of the driver name its resolver and sockets."""
    said = Terminal(monkeypatch, store, "test")("facts")
    assert said.err == f"error: {why}\n"


@pytest.mark.parametrize(
    "store",
    [
        f"bolt://neo4j:{SECRET}@",
        f"neo4j://a:{SECRET}@h:port",
        f"postgres://a:{SECRET}@h/db",
        f"bolt://u:{SECRET}@h/x",
    ],
)
def test_an_address_that_is_none(monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    said = Terminal(monkeypatch, store, "test")("facts")
    assert said.code == 2, said
    assert said.err.count("\n") == 1
    assert SECRET not in said.err


def test_what_to_write_instead_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shape of an address is no credential."""
    said = Terminal(monkeypatch, f"bolt://u:{SECRET}@", "test")("facts")
    assert "bolt://[user:password@]host" in said.err


def test_a_store_that_is_locked(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.done("assert", "x", "p", "a")
    monkeypatch.setattr(
        connection, "connect", lambda path, address, busy_timeout: connect(path, address, busy_timeout=0.1)
    )
    other = sqlite3.connect(terminal.store.removeprefix("sqlite:///"), isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        said = terminal("assert", "x", "p", "b")
    finally:
        other.close()
    assert said.code == 3, said
    assert said.err.count("\n") == 1
    assert len(terminal.json("facts")["facts"]) == 1


def test_a_fault_of_this_program(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object, **__: object) -> None:
        raise RuntimeError(f"cannot parse\nbolt://neo4j:{SECRET}@host")

    monkeypatch.setattr("memory_provider.memory.api.Memory.history", fault)
    said = terminal("history")
    assert said.code == failures.UNEXPECTED
    assert said.err.count("\n") == 1
    assert "RuntimeError" in said.err
    assert SECRET not in said.err


def test_an_interruption(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("memory_provider.memory.api.Memory.history", interrupt)
    said = terminal("history")
    assert (said.code, said.err) == (failures.INTERRUPTED, "interrupted\n")


def test_a_reader_that_has_gone(terminal: Terminal) -> None:
    with Memory.open(terminal.store, scope="test") as memory, memory.transaction() as tx:
        for number in range(100):
            tx.assert_fact("x", "p", f"{number} {'long ' * 12_000}")  # together more than any pipe holds
    command = [sys.executable, "-m", "memory_provider", "--store", terminal.store, "--scope", "test"]
    with subprocess.Popen(
        [*command, "facts", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == failures.BROKEN_PIPE


def test_a_real_process(tmp_path: Path) -> None:
    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "memory_provider",
                "--store",
                f"sqlite:///{tmp_path / 'memory.db'}",
                *arguments,
            ],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )

    heard = run("remember", "-", "--speaker", "Ünal", stdin="grüße\n")
    assert (heard.returncode, heard.stdout[:3]) == (0, "ep_")
    bad = run("remember", "x", "--occurred-at", "gestern")
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (2, "", 1)
    assert run("facts").returncode == 1
    nothing = run("explain", "nothing")
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert run().stdout.startswith("Usage: ")


@pytest.mark.parametrize(
    "arguments", [["-m", "memory_provider", "--version"], ["-m", "memory_provider", "-h"]]
)
def test_what_needs_no_store(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "memory-provider" in done.stdout
    assert done.stderr == ""
