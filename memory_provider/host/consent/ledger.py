"""What was consented to, by whom, for how long, and what of it was taken back.

Receipts are only ever added: taking one back adds a revocation. Each consent is pinned to the provider as it was then.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ...protocol import DataFlow, HandshakeAck, TimestampError, parse_timestamp
from ..errors import InvalidConsent


class Grantor(NamedTuple):
    """Who consented: a person, or a rule that a person made."""

    kind: Literal["human", "policy"]
    id: str


class Pin(NamedTuple):
    """The provider that was consented to. Another name, version or declaration is another provider."""

    name: str
    version: str
    data_flow: DataFlow

    @classmethod
    def of(cls, ack: HandshakeAck) -> Pin:
        """The provider as it declares itself."""
        return cls(ack.provider.name, ack.provider.version, ack.provider.data_flow)


class Record(NamedTuple):
    """Consent to ask a provider although what it is asked leaves the machine. It opens no scope (C6)."""

    provider_id: str
    pin: Pin
    grantor: Grantor
    granted_at: str
    expires_at: str | None = None


class Receipt(NamedTuple):
    """Consent to one scope that a provider passes data on to."""

    provider_id: str
    scope: str
    pin: Pin
    grantor: Grantor
    granted_at: str
    expires_at: str | None = None


Consent: TypeAlias = Record | Receipt


class Revocation(NamedTuple):
    """Everything that a provider was granted before is taken back; with a scope, only the receipts for that."""

    provider_id: str
    scope: str | None
    revoked_at: str
    receipts: int
    """How many receipts there were then: those are meant, and none that comes later."""
    record: Record | None = None
    """The record that was removed."""


class Ledger(NamedTuple):
    """All consents, a value: granting and revoking give another one."""

    records: tuple[Record, ...] = ()
    """At most one for each provider."""
    receipts: tuple[Receipt, ...] = ()
    revocations: tuple[Revocation, ...] = ()

    def grant(self, *consents: Consent) -> Ledger:
        """With more consents. Raises `InvalidConsent`."""
        records = {each.provider_id: each for each in self.records}
        receipts: list[Receipt] = []
        for consent in consents:
            _check(consent)
            if isinstance(consent, Receipt):
                receipts.append(consent)
            else:
                records.pop(consent.provider_id, None)
                records[consent.provider_id] = consent
        return self._replace(records=tuple(records.values()), receipts=(*self.receipts, *receipts))

    def revoke(self, provider_id: str, revoked_at: str, scope: str | None = None) -> Ledger:
        """Without what a provider was granted, or without one scope of it."""
        record = None if scope is not None else self._record(provider_id)
        return Ledger(
            tuple(each for each in self.records if each is not record),
            self.receipts,
            (*self.revocations, Revocation(provider_id, scope, revoked_at, len(self.receipts), record)),
        )

    def has_record(self, provider_id: str, pin: Pin, now: int) -> bool:
        """Whether it may be asked although that leaves the machine."""
        record = self._record(provider_id)
        return record is not None and record.pin == pin and not is_expired(record, now)

    def has_receipt(self, provider_id: str, scope: str, pin: Pin, now: int) -> bool:
        """Whether there is a receipt for the scope that holds."""
        return any(
            (receipt.provider_id, receipt.scope, receipt.pin) == (provider_id, scope, pin)
            and not is_expired(receipt, now)
            and self.revocation_of(position, receipt) is None
            for position, receipt in enumerate(self.receipts)
        )

    def revocation_of(self, position: int, receipt: Receipt) -> Revocation | None:
        """What took the receipt at a position back, if anything did."""
        return next(
            (
                each
                for each in self.revocations
                if each.provider_id == receipt.provider_id
                and each.scope in (None, receipt.scope)
                and position < each.receipts
            ),
            None,
        )

    def unrevoked(self, provider_id: str, scope: str | None = None) -> tuple[Consent, ...]:
        """What a provider was granted, or for one scope, and nothing took back; what has expired too."""
        record = None if scope is not None else self._record(provider_id)
        receipts = (
            receipt
            for position, receipt in enumerate(self.receipts)
            if receipt.provider_id == provider_id
            and scope in (None, receipt.scope)
            and self.revocation_of(position, receipt) is None
        )
        return (*(() if record is None else (record,)), *receipts)

    def _record(self, provider_id: str) -> Record | None:
        return next((each for each in self.records if each.provider_id == provider_id), None)


def is_expired(consent: Consent, now: int) -> bool:
    """At the instant of its expiry it no longer holds (CR-expiry)."""
    return consent.expires_at is not None and now >= parse_timestamp(consent.expires_at)


def _check(consent: Consent) -> None:
    texts = [consent.provider_id, consent.grantor.id, consent.pin.name]
    if isinstance(consent, Receipt):
        texts.append(consent.scope)
    if not all(text.strip() for text in texts):
        raise InvalidConsent("a consent names the provider, who grants it, and the scope it is for")
    if consent.grantor.kind not in ("human", "policy"):
        raise InvalidConsent("a consent is granted by a human or a policy")
    try:
        parse_timestamp(consent.granted_at)
        if consent.expires_at is not None:
            parse_timestamp(consent.expires_at)
    except TimestampError as error:
        raise InvalidConsent(f"a consent's instant: {error}") from None
