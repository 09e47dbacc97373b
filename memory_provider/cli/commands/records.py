"""`records`: context records of the lifecycle profile, appended, read and erased."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..asking import ask
from ..confirming import confirm
from ..failures import Nothing
from ..options.record_files import records_in
from ..options.time_options import known_at_option
from ..settings import Settings, answers
from ..showing.output import note, print_json, print_lines
from ..showing.tables import print_table

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...protocol import EraseResponse

Answer = TypeVar("Answer")


@click.group()
def records() -> None:
    """Append, read and erase context records.

    They are those of the profile contextgraph/lifecycle/1.0-draft.
    """


@records.command("append")
@click.argument("file", metavar="FILE | -")
@click.option(
    "--key", metavar="TEXT", help="Idempotency key: the same records under the same key are taken once."
)
@click.option("--retention", metavar="CLASS", help="indefinite (the default), P1D, P7D, P30D or P365D.")
@click.option("--set-hash", is_flag=True, help="Fill in each record's record_hash first.")
@answers
def append(settings: Settings, file: str, key: str | None, retention: str | None, set_hash: bool) -> None:
    """Append the records in FILE.

    It holds a JSON object, a list of them, or one a line. Each is checked by itself, and its record_hash recomputed.
    Exit code 1: some were rejected.
    """
    from ...protocol import AppendRecords, AppendRequest
    from ...protocol.encoding import plain

    documents = _hashed(records_in(file)) if set_hash else records_in(file)
    request = AppendRequest(records=tuple(documents), idempotency_key=key, requested_retention=retention)

    async def run(memory: Memory) -> Any:
        from ...access import local
        from ...provider import record_answers
        from ...provider.record_questions import append_question

        question = append_question(AppendRecords(request=request))
        return await record_answers.append(memory, local(memory.scope), question)

    response = _ask(settings, run)
    if settings.json:
        print_json({"scope": settings.scope, "receipts": plain(response)["receipts"]})
    else:
        print_table(
            ["outcome", "record", "why"],
            [
                (each.status, each.record_id or "?", f"{each.code}: {each.message}" if each.code else "")
                for each in response.receipts
            ],
            text=2,
            ids=1,
        )
    if response.code is not None:
        raise Nothing(response.message)


@records.command("get")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@known_at_option
@answers
def get(settings: Settings, ids: tuple[str, ...], known_at: datetime | None) -> None:
    """Print the records of these ids, one JSON object a line. Exit code 1: not all were found."""
    from ...protocol import GetRecords, GetRequest
    from ...protocol.encoding import plain

    request = GetRequest(record_ids=ids)

    async def run(memory: Memory) -> Any:
        from ...access import local
        from ...provider import record_answers
        from ...provider.extensions import KNOWN_AT
        from ...provider.instants import written
        from ...provider.record_questions import get_question

        asked = request if known_at is None else request.replace(extra={KNOWN_AT: written(known_at)})
        return await record_answers.get(memory, local(memory.scope), get_question(GetRecords(request=asked)))

    response = _ask(settings, run)
    missing = [each for each in response.records if each.record is None]
    if settings.json:
        print_json({"scope": settings.scope, "records": plain(response)["records"]})
    else:
        from json import dumps

        print_lines(*(dumps(each.record, ensure_ascii=False) for each in response.records if each.record))
        note(*(f"{each.record_id}: {each.message}" for each in missing))
    if missing:
        raise Nothing(f"{len(missing)} of {len(ids)} not found")


@records.command("erase")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@click.option("--reason", metavar="TEXT", required=True, help="Why; it is kept when all else is gone.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.option("--yes", is_flag=True, help="Erase without asking.")
@answers
def erase(settings: Settings, ids: tuple[str, ...], reason: str, dry_run: bool, yes: bool) -> None:
    """Erase the records of these ids from every time they were known. It cannot be undone.

    Exit code 1: not all were there.
    """
    from ...protocol.encoding import plain

    if not yes and not dry_run:
        confirm(
            f"Erase {len(ids)} records for good?",
            otherwise=f"this erases {len(ids)} records for good: give --yes to do it, or --dry-run to see it",
        )

    response = _ask(settings, lambda memory: _erase(memory, ids, reason, dry_run))
    missing = [each for each in response.receipts if each.status != "erased"]
    if settings.json:
        print_json({"scope": settings.scope, **plain(response)})
    else:
        erased = "would erase" if dry_run else "erased"
        print_lines(*(f"{erased} {each.record_id}" for each in response.receipts if each.status == "erased"))
        note(*(f"{each.record_id}: {each.message}" for each in missing))
    if missing:
        raise Nothing(f"{len(missing)} of {len(ids)} not there")


async def _erase(memory: Memory, ids: tuple[str, ...], reason: str, dry_run: bool) -> EraseResponse:
    from ...access import local
    from ...protocol import EraseRecords, EraseRequest
    from ...provider import record_answers
    from ...provider.record_questions import erase_question

    request = EraseRequest(record_ids=ids, reason=reason, dry_run=dry_run)
    return await record_answers.erase(
        memory, local(memory.scope), erase_question(EraseRecords(request=request))
    )


def _hashed(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    from ...protocol.lifecycle.hashing import CanonicalizationError, hashed

    try:
        return [hashed(document) for document in documents]
    except CanonicalizationError as problem:
        raise click.BadParameter(problem.message) from None


def _ask(settings: Settings, run: Callable[[Memory], Awaitable[Answer]]) -> Answer:
    """As `ask`, with what a host would be refused as bad input."""
    from ...protocol import ProtocolError

    try:
        return ask(settings, run)
    except ProtocolError as problem:
        raise click.UsageError(f"{problem.code}: {problem.message}", click.get_current_context()) from None
