"""Over TLS, with certificate files."""

from __future__ import annotations

import contextlib
import ssl
import warnings
from pathlib import Path

import pytest
import trustme

from tests.provider.kettle import GOAL
from tests.transports.conftest import Kitchen

from .server import Server, query, send


@pytest.mark.parametrize("files", ["one", "two"])
def test_a_certificate(kitchen: Kitchen, tmp_path: Path, files: str) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("localhost", "127.0.0.1")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    if files == "one":
        certificate.write_bytes(issued.private_key_and_cert_chain_pem.bytes())
        options = ["--tls-cert", f"{certificate}"]
    else:
        certificate.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        key.write_bytes(issued.private_key_pem.bytes())
        options = ["--tls-cert", f"{certificate}", "--tls-key", f"{key}"]
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    with Server(kitchen.store, kitchen.scope, *options) as server:
        assert server.url.startswith("https://127.0.0.1:")
        with server.connection(trusting) as line:
            for _ in range(2):
                assert send(line, "POST", "/", query(GOAL)).envelope["result"]["frames"]
            assert send(line, "GET", "/healthz", b"").status == 200
        with (
            pytest.raises(ssl.SSLCertVerificationError),
            server.connection(ssl.create_default_context()) as line,
        ):
            send(line, "POST", "/", query(GOAL))
        with server.socket() as plain:  # no word of the protocol goes over it in the clear
            plain.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
            with contextlib.suppress(ConnectionError):
                assert b"HTTP/1.1 2" not in plain.recv(1000)
        old = ssl.create_default_context()
        authority.configure_trust(old)
        old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        old.set_ciphers("DEFAULT@SECLEVEL=0")
        with warnings.catch_warnings(action="ignore"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(OSError), server.connection(old) as line:  # noqa: PT011 - whatever the library calls it
            send(line, "POST", "/", query(GOAL))
        server.signal()
        assert server.end() == 0
