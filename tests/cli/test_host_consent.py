"""`host consent`: what was consented to is listed, and can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_provider.host import ConsentFile, Grantor, Pin, Receipt, Record
from memory_provider.protocol import DataFlow

from .terminal import Terminal

PIN = Pin("tea-notes", "1.2", DataFlow(reads=True, writes=False, egress=True, egress_scopes=("org-tenant",)))
ALICE = Grantor("human", "alice")
THEN = "2026-01-01T00:00:00Z"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "consents.json"
    monkeypatch.setenv("MEMORY_CONSENTS", str(path))
    return path


def test_consents_are_listed_with_how_they_stand(terminal: Terminal, path: Path) -> None:
    file = ConsentFile(path)
    file.grant(Record("docs", PIN, ALICE, THEN))
    file.grant(Receipt("tea", "org-tenant", PIN, ALICE, THEN, "2026-01-02T00:00:00Z"))
    file.grant(Receipt("tea", "org:b", PIN, ALICE, "2026-01-01T10:00:00Z"))
    file.grant(Receipt("tea", "org:c", PIN, Grantor("policy", "office"), "2026-01-01T10:00:00.5Z"))
    file.revoke("tea", "2026-02-01T00:00:00Z", "org:c")
    listed = terminal.bare("host", "consent", "list", "--json").json["consents"]
    assert [(each["provider"], each["scope"], each["state"]) for each in listed] == [
        ("docs", None, "active"),
        ("tea", "org-tenant", "expired"),
        ("tea", "org:b", "active"),
        ("tea", "org:c", "revoked"),
    ]
    assert listed[3] == {
        "provider": "tea",
        "scope": "org:c",
        "name": "tea-notes",
        "version": "1.2",
        "data_flow": {"reads": True, "writes": False, "egress": True, "egress_scopes": ["org-tenant"]},
        "grantor": {"kind": "policy", "id": "office"},
        "granted_at": "2026-01-01T10:00:00.5Z",
        "expires_at": None,
        "revoked_at": "2026-02-01T00:00:00Z",
        "state": "revoked",
    }
    said = terminal.bare("host", "consent", "list")
    assert said.code == 0
    assert "asking it" in said.out and "tea-notes 1.2" in said.out and "revoked" in said.out


def test_what_is_taken_back_is_said_and_no_more_than_once(terminal: Terminal, path: Path) -> None:
    file = ConsentFile(path)
    file.grant(Record("docs", PIN, ALICE, THEN))
    file.grant(Receipt("docs", "org:a", PIN, ALICE, THEN), Receipt("docs", "org:b", PIN, ALICE, THEN))
    said = terminal.bare("host", "consent", "revoke", "docs", "--scope", "org:a")
    assert (said.code, said.out, said.err) == (0, "", "revoked docs: org:a\n")
    said = terminal.bare("host", "consent", "revoke", "docs", "--json")
    assert [each["scope"] for each in said.json["revoked"]] == [None, "org:b"]
    before = path.read_bytes()
    said = terminal.bare("host", "consent", "revoke", "docs")
    assert (said.code, said.out) == (1, "")
    assert "docs was granted nothing" in said.err
    assert path.read_bytes() == before
    states = [each["state"] for each in terminal.bare("host", "consent", "list", "--json").json["consents"]]
    assert states == ["revoked"] * 3


def test_what_a_provider_calls_itself_does_not_steer_the_terminal(terminal: Terminal, path: Path) -> None:
    ConsentFile(path).grant(Record("docs", PIN._replace(name="\x1b[2Jnotes"), ALICE, THEN))
    said = terminal.bare("host", "consent", "list")
    assert "\x1b" not in said.out and "x1b[2Jnotes" in said.out.replace("\n", "")


def test_a_damaged_file_is_one_error(terminal: Terminal, path: Path) -> None:
    path.write_text('{"records": []}')
    for arguments in (["list"], ["revoke", "docs"]):
        said = terminal.bare("host", "consent", *arguments)
        assert (said.code, said.out) == (2, "")
        assert str(path) in said.err and said.err.count("\n") == 1
    assert path.read_text() == '{"records": []}'


def test_without_a_file_there_are_none(terminal: Terminal, path: Path) -> None:
    said = terminal.bare("host", "consent", "list")
    assert (said.code, said.out, said.err) == (0, "", "nothing found\n")
    assert not path.exists()


def test_the_file_is_beside_the_default_memory(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "data" / "memory-provider" / "consents.json"
    ConsentFile(path).grant(Record("docs", PIN, ALICE, THEN))
    assert len(terminal.bare("host", "consent", "list", "--json").json["consents"]) == 1
