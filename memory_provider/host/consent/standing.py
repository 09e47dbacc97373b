"""How each consent stands: all that were ever granted, those that hold no more too."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ...protocol import parse_timestamp
from .ledger import Consent, Ledger, Record, is_expired

State: TypeAlias = Literal["active", "expired", "revoked"]


class Standing(NamedTuple):
    """A consent and how it stands."""

    consent: Consent
    state: State
    revoked_at: str | None = None

    @property
    def scope(self) -> str | None:
        """The scope it is for; None for a record."""
        return None if isinstance(self.consent, Record) else self.consent.scope


def standing(ledger: Ledger, now: int) -> tuple[Standing, ...]:
    """All consents, those to one provider together, in the order in which they were granted."""
    found = [Standing(each, _state(each, now)) for each in ledger.records]
    for position, receipt in enumerate(ledger.receipts):
        revocation = ledger.revocation_of(position, receipt)
        if revocation is None:
            found.append(Standing(receipt, _state(receipt, now)))
        else:
            found.append(Standing(receipt, "revoked", revocation.revoked_at))
    found += (
        Standing(each.record, "revoked", each.revoked_at)
        for each in ledger.revocations
        if each.record is not None
    )
    return tuple(sorted(found, key=_place))


def _place(each: Standing) -> tuple[str, int]:
    return each.consent.provider_id, parse_timestamp(each.consent.granted_at)


def _state(consent: Consent, now: int) -> State:
    return "expired" if is_expired(consent, now) else "active"
