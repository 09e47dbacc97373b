"""`token`: what opens the door is shown once, on standard output alone, and is nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_provider.access import ALL_RIGHTS, Principal, Right
from memory_provider.access.authorization import UNKNOWN
from memory_provider.access.token_file import TokenFile
from memory_provider.temporal.instants import DAY, now, parse

from .terminal import Said, Terminal

Run = Callable[..., Said]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def token(terminal: Terminal, path: Path) -> Run:
    """Runs `token …` on the file."""

    def run(command: str, *arguments: str) -> Said:
        return terminal.bare("token", command, *arguments, "--tokens", str(path))

    return run


def holder(path: Path, text: str) -> object:
    return TokenFile(path).authorize(f"Bearer {text.strip()}")


def test_it_opens_what_it_was_made_for(token: Run, path: Path) -> None:
    made = token("create", "alice", "--scope", "acme/alice")
    assert made.code == 0
    found = holder(path, made.out)
    assert isinstance(found, Principal)
    assert found[:4] == ("alice", "acme/alice", frozenset(), frozenset({Right.READ}))
    [kept] = TokenFile(path).tokens()
    assert kept.expires_at is not None
    assert 89 * DAY < kept.expires_at - now() <= 90 * DAY


def test_everything_can_be_said(token: Run, path: Path) -> None:
    rights = [each for right in Right for each in ("--right", right.value)]
    labels = ["--label", "user_id=alice", "--label", "repository_id=a=b"]
    made = token(
        *("create", "alice", "--scope", "a", "--grant", "b", "--grant", "*"),
        *rights,
        *labels,
        "--expires",
        "never",
    )
    found = holder(path, made.out)
    assert isinstance(found, Principal)
    assert (found.scopes, found.rights) == ({"b", "*"}, ALL_RIGHTS)
    assert found.labels == {("user_id", "alice"), ("repository_id", "a=b")}
    [kept] = TokenFile(path).tokens()
    assert kept.expires_at is None
    later = token("create", "bob", "--expires", "2999-01-01 12:00", "--tz", "Europe/Paris")
    assert "2999-01-01T11:00:00Z" in later.err
    assert [each.expires_at for each in TokenFile(path).tokens()] == [None, parse("2999-01-01T11:00:00Z")]


def test_it_is_shown_once_and_nowhere_else(
    token: Run, path: Path, terminal: Terminal, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = token("create", "alice")
    text = made.out.strip()
    secret = text.split("_", 2)[2]
    said = [
        token("list"),
        token("list", "--json"),
        token("revoke", "nobody"),
        token("revoke", text),
        token("revoke", "alice", "--json"),
        token("list"),
        terminal.bare("token", "create", "bob", "--tokens", str(path / "not")),
    ]
    for each in said:
        assert secret not in each.out + each.err
        assert "sha256" not in each.out + each.err
    assert secret not in made.err + caplog.text + path.read_text()


def test_a_revoked_one_is_taken_no_more_and_still_listed(token: Run, path: Path) -> None:
    made = token("create", "alice", "--json").json
    assert set(made) == {
        *("token", "id", "name", "scope", "scopes", "rights", "labels"),
        *("created_at", "expires_at", "revoked_at", "state"),
    }
    gone = token("revoke", made["id"], "--json").json["revoked"]
    assert (gone["id"], gone["state"]) == (made["id"], "revoked")
    assert holder(path, made["token"]) is UNKNOWN
    assert "revoked" in token("list").out
    again = token("revoke", "alice")
    assert again.code == 1
    assert "no token" in again.err


def test_several_of_one_name_are_told_apart(token: Run, path: Path) -> None:
    old, new = (token("create", "alice").out for _ in range(2))
    assert token("revoke", "alice").code == 2
    first = token("list", "--json").json["tokens"][0]["id"]
    assert token("revoke", first).code == 0
    assert holder(path, old) is UNKNOWN
    assert isinstance(holder(path, new), Principal)


def test_none_is_no_failure(token: Run, path: Path) -> None:
    token("create", "alice")
    path.write_text('{"format": 1, "tokens": []}')
    assert (token("list").code, token("list").out) == (0, "")
    assert token("list", "--json").json == {"tokens": []}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["create", ""], "a token's name"),
        (["create", "a", "--scope", ""], "scope"),
        (["create", "a", "--scope", "*"], "not *"),
        (["create", "a", "--grant", "*"], "right admin"),
        (["create", "a", "--grant", ""], "scope"),
        (["create", "a", "--right", "root"], "--right"),
        (["create", "a", "--label", "user_id"], "KEY=VALUE"),
        (["create", "a", "--label", "tenant=x"], "label"),
        (["create", "a", "--expires", "2020"], "expired already"),
        (["create", "a", "--expires", "soon"], "never"),
        (["list"], "token create"),
        (["revoke", "a"], "token create"),
    ],
)
def test_what_is_refused_says_why_and_writes_nothing(
    token: Run, path: Path, arguments: list[str], said: str
) -> None:
    refused = token(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert not path.exists()


def test_the_file_has_to_be_named(terminal: Terminal, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal.bare("token", "create", "alice").code == 2
    monkeypatch.setenv("MEMORY_TOKENS", str(path))
    assert terminal.bare("token", "create", "alice").code == 0
    assert terminal.bare("token", "list").code == 0
