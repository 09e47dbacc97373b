"""`host inspect`: whether a provider keeps the requirements of the protocol."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from ...failures import Nothing
from ...hosting.inspections import print_inspection
from ...hosting.providers import access_options, providers_of, timeout_option
from ...hosting.running import run
from ...settings import Settings, json_option
from ...showing.counting import counted
from ...showing.output import note, print_json

if TYPE_CHECKING:
    from ....host.inspection import Report


@click.command()
@click.argument("address", metavar="ADDRESS")
@click.option("--goal", metavar="TEXT", help="A question that it can answer.  [that of the protocol's suite]")
@click.option(
    "--consent",
    is_flag=True,
    help="Ask it although what it is asked may leave this machine; you agree to that.",
)
@click.option(
    "--write",
    "writes",
    is_flag=True,
    help="Append records, too, and erase them again: in a store to throw away.",
)
@click.option("--strict", is_flag=True, help="Take a broken SHOULD for a breach, too.")
@partial(access_options, one=True)
@timeout_option
@json_option
@click.pass_obj
def inspect(
    settings: Settings,
    /,
    address: str,
    goal: str | None,
    consent: bool,
    writes: bool,
    strict: bool,
    token_files: tuple[str, ...],
    tls_ca: str | None,
    passed_on: tuple[str, ...],
    timeout: float,
) -> None:
    """Report whether the provider at ADDRESS keeps to the protocol.

    Every requirement on a provider is listed. It is greeted, asked and verified with, and sent much that no host would
    send; nothing is written to it without --write. Give a --goal for which it has frames. Exit code 1: a MUST is
    broken, or with --strict a SHOULD; or it could not be asked.
    """
    from ....host import HostError, parse_address
    from ....host.inspection import inspect_provider
    from ....host.inspection.wire import PROVIDER
    from ....temporal.errors import InvalidInput

    parse_address(PROVIDER, address)  # what is wrong with it is said as of an argument, not of --provider
    providers = providers_of(
        providers=(address,),
        memory=False,
        token_files=token_files,
        tls_ca=tls_ca,
        passed_on=passed_on,
        timeout=timeout,
    )
    [named] = providers.named

    async def inspecting() -> Report:
        return await inspect_provider(
            named.address,
            goal=goal,
            consent=consent,
            writes=writes,
            token=providers.tokens.get(named.id),
            tls=providers.tls if named.is_http else None,
            environment=providers.environments.get(named.id),
            patience=timeout,
        )

    try:
        report = run(settings, inspecting)
    except InvalidInput:
        raise
    except HostError as problem:
        raise Nothing(str(problem)) from None
    if settings.json:
        print_json(report.plain())
    else:
        print_inspection(report)
    _judge(report, strict=strict)


def _judge(report: Report, *, strict: bool) -> None:
    musts, shoulds = report.broken("MUST"), report.broken("SHOULD")
    if shoulds:
        ids = ", ".join(each.requirement.id for each in shoulds)
        note(f"warning: {ids}: broken where it is a SHOULD")
    if not report.was_asked and report.protocol_version is not None:
        raise Nothing(
            "only handshakes were sent, as what it is asked may leave this machine; --consent asks it"
        )
    if not report.frames and report.was_asked:
        note("warning: no frame was served, so that little was seen; give a --goal that it has frames for")
    if not report.passes(strict=strict):
        broken = musts + (shoulds if strict else ())
        ids = ", ".join(each.requirement.id for each in broken)
        raise Nothing(f"{counted(len(broken), 'requirement')} broken: {ids}")
