"""Consents in a file: JSON, replaced whole under a lock between processes, read anew for every question."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ...durable_files import Held, locked_beside, read_regular, replace_text
from ...protocol import DataFlow
from ...protocol.encoding import plain
from ...protocol.shapes import Mismatch, read
from ..errors import ConsentFileError, InvalidConsent
from .ledger import Consent, Grantor, Ledger, Pin, Receipt, Record, Revocation

GRANTED_SCOPE: Final = "egress"


class ConsentFile:
    """The consents of one host. Any number of processes may read and change it; without a file there are none."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def ledger(self) -> Ledger:
        """The consents as the file has them now. Raises `ConsentFileError`: then ask nobody."""
        try:
            data = read_regular(self.path)
        except FileNotFoundError:
            return Ledger()
        except OSError as problem:
            raise self._problem("read", problem) from None
        try:
            return _ledger(json.loads(data))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, Mismatch, InvalidConsent):
            raise ConsentFileError(f"{self.path} is not a file of consents") from None

    def grant(self, *consents: Consent) -> None:
        """Keep consents. Raises `InvalidConsent` and `ConsentFileError`."""

        self._change(lambda ledger: ledger.grant(*consents))

    def revoke(self, provider_id: str, revoked_at: str, scope: str | None = None) -> tuple[Consent, ...]:
        """Take back what a provider was granted, or one scope of it; gives what that was, nothing if there was nothing.

        Raises `ConsentFileError`.
        """
        taken_back: tuple[Consent, ...] = ()

        def revoked(ledger: Ledger) -> Ledger:
            nonlocal taken_back
            taken_back = ledger.unrevoked(provider_id, scope)
            return ledger.revoke(provider_id, revoked_at, scope) if taken_back else ledger

        self._change(revoked)
        return taken_back

    def _change(self, change: Callable[[Ledger], Ledger]) -> None:
        try:
            with locked_beside(self.path):
                before = self.ledger()
                after = change(before)
                if after is not before:
                    replace_text(self.path, json.dumps(_plain(after), indent=2) + "\n")
        except Held:
            raise ConsentFileError(f"another process holds {self.path}.lock; try again") from None
        except OSError as problem:
            raise self._problem("written", problem) from None

    def _problem(self, what: str, problem: OSError) -> ConsentFileError:
        return ConsentFileError(f"the consents' file {self.path} cannot be {what}: {problem.strerror}")


def _plain(ledger: Ledger) -> dict[str, Any]:
    return {
        "records": {each.provider_id: _consent(each) for each in ledger.records},
        "receipts": [_consent(each) for each in ledger.receipts],
        "revocations": [
            {**each._asdict(), "record": None if each.record is None else _consent(each.record)}
            for each in ledger.revocations
        ],
    }


def _consent(consent: Consent) -> dict[str, Any]:
    shown = {
        "provider_id": consent.provider_id,
        "provider_name": consent.pin.name,
        "provider_version": consent.pin.version,
        "data_flow": plain(consent.pin.data_flow),
        "grantor": consent.grantor._asdict(),
        "granted_at": consent.granted_at,
        "expires_at": consent.expires_at,
    }
    return shown | (
        {"scope": consent.scope} if isinstance(consent, Receipt) else {"granted_scope": GRANTED_SCOPE}
    )


def _ledger(value: Any) -> Ledger:
    records = map(_record, value["records"].values())
    receipts = (Receipt(each["provider_id"], each["scope"], *_terms(each)) for each in value["receipts"])
    ledger = Ledger().grant(*records, *receipts)
    return ledger._replace(revocations=tuple(map(_revocation, value.get("revocations", ()))))


def _record(value: Any) -> Record:
    return Record(value["provider_id"], *_terms(value))


def _terms(value: Any) -> tuple[Pin, Grantor, str, str | None]:
    pin = Pin(value["provider_name"], value["provider_version"], read(DataFlow, value["data_flow"]))
    return pin, Grantor(**value["grantor"]), value["granted_at"], value.get("expires_at")


def _revocation(value: Any) -> Revocation:
    if type(value["receipts"]) is not int:
        raise TypeError
    record = value.get("record")
    return Revocation(
        value["provider_id"],
        value["scope"],
        value["revoked_at"],
        value["receipts"],
        None if record is None else _record(record),
    )
