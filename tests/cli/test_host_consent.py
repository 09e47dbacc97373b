"""`host consent`: a provider is asked once it was consented to; consents are listed, and can be taken back."""

from __future__ import annotations

import shlex
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import pytest

from memory_provider.host import ConsentFile, Grantor, Pin, Receipt, Record
from memory_provider.protocol import DataFlow

from .asked_providers import Canned, adversary
from .canned_provider import frame
from .terminal import Said, Terminal

EGRESS = {"reads": True, "writes": False, "egress": True}
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
    assert "any question" in said.out and "tea-notes 1.2" in said.out and "revoked" in said.out


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


def granted(terminal: Terminal, *arguments: str) -> Said:
    return terminal.bare("host", "consent", "grant", *arguments)


def test_consent_is_asked_for_granted_taken_back_and_asked_for_again(
    terminal: Terminal, tmp_path: Path, path: Path
) -> None:
    canned = Canned(tmp_path / "c.json", data_flow=EGRESS, frames=[frame("c1", "hot")])
    query = ("host", "query", "kettle", "--provider", f"tea={canned.address}")
    asked = terminal.bare(*query)
    assert asked.code == 1
    line = asked.err.splitlines()[0]
    assert line.startswith(
        "provider tea: what it is asked leaves this machine; grant it consent first (C2): "
    )
    grant = shlex.split(line.partition("memory-provider ")[2])
    assert terminal.bare(*grant, "--yes").code == 0  # as it says
    assert canned.types == ["handshake", "shutdown"] * 2
    assert terminal.bare(*query).code == 0
    for change in ({"version": "2"}, {"name": "tea2"}, {"data_flow": EGRESS | {"writes": True}}):
        before = dict(canned.says)
        canned.say(**change)
        assert terminal.bare(*query).code == 1  # it is another one now
        canned.says = before
        canned.say()
        assert terminal.bare(*query).code == 0
    assert terminal.bare("host", "consent", "revoke", "tea").code == 0
    assert terminal.bare(*query).code == 1
    [standing] = terminal.bare("host", "consent", "list", "--json").json["consents"]
    assert (standing["provider"], standing["state"], standing["name"]) == ("tea", "revoked", "canned")


def test_each_scope_is_granted_by_its_name(terminal: Terminal, tmp_path: Path, path: Path) -> None:
    flow = EGRESS | {"egress_scopes": ["org-tenant", "teapot:vault", "local-only"]}
    canned = Canned(tmp_path / "c.json", data_flow=flow, frames=[frame("c1", "hot")])
    whom = ("tea", "--provider", canned.address)
    query = ("host", "query", "kettle", "--provider", f"tea={canned.address}")
    said = granted(terminal, *whom, "--yes")
    assert said.code == 2 and "--scope for each of org-tenant, teapot:vault" in said.err.splitlines()[-1]
    said = granted(terminal, *whom, "--scope", "third-party-model", "--yes")
    assert said.code == 2 and "declares no scope third-party-model" in said.err
    assert not path.exists()
    said = granted(terminal, *whom, "--scope", "org-tenant", "--yes")
    assert said.err.splitlines() == [
        "tea says that it is canned 1, and that it reads",
        "what it is asked leaves this machine, and goes on to: org-tenant, teapot:vault",
        "granted tea: org-tenant, until it is revoked",
    ]
    assert "data leaves to teapot:vault" in terminal.bare(*query).err
    shape = granted(terminal, *whom, "--all-scopes", "--yes", "--json").json
    assert [each["scope"] for each in shape["granted"]] == ["org-tenant", "teapot:vault"]
    assert terminal.bare(*query).code == 0
    terminal.bare("host", "consent", "revoke", "tea", "--scope", "teapot:vault")
    outcome = terminal.bare(*query, "--json").json["outcomes"][0]
    assert (outcome["outcome"], outcome["missing"]) == ("consent_scope_required", ["teapot:vault"])
    assert canned.types.count("query") == 1


def test_who_grants_it_and_until_when_is_kept(terminal: Terminal, tmp_path: Path, path: Path) -> None:
    canned = Canned(tmp_path / "c.json", data_flow=EGRESS)
    whom = ("tea", "--provider", canned.address, "--yes", "--json")
    for options, grantor in (
        (("--by", "alice"), {"kind": "human", "id": "alice"}),
        (("--by-policy", "office rule 7"), {"kind": "policy", "id": "office rule 7"}),
        ((), {"kind": "human", "id": getuser()}),
    ):
        [each] = granted(terminal, *whom, *options).json["granted"]
        assert (each["grantor"], each["expires_at"]) == (grantor, None)
    [each] = granted(terminal, *whom, "--until", "2999-01-01 12:00", "--tz", "Europe/Paris").json["granted"]
    assert each["expires_at"] == "2999-01-01T11:00:00Z"
    assert len(ConsentFile(path).ledger().records) == 1


def test_what_grants_nothing(terminal: Terminal, tmp_path: Path, path: Path) -> None:
    canned = Canned(tmp_path / "c.json", data_flow=EGRESS)
    whom = ("tea", "--provider", canned.address)
    for arguments, code, why in (
        ((), 2, "ID"),
        (("tea",), 2, "--provider"),
        (("tea", "--provider", f"pot={canned.address}"), 2, "is called tea here"),
        ((*whom, "--provider", "stdio: other"), 2, "two providers are called tea"),
        ((*whom, "--memory"), 2, "one provider"),
        ((*whom,), 2, "give --yes"),
        ((*whom, "--yes", "--until", "2001"), 2, "is over"),
        ((*whom, "--yes", "--by", " "), 2, "who grants it"),
        ((*whom, "--yes", "--by", "a", "--by-policy", "b"), 2, "not both"),
        ((*whom, "--yes", "--scope", "a", "--all-scopes"), 2, "not both"),
        ((*whom, "--yes", "--scope", "org-tenant"), 2, "declares none off this machine"),
        (("tea", "--provider", "stdio: /no/such/program", "--yes"), 1, "nothing granted"),
        (("tea", "--provider", adversary("version"), "--yes"), 1, "contextgraph/2.0"),
        (("tea", "--provider", adversary("scope lie"), "--yes"), 1, "C5"),
    ):
        said = granted(terminal, *arguments)
        assert (said.code, said.out) == (code, ""), (arguments, said)
        assert why in said.err.splitlines()[-1], (arguments, said)
        assert not path.exists()


def test_a_provider_that_keeps_everything_here_needs_none(
    terminal: Terminal, tmp_path: Path, path: Path
) -> None:
    said = granted(terminal, "tea", "--provider", Canned(tmp_path / "c.json").address)
    assert (said.code, said.out) == (0, "")
    assert said.err.splitlines()[-1] == "tea needs no consent: what it is asked stays on this machine"
    assert terminal("host", "consent", "grant", "memory", "--memory").code == 0
    assert not path.exists()


def test_a_memory_on_another_machine_needs_consent(terminal: Terminal, path: Path) -> None:
    """Its driver is not even loaded: greeting tells where data would go."""
    away = ("--store", "neo4j+s://db.example")
    said = terminal.bare("host", "query", "kettle", "--memory", *away)
    assert said.code == 1
    assert said.err.splitlines()[0].endswith("memory-provider host consent grant memory --memory")
    shape = granted(terminal, "memory", "--memory", *away, "--all-scopes", "--yes", "--json").json
    assert [each["scope"] for each in shape["granted"]] == ["org-tenant"]


@pytest.mark.parametrize(("typed", "code"), [("y", 0), ("n", 130), ("", 130)])
def test_at_a_terminal_it_asks(
    typed: str, code: int, terminal: Terminal, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_provider.cli.confirming.at_a_terminal", lambda: True)
    canned = Canned(tmp_path / "c.json", name="\x1b[2Jtea", data_flow=EGRESS)
    said = terminal.bare("host", "consent", "grant", "tea", "--provider", canned.address, typed=f"{typed}\n")
    assert said.code == code
    assert "Grant tea: any question?" in said.err and "\x1b" not in said.err
    assert said.err.index("[2Jtea") < said.err.index("Grant tea")
    assert path.exists() == (code == 0)


def test_processes_that_grant_at_once_lose_nothing(terminal: Terminal, tmp_path: Path, path: Path) -> None:
    canned = Canned(tmp_path / "c.json", data_flow=EGRESS | {"egress_scopes": ["org-tenant"]})
    names = ["a", "b", "c", "d"]
    running = []
    for name in names:
        command = [sys.executable, "-m", "memory_provider", "host", "consent", "grant", name, "--yes"]
        command += ["--all-scopes", "--provider", canned.address]
        running.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
    assert [each.wait() for each in running] == [0] * len(names)
    assert sorted(each.provider_id for each in ConsentFile(path).ledger().receipts) == names


def test_a_scope_cannot_write_a_line_of_its_own(terminal: Terminal, path: Path, tmp_path: Path) -> None:
    flow = EGRESS | {"egress_scopes": ["org:b\ngranted nobody: nothing\x1b[2J"]}
    canned = Canned(tmp_path / "c.json", data_flow=flow, version="1\n2", frames=[frame("1", "It boils.")])
    provider = ["--provider", f"tea={canned.address}"]
    asked = terminal.bare("host", "query", "kettle", *provider)
    granted = terminal.bare("host", "consent", "grant", "tea", *provider, "--all-scopes", "--yes")
    revoked = terminal.bare("host", "consent", "revoke", "tea")
    assert [each.code for each in (asked, granted, revoked)] == [1, 0, 0]
    said = asked.err + granted.err + revoked.err
    assert "\ngranted nobody" not in said and "\x1b" not in said
    assert "org:b\\ngranted nobody" in granted.err
