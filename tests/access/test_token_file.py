"""Tokens in a file: for its owner alone, whole at any moment, and what is changed counts at once."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memory_provider.access import Principal, Right
from memory_provider.access.authorization import UNKNOWN
from memory_provider.access.token_file import TokenFile
from memory_provider.access.tokens import Token, make_token
from memory_provider.errors import InvalidToken, TokenFileError, TokenNotFound
from memory_provider.temporal.instants import now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "secrets" / "tokens.json"


@pytest.fixture
def file(path: Path) -> TokenFile:
    return TokenFile(path)


def add(file: TokenFile, name: str = "alice", *, expires_at: int | None = None) -> tuple[Token, str]:
    token, text = make_token(
        name, "acme/alice", scopes={"acme/b", "acme/a"}, rights=set(Right), expires_at=expires_at, now=now()
    )
    file.add(token)
    return token, text


def test_what_was_kept_is_read(file: TokenFile, path: Path) -> None:
    token, text = add(file, expires_at=now() + 10**9)
    other, _ = add(file, "Bøb")
    assert list(TokenFile(path).tokens()) == [token, other]
    assert file.authorize(f"Bearer {text}") == token.principal


def test_labels_are_kept_and_come_with_who_asks(file: TokenFile, path: Path) -> None:
    labels = {("user_id", "alice"), ("repository_id", "a"), ("repository_id", "b=c")}
    token, text = make_token("alice", "acme", labels=labels, expires_at=None, now=now())
    file.add(token)
    found = TokenFile(path).authorize(f"Bearer {text}")
    assert isinstance(found, Principal)
    assert found.labels == labels
    assert found.labelled("repository_id") == {"a", "b=c"}
    assert found.labelled("task_id") == frozenset()


def test_a_file_from_before_labels_is_read(file: TokenFile, path: Path) -> None:
    token, text = add(file)
    kept = json.loads(path.read_bytes())
    del kept["tokens"][0]["labels"]
    path.write_text(json.dumps(kept))
    found = TokenFile(path).authorize(f"Bearer {text}")
    assert found == token.principal


@pytest.mark.parametrize("label", [("tenant_id", "t"), ("", "x"), ("user_id", ""), ("user_id", "x" * 1025)])
def test_what_a_label_cannot_be(label: tuple[str, str]) -> None:
    with pytest.raises(InvalidToken, match="label"):
        make_token("alice", "acme", labels={label}, expires_at=None, now=now())


def test_only_hashes_are_kept(file: TokenFile, path: Path) -> None:
    _, text = add(file)
    assert text not in path.read_text()
    assert text.split("_", 2)[2] not in path.read_text()
    [kept] = json.loads(path.read_bytes())["tokens"]
    assert kept["hash"].startswith("sha256:")


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_it_is_its_owners_alone(file: TokenFile, path: Path) -> None:
    before = os.umask(0)
    try:
        add(file)
        file.revoke("alice")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for mode in (0o620, 0o602, 0o666):
        path.chmod(mode)
        with pytest.raises(TokenFileError, match="chmod 600"):
            file.tokens()
    path.chmod(0o444)  # as secrets are mounted
    assert len(list(file.tokens())) == 1


def test_a_revoked_token_is_taken_no_more_at_once(file: TokenFile, path: Path) -> None:
    serving = TokenFile(path)
    token, text = add(file)
    assert isinstance(serving.authorize(f"Bearer {text}"), Principal)
    gone = file.revoke(token.id)
    assert serving.authorize(f"Bearer {text}") is UNKNOWN
    assert (gone.state(now()), gone.hash) == ("revoked", None)
    assert list(serving.tokens()) == [gone]
    assert "sha256" not in path.read_text()


def test_a_token_is_named_by_its_id_or_a_name_of_one(file: TokenFile) -> None:
    first, _ = add(file)
    second, _ = add(file)
    with pytest.raises(InvalidToken, match="several"):
        file.revoke("alice")
    assert file.revoke(first.id).id == first.id
    assert file.revoke("alice").id == second.id
    for name in ("alice", first.id, "nobody"):
        with pytest.raises(TokenNotFound):
            file.revoke(name)


def test_a_link_stays_a_link(file: TokenFile, path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    target = tmp_path / "target.json"
    target.write_text('{"format": 1, "tokens": []}')
    target.chmod(0o600)
    path.symlink_to(target)
    add(file)
    assert path.is_symlink()
    assert len(list(TokenFile(target).tokens())) == 1


def test_no_file_is_nobody(file: TokenFile) -> None:
    with pytest.raises(TokenFileError, match="token create"):
        file.authorize("Bearer x")


def test_a_pipe_is_no_file_of_tokens_and_is_not_waited_for(file: TokenFile, path: Path) -> None:
    add(file)
    assert list(file.tokens())
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(TokenFileError, match="no regular file"):
        file.authorize("Bearer x")


def good() -> dict[str, object]:
    return {
        "id": "0123456789ab",
        "name": "alice",
        "scope": "acme",
        "scopes": [],
        "rights": ["read"],
        "created_at": "2026-01-01T00:00:00Z",
        "expires_at": None,
        "revoked_at": None,
        "hash": "sha256:0",
    }


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "hunter2",
        "[]",
        "null",
        '{"format": 2, "tokens": []}',
        '{"format": 1}',
        '{"format": 1, "tokens": [{"hash": "hunter2"}]}',
        "[" * 100_000,
        json.dumps({"format": 1, "tokens": [good(), good()]}),
        *(
            json.dumps({"format": 1, "tokens": [{**good(), **wrong}]})
            for wrong in (
                {"name": "hunter2\n"},
                {"scope": ""},
                {"scopes": ["*"]},
                {"rights": ["hunter2"]},
                {"rights": []},
                {"expires_at": "hunter2"},
                {"expires_at": 7},
                {"hash": 7},
            )
        ),
    ],
)
def test_what_is_no_file_of_tokens_lets_nobody_in_and_is_not_quoted(
    file: TokenFile, path: Path, kept: str
) -> None:
    add(file)
    assert list(file.tokens())
    path.write_text(kept)
    for ask in (file.tokens, lambda: file.revoke("alice"), lambda: add(file)):
        with pytest.raises(TokenFileError) as refused:
            ask()
        assert "hunter2" not in str(refused.value)
        assert refused.value.__cause__ is None
    assert path.read_text() == kept


def test_the_good_one_above_is_good(file: TokenFile, path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"format": 1, "tokens": [good()]}))
    path.chmod(0o600)
    assert len(list(file.tokens())) == 1


ADD = """
import sys
from memory_provider.access.token_file import TokenFile
from memory_provider.access.tokens import make_token
from memory_provider.temporal.instants import now
for number in range(10):
    TokenFile(sys.argv[1]).add(make_token(f"{sys.argv[2]}-{number}", "s", expires_at=None, now=now())[0])
"""


def test_processes_lose_nothing_of_one_another(file: TokenFile, path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", ADD, str(path), str(each)]) for each in range(4)]
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            list(TokenFile(path).tokens())  # whole at any moment
    assert [writer.returncode for writer in writers] == [0] * 4
    assert len({each.name for each in file.tokens()}) == 40
    assert sorted(each.name for each in path.parent.iterdir()) == ["tokens.json", "tokens.json.lock"]


def test_what_cannot_be_written_is_said_and_leaves_nothing(
    file: TokenFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(file)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TokenFileError, match="No space left"):
        add(file, "bob")
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == ["tokens.json", "tokens.json.lock"]
