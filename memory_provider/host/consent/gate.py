"""Whether a provider may be sent anything at all."""

from __future__ import annotations

from ...protocol import DataFlow, HandshakeAck
from ..errors import HostError
from ..outcomes import ConsentRequired, ConsentScopeRequired
from .ledger import Ledger, Pin


class ConsentMissing(HostError):
    """The provider may not be sent anything, so it was not."""

    def __init__(self, refusal: ConsentRequired | ConsentScopeRequired) -> None:
        self.refusal = refusal
        super().__init__(refusal.provider_id, "consent is missing")


def gate(
    provider_id: str, ack: HandshakeAck, data_flow: DataFlow, ledger: Ledger, now: int
) -> ConsentRequired | ConsentScopeRequired | None:
    """None where it may be asked, and verified with.

    `data_flow` is what counts, with egress where the transport makes it so; `ack` is what the provider says. Where it
    declares scopes off this machine each needs its receipt, and a record does not stand for one (C6).
    """
    pin = Pin.of(ack)
    scopes = data_flow.off_machine_scopes
    missing = tuple(scope for scope in scopes if not ledger.has_receipt(provider_id, scope, pin, now))
    if missing:
        return ConsentScopeRequired(provider_id, data_flow, missing)
    if data_flow.egress and not scopes and not ledger.has_record(provider_id, pin, now):
        return ConsentRequired(provider_id, data_flow)
    return None
