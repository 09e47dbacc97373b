"""A host and this project's provider in a process of its own, over HTTP and TLS, with a token and signatures."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import trustme

from memory_provider.access import Right
from memory_provider.access.token_file import TokenFile
from memory_provider.access.tokens import make_token
from memory_provider.attestation import Status, create_key_file
from memory_provider.host import (
    ConsentFile,
    ConsentRequired,
    Failed,
    Frames,
    Grantor,
    Host,
    Outcome,
    Pin,
    Record,
    compose_answers,
)
from memory_provider.host.books.verification import NotConsented, VerifyFailed
from memory_provider.host.errors import TransportError, Unauthorized
from memory_provider.protocol import ContextQuery, HandshakeAck
from memory_provider.sync import Memory
from memory_provider.temporal.instants import now
from tests.transports.http.server import Server

pytestmark = [
    pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"]),
    pytest.mark.parametrize("way", ["http", "https"], indirect=True),
]
QUERY = ContextQuery(goal="where is the kettle", max_frames=8, max_tokens=1000)


class Way(NamedTuple):
    """Where the provider is, and what a host needs to get there."""

    url: str
    token: str
    tls: ssl.SSLContext | None


@pytest.fixture(scope="module")
def way(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Way]:
    directory = tmp_path_factory.mktemp("served")
    store, tokens = f"sqlite:///{directory / 'memory.db'}", TokenFile(directory / "tokens.json")
    with Memory.open(store, scope="acme/alice") as memory:
        memory.assert_fact("kettle", "stands_on", "the blue shelf")
    kept, token = make_token(
        "acme/alice", "acme/alice", scopes=(), rights=(Right.READ,), expires_at=None, now=now()
    )
    tokens.add(kept)
    create_key_file(directory / "key.pem")
    options, trusting = ["--tokens", str(tokens.path), "--key", str(directory / "key.pem")], None
    if request.param == "https":
        authority = trustme.CA()
        certificate = directory / "certificate.pem"
        certificate.write_bytes(
            authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.bytes()
        )
        options += ["--tls-cert", str(certificate)]
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
    with Server(store, "nobody", *options) as server:
        assert server.url.startswith(f"{request.param}://")
        yield Way(server.url, token, trusting)


async def consented(host: Host, consents: ConsentFile) -> HandshakeAck:
    ack = (await host.greet())["memory"]
    assert isinstance(ack, HandshakeAck), ack
    consents.grant(Record("memory", Pin.of(ack), Grantor("human", "ada"), "2026-01-01T00:00:00Z"))
    return ack


async def test_it_is_asked_and_verified_after_consent(way: Way, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        host.add("memory", way.url, token=way.token, tls=way.tls)
        [refused] = await host.query(QUERY)
        assert isinstance(refused, ConsentRequired) and refused.data_flow.egress
        ack = await consented(host, consents)
        assert ack.attester_keys

        outcomes = await host.query(QUERY)
        [outcome] = outcomes
        assert isinstance(outcome, Frames), outcome
        assert outcome.frames and not outcome.quarantined and not outcome.reports
        prompt = compose_answers(outcomes, 1000)
        assert "the blue shelf" in prompt.text
        verdicts = [(entry.verdict.status, entry.verdict.covers_content) for entry in prompt.audit.included]
        assert verdicts and set(verdicts) == {(Status.VALID, True)}

        held = tuple(each.identity for each in outcome.frames)
        assert (await host.verify(held)).retained == held
        consents.revoke("memory", "2026-01-02T00:00:00Z")
        dropped = (await host.verify(held)).dropped
        assert [type(each.reason) for each in dropped] == [NotConsented] * len(held)


@pytest.mark.parametrize("token", [None, "mpt_another"])
async def test_without_its_token_nobody_is_even_greeted(way: Way, token: str | None) -> None:
    async with Host() as host:
        host.add("memory", way.url, token=token, tls=way.tls)
        [outcome] = await host.query(QUERY)
        assert_failed(outcome, Unauthorized)
        assert "401" in str(outcome) and (token is None or token not in str(outcome))


async def test_a_certificate_of_nobody_is_not_trusted(way: Way) -> None:
    async with Host() as host:
        host.add("memory", way.url, token=way.token)
        greeted = (await host.greet())["memory"]
    if way.tls is None:
        assert isinstance(greeted, HandshakeAck)
    else:
        assert type(greeted) is TransportError
        assert way.token not in str(greeted)


async def test_with_another_token_nothing_that_is_held_can_be_used(way: Way, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "consents.json")
    async with Host(consents=consents) as host:
        host.add("memory", way.url, token=way.token, tls=way.tls)
        await consented(host, consents)
        [outcome] = await host.query(QUERY)
        assert isinstance(outcome, Frames)
        held = [each.identity for each in outcome.frames]
        await host.remove("memory")
        host.add("memory", way.url, token="mpt_another", tls=way.tls)
        dropped = (await host.verify(held)).dropped
        assert [type(each.reason) for each in dropped] == [VerifyFailed] * len(held)
        assert_failed((await host.query(QUERY))[0], Unauthorized)


def assert_failed(outcome: Outcome, kind: type[Exception]) -> None:
    assert isinstance(outcome, Failed) and type(outcome.error) is kind, outcome
