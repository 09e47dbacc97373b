"""`serve`: the memory as a provider of the Context Graph Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options.log_options import log_options, say
from ..options.seconds import Seconds
from ..settings import Settings, scope_option, store_option

if TYPE_CHECKING:
    from ...attestation import SigningKey

NEEDS = {"starlette", "uvicorn", "prometheus_client"}
"""What the extra `http` brings."""


@click.group(no_args_is_help=False)
def serve() -> None:
    """Serve the memory to Context Graph Protocol hosts."""


key_option = click.option(
    "--key",
    "key_file",
    metavar="FILE",
    help="Sign what is answered, with a key of `memory-provider key new`.",
)

audit_option = click.option(
    "--audit",
    metavar="FILE",
    envvar="MEMORY_AUDIT",
    help="Append who asked for what, by id, to this file.  [env MEMORY_AUDIT]",
)


@serve.command()
@key_option
@audit_option
@store_option
@scope_option
@log_options
@click.pass_context
def stdio(context: click.Context, key_file: str | None, audit: str | None) -> None:
    """Serve over standard input and output, one message a line.

    It ends when the host says goodbye. Standard output is the protocol's alone; messages for people go to standard
    error.
    """
    from ...transports.stdio import run_stdio

    settings: Settings = context.obj
    context.exit(run_stdio(settings.store, settings.scope, key=_signing_key(key_file), audit=audit))


@serve.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8080, show_default=True, help="0: any that is free."
)
@click.option(
    "--tokens",
    metavar="FILE",
    envvar="MEMORY_TOKENS",
    help="Answer only who brings a token of this file.  [env MEMORY_TOKENS]",
)
@click.option(
    "--tls-cert", metavar="FILE", help="Serve over TLS, with this certificate (PEM, chain included)."
)
@click.option("--tls-key", metavar="FILE", help="Its key, if it is not in the same file.")
@click.option(
    "--insecure-no-auth",
    is_flag=True,
    help="Answer anybody who reaches the address, on whatever address it is.",
)
@click.option("--max-body", type=click.IntRange(1), metavar="BYTES", help="The longest message.  [16 MiB]")
@click.option(
    "--request-seconds",
    type=Seconds(),
    metavar="S",
    help="How long an answer may take.  [25]",
)
@click.option(
    "--slow-seconds",
    type=Seconds(),
    metavar="S",
    help="How long a peer may take to send a request's head, to send its body, to take the answer.  [10 each]",
)
@click.option("--at-once", type=click.IntRange(1), metavar="N", help="Requests answered at one time.  [64]")
@click.option(
    "--connections", type=click.IntRange(1), metavar="N", help="Connections open at one time.  [1024]"
)
@key_option
@audit_option
@store_option
@scope_option
@log_options
@click.pass_context
def http(
    context: click.Context,
    host: str,
    port: int,
    tokens: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    insecure_no_auth: bool,
    max_body: int | None,
    request_seconds: float | None,
    slow_seconds: float | None,
    at_once: int | None,
    connections: int | None,
    key_file: str | None,
    audit: str | None,
) -> None:
    """Serve over HTTP, one message in the body of each POST to /.

    Its answer is in the body of the response. An address that other machines can reach is refused unless something says
    who may ask. /healthz and /readyz say how the server is, /metrics what it counts. SIGTERM ends it when what is in
    flight is finished.
    """
    try:
        from ...transports.http.limits import Limits
        from ...transports.http.serving import Serving, run_http
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in NEEDS:
            raise
        raise click.ClickException(
            f"serving over HTTP needs {package}, which is not installed: pip install 'memory-provider[http]'"
        ) from None
    settings: Settings = context.obj
    given = {
        "body": max_body,
        "seconds": request_seconds,
        "slow": slow_seconds,
        "at_once": at_once,
        "connections": connections,
    }
    limits = Limits(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    signing = _signing_key(key_file)
    serving = Serving(host, port, tokens, insecure_no_auth, tls_cert, tls_key, limits, signing, audit)
    context.exit(
        run_http(
            settings.store,
            settings.scope,
            serving,
            lambda url: say(settings, f"serving the scope {settings.scope} at {url}"),
        )
    )


def _signing_key(path: str | None) -> SigningKey | None:
    if path is None:
        return None
    from ...attestation import read_key_file

    return read_key_file(path)
