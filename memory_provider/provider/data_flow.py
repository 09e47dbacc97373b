"""Where data goes, derived from where the store is: what the handshake declares."""

from __future__ import annotations

from ..protocol import LOCAL_ONLY, DataFlow

ORG_TENANT = "org-tenant"
THIRD_PARTY_INDEX = "third-party-index"

_CLOUDS = (".neo4j.io",)
"""Domains of which it is known that somebody else runs the store."""


def data_flow(*, local: bool, host: str | None = None) -> DataFlow:
    """The declaration for a store on this machine (`local`), or on `host`.

    A store in memory, in a file or on a loopback address keeps everything here: no egress, `local-only`. To any
    other, questions are sent and answers come back over a network, so egress is declared whoever owns the host
    (C3). The scope says whose it is as far as an address can tell: a known cloud is a third party's index, any
    other host is one that the operator chose and named, the organisation's own.

    Records are written for whoever may append them. A query or a verification changes nothing.
    """
    if local:
        return DataFlow(reads=True, writes=True, egress=False, egress_scopes=(LOCAL_ONLY,))
    cloud = host is not None and host.lower().rstrip(".").endswith(_CLOUDS)
    scope = THIRD_PARTY_INDEX if cloud else ORG_TENANT
    return DataFlow(reads=True, writes=True, egress=True, egress_scopes=(scope,))
