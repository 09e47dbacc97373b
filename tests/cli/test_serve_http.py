"""`serve http` before it serves: what it refuses, and what it says to do."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import trustme

from .terminal import Terminal


def refused(terminal: Terminal, *options: str) -> str:
    done = terminal("serve", "http", *options)
    assert done.code == 2
    assert done.out == ""
    return done.err


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "memory.example"])
def test_an_address_that_others_can_reach_needs_somebody_to_say_who_may_ask(
    terminal: Terminal, host: str
) -> None:
    said = refused(terminal, "--host", host)
    assert f"--host {host} can be reached from other machines" in said
    assert "--tokens FILE" in said
    assert "--insecure-no-auth" in said


def test_a_file_of_tokens_that_will_not_do(terminal: Terminal, tmp_path: Path) -> None:
    missing, nonsense = tmp_path / "missing", tmp_path / "nonsense"
    nonsense.write_text("hunter2")
    assert "No such file" in refused(terminal, "--host", "0.0.0.0", "--tokens", f"{missing}")
    said = refused(terminal, "--tokens", f"{nonsense}")
    assert "is not a file of tokens" in said
    assert "hunter2" not in said
    both = refused(terminal, "--tokens", f"{nonsense}", "--insecure-no-auth")
    assert "give one" in both


def test_a_port_in_use(terminal: Terminal) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port} is in use" in refused(terminal, "--port", f"{port}")


@pytest.mark.parametrize("host", ["192.0.2.7", "no-such-host.invalid"])
def test_an_address_of_another_machine(terminal: Terminal, host: str) -> None:
    said = refused(terminal, "--host", host, "--insecure-no-auth", "--port", "0")
    assert host in said
    assert "no such address" in said


@pytest.mark.parametrize("option", ["--request-seconds", "--slow-seconds"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1", "1e308"])
def test_seconds_that_are_none(terminal: Terminal, option: str, value: str) -> None:
    assert option in refused(terminal, "--port", "0", option, value)


def test_an_audit_log_that_cannot_be_written(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal("serve", "http", "--port", "0", "--audit", f"{tmp_path}")
    assert done.code != 0
    assert "audit log" in done.err


def test_certificates_that_will_not_do(terminal: Terminal, tmp_path: Path) -> None:
    authority = trustme.CA()
    ours, other = authority.issue_cert("localhost"), authority.issue_cert("localhost")
    certificate, key, wrong, nonsense = (tmp_path / name for name in ("cert", "key", "wrong", "nonsense"))
    certificate.write_bytes(b"".join(part.bytes() for part in ours.cert_chain_pems))
    key.write_bytes(ours.private_key_pem.bytes())
    wrong.write_bytes(other.private_key_pem.bytes())
    nonsense.write_text("nonsense")
    for options, problem in (
        (("--tls-cert", f"{tmp_path / 'missing'}"), "No such file"),
        (("--tls-cert", f"{certificate}", "--tls-key", f"{tmp_path / 'missing'}"), "No such file"),
        (("--tls-cert", f"{certificate}"), "--tls-key"),
        (("--tls-cert", f"{certificate}", "--tls-key", f"{wrong}"), "does not belong"),
        (("--tls-cert", f"{nonsense}", "--tls-key", f"{key}"), "PEM"),
        (("--tls-key", f"{key}"), "--tls-cert"),
    ):
        assert problem in refused(terminal, *options)


def test_an_encrypted_key_is_not_asked_about(terminal: Terminal, tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
        load_pem_private_key,
    )

    ours = trustme.CA().issue_cert("localhost")
    plain = load_pem_private_key(ours.private_key_pem.bytes(), None)
    locked = plain.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hunter2"))
    (tmp_path / "cert").write_bytes(ours.cert_chain_pems[0].bytes())
    (tmp_path / "key").write_bytes(locked)
    said = refused(terminal, "--tls-cert", f"{tmp_path / 'cert'}", "--tls-key", f"{tmp_path / 'key'}")
    assert "encrypted" in said


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "prometheus_client"])
def test_the_extra_is_named_where_it_is_missing(missing: str, tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
from memory_provider.cli import main
main()
"""
    command = [sys.executable, "-c", program, "--store", "memory:", "serve", "http"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"error: serving over HTTP needs {missing}, which is not installed: "
        "pip install 'memory-provider[http]'\n"
    )
