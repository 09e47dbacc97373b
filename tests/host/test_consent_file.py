"""Consents in a file: whole, shared by processes, and never believed when the file is damaged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_provider.host import ConsentFile, Grantor, Host, Ledger, Pin, Receipt, Record
from memory_provider.host.errors import ConsentFileError, InvalidConsent
from memory_provider.protocol import DataFlow

PIN = Pin("tea", "1", DataFlow(reads=True, writes=False, egress=True, egress_scopes=("org-tenant",)))
ALICE = Grantor("human", "alice")
THEN = "2026-01-01T00:00:00Z"
GRANT = """
import sys
from memory_provider.host import ConsentFile, Receipt
from tests.host.test_consent_file import ALICE, PIN, THEN
for number in range(10):
    ConsentFile(sys.argv[1]).grant(Receipt(sys.argv[2], f"org:{number}", PIN, ALICE, THEN))
"""


def test_a_receipt_is_kept_with_all_that_it_is_pinned_to(tmp_path: Path) -> None:
    file = ConsentFile(tmp_path / "consents.json")
    file.grant(
        Receipt("p", "org-tenant", PIN, ALICE, THEN, "2027-01-01T00:00:00Z"), Record("p", PIN, ALICE, THEN)
    )
    before = file.ledger()
    file.revoke("p", "2026-02-01T00:00:00Z")
    [receipt] = json.loads(file.path.read_bytes())["receipts"]
    assert receipt["provider_name"] == "tea" and receipt["provider_version"] == "1"
    assert receipt["grantor"] == {"kind": "human", "id": "alice"}
    assert (receipt["granted_at"], receipt["expires_at"]) == (THEN, "2027-01-01T00:00:00Z")
    after = file.ledger()
    assert after.receipts == before.receipts and not after.records
    assert after.revocations[0].record == before.records[0]
    assert file.path.stat().st_mode & 0o077 == 0


def test_processes_lose_none_of_each_others_receipts(tmp_path: Path) -> None:
    path = tmp_path / "consents.json"
    running = [subprocess.Popen([sys.executable, "-c", GRANT, str(path), name]) for name in "abc"]
    assert [each.wait() for each in running] == [0, 0, 0]
    receipts = ConsentFile(path).ledger().receipts
    assert {(each.provider_id, each.scope) for each in receipts} == {
        (name, f"org:{number}") for name in "abc" for number in range(10)
    }


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"records": {}, "receipts": [{}]}', '{"records": []'])
def test_a_damaged_file_is_no_consent(content: str, tmp_path: Path) -> None:
    path = tmp_path / "consents.json"
    path.write_text(content)
    with pytest.raises(ConsentFileError):
        ConsentFile(path).ledger()
    with pytest.raises(ConsentFileError):
        ConsentFile(path).grant(Record("p", PIN, ALICE, THEN))
    assert path.read_text() == content


@pytest.mark.parametrize(
    "consent",
    [
        Record("p", PIN, ALICE, "2026-01-01"),
        Record("p", PIN, ALICE, THEN, "tomorrow"),
        Record(" ", PIN, ALICE, THEN),
        Record("p", PIN, Grantor("human", ""), THEN),
        Receipt("p", "", PIN, ALICE, THEN),
    ],
)
def test_a_consent_that_names_no_one_or_no_instant_is_refused(
    consent: Record | Receipt, tmp_path: Path
) -> None:
    file = ConsentFile(tmp_path / "consents.json")
    with pytest.raises(InvalidConsent):
        file.grant(consent)
    assert not file.path.exists()


async def test_a_host_asks_nobody_on_the_strength_of_a_damaged_file(tmp_path: Path) -> None:
    from memory_provider.protocol import ContextQuery

    path = tmp_path / "consents.json"
    path.write_text("?")
    async with Host(consents=ConsentFile(path)) as host:
        with pytest.raises(ConsentFileError):
            await host.query(ContextQuery(goal="g", max_frames=1, max_tokens=1))


def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(ConsentFileError, match=r"cannot be (read|written)"):
            ConsentFile(path).ledger()
        with pytest.raises(ConsentFileError, match=r"cannot be (read|written)"):
            ConsentFile(path).grant(Record("p", PIN, ALICE, THEN))


def test_a_link_and_its_file_share_a_lock(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    path, link = tmp_path / "here" / "consents.json", tmp_path / "link.json"
    link.symlink_to(path)
    names = {"abc"[place]: (path, link)[place % 2] for place in range(3)}
    running = [
        subprocess.Popen([sys.executable, "-c", GRANT, str(each), name]) for name, each in names.items()
    ]
    assert [each.wait() for each in running] == [0, 0, 0]
    assert len(ConsentFile(link).ledger().receipts) == 30
    assert [each.name for each in tmp_path.rglob("*.lock")] == ["consents.json.lock"]


def test_consents_are_not_gone_through_again_for_each_of_them() -> None:
    compared = 0

    class Id(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str(self) == other

        def __ne__(self, other: object) -> bool:
            return not self == other

    consents = [Record(Id(number), PIN, ALICE, THEN) for number in range(1000)]
    ledger = Ledger().grant(*consents, *consents)
    assert ledger.records == tuple(consents)
    assert compared < 10_000
