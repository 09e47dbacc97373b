"""Certificate files, read before anything is served."""

from __future__ import annotations

import ssl

from ...errors import InvalidInput


def tls_context(certificate: str, key: str | None) -> ssl.SSLContext:
    """A server's context. `key` left out is in the same file. Raises `InvalidInput` for files that will not do."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    for option, path in (("--tls-cert", certificate), ("--tls-key", key)):
        try:
            if path is not None:
                with open(path, "rb"):
                    pass
        except OSError as problem:
            raise InvalidInput(f"{option} {path}: {problem.strerror or problem}") from None
    try:
        context.load_cert_chain(certificate, key, _no_password)
    except (ssl.SSLError, _Encrypted) as problem:
        where = f"--tls-cert {certificate}" + (f", --tls-key {key}" if key else "")
        raise InvalidInput(f"{where}: {_why(problem, key)}") from None
    return context


class _Encrypted(Exception):
    """A key that a password protects."""


def _no_password() -> str:
    raise _Encrypted


def _why(problem: Exception, key: str | None) -> str:
    if isinstance(problem, _Encrypted):
        return "the key is encrypted; give one without a password, readable by this user alone"
    if "KEY_VALUES_MISMATCH" in str(problem):
        return "the key does not belong to the certificate"
    if key is None:
        return (
            "no certificate and key in PEM form in there; give the key with --tls-key if it is another file"
        )
    return "no certificate and its key in PEM form in there"
