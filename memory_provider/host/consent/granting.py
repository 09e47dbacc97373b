"""What has to be consented to before a provider is asked."""

from __future__ import annotations

from collections.abc import Collection

from ...protocol import DataFlow, HandshakeAck
from ..errors import InvalidConsent
from .ledger import Consent, Grantor, Pin, Receipt, Record


def consents_to(
    provider_id: str,
    ack: HandshakeAck,
    data_flow: DataFlow,
    grantor: Grantor,
    granted_at: str,
    *,
    expires_at: str | None = None,
    scopes: Collection[str] | None = None,
) -> tuple[Consent, ...]:
    """The consents that open what the provider declares: none where all stays on this machine.

    Where it passes data on it is a receipt for each scope, or for each of `scopes`, else a record. `data_flow` is what
    counts, with egress where the transport makes it so. Raises `InvalidConsent` for a scope that is not declared.
    """
    declared = data_flow.off_machine_scopes
    undeclared = [each for each in scopes or () if each not in declared]
    if undeclared:
        raise InvalidConsent(
            f"provider {provider_id} declares no scope {', '.join(undeclared)}; it declares "
            f"{', '.join(declared) or 'none off this machine'}"
        )
    pin = Pin.of(ack)
    if declared:
        wanted = (each for each in dict.fromkeys(declared) if scopes is None or each in scopes)
        return tuple(Receipt(provider_id, each, pin, grantor, granted_at, expires_at) for each in wanted)
    return (Record(provider_id, pin, grantor, granted_at, expires_at),) if data_flow.egress else ()
