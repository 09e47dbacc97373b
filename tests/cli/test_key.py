"""`key`, and `serve … --key FILE`: made, shown, used, and refused before anything is served."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_provider.attestation import Status, read_key_file, verify_result
from memory_provider.protocol import Frames, HandshakeAck, decode

from .terminal import Terminal


def private_part(path: Path) -> str:
    return path.read_text().splitlines()[1]


def test_a_key_is_made_once_and_only_its_public_half_is_shown(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    made = terminal.bare("key", "new", str(path))
    assert made.code == 0
    assert re.fullmatch(
        r"key id      ed25519-[0-9a-f]{16}\nalgorithm   ed25519\npublic key  [0-9a-f]{64}\n", made.out
    )
    assert made.err == f"the private key is in {path}: whoever can read that can sign in your name\n"
    assert path.stat().st_mode & 0o777 == 0o600
    shown = terminal.bare("key", "show", str(path))
    assert (shown.code, shown.out, shown.err) == (0, made.out, "")
    public = read_key_file(path).public
    as_json = terminal.bare("key", "show", str(path), "--json").json
    assert as_json == {"key_id": public.key_id, "algorithm": "ed25519", "public_key": public.public_key}
    assert private_part(path) not in made.out + made.err + shown.out
    assert terminal.bare("key", "new", str(tmp_path / "b.pem"), "--json").json["key_id"] != public.key_id

    before = path.read_bytes()
    again = terminal.bare("key", "new", str(path))
    assert (again.code, again.out) == (2, "")
    assert again.err == f"error: {path} exists, and a key is never overwritten: name another file\n"
    assert path.read_bytes() == before


def serve(*arguments: str, messages: tuple[dict[str, Any], ...] = ()) -> subprocess.CompletedProcess[bytes]:
    given = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    command = [sys.executable, "-m", "memory_provider", *arguments]
    return subprocess.run(command, input=given, capture_output=True, timeout=120)


HANDSHAKE = {"type": "handshake", "protocol_version": "contextgraph/1.0"}
QUERY = {"type": "query", "query": {"goal": "where is the kettle", "max_frames": 4, "max_tokens": 600}}


def test_what_is_served_is_signed_with_it(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    terminal.bare("key", "new", str(path))
    terminal.done("assert", "kettle", "stands on", "the shelf")
    done = serve(
        *("--store", terminal.store, "--scope", terminal.scope, "serve", "stdio", "--key", str(path)),
        messages=(HANDSHAKE, QUERY, {"type": "shutdown"}),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert private_part(path).encode() not in done.stdout
    acknowledged, answer = map(decode, done.stdout.splitlines())
    assert isinstance(acknowledged, HandshakeAck)
    assert isinstance(answer, Frames)
    assert acknowledged.attester_keys == (read_key_file(path).public,)
    verdicts = verify_result(acknowledged.provider.name, answer.result, acknowledged.attester_keys)
    assert answer.result.frames
    assert {each.status for each in (verdicts.result, *verdicts.frames)} == {Status.VALID}


@pytest.mark.parametrize("transport", [["stdio"], ["http", "--port", "0"]], ids=["stdio", "http"])
@pytest.mark.parametrize("wrong", ["open", "none", "text"])
def test_a_key_that_will_not_do_is_refused_before_anything_is_served(
    terminal: Terminal, tmp_path: Path, transport: list[str], wrong: str
) -> None:
    path = tmp_path / "key.pem"
    if wrong == "open":
        terminal.bare("key", "new", str(path))
        path.chmod(0o644)
    elif wrong == "text":
        path.write_text("open sesame")
        path.chmod(0o600)
    done = serve("--store", terminal.store, "serve", *transport, "--key", str(path), messages=(HANDSHAKE,))
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert re.fullmatch(r"error: .*\n", said)
    assert str(path) in said
    expected = {"open": "mode 0644", "none": "No such file", "text": "no key file"}
    assert expected[wrong] in said
    assert "sesame" not in said
