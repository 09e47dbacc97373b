"""`erase`: remove every trace, after showing what would go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..asking import ask
from ..confirming import confirm
from ..failures import Nothing
from ..options.objects import Typed, declared, object_options
from ..settings import Settings, answers
from ..showing.counting import counted, counted_all
from ..showing.output import print_json, print_lines
from ..showing.shapes import erase_shape

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.writing.receipts import EraseReport

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group(no_args_is_help=False)
def erase() -> None:
    """Remove every trace of facts, episodes, entities or records.

    It goes from every time it was known, and cannot be undone. The report comes first. Then it is done when
    --yes was given, or when you agree at the terminal; --dry-run stops after the report. Exit code 1: nothing
    matched.
    """


def erase_options(command: Command) -> Command:
    """Why, by whom, and how sure."""
    for decorate in (
        click.option("--yes", is_flag=True, help="Erase without asking."),
        click.option("--dry-run", is_flag=True, help="Only report what would go."),
        click.option("--by", metavar="NAME", help="Who asked for it."),
        click.option(
            "--reason", metavar="TEXT", required=True, help="Why; it is kept when all else is gone."
        ),
    ):
        command = decorate(command)
    return command


@erase.command("facts")
@click.argument("subject", required=False)
@click.argument("predicate", required=False)
@click.option("--subject", "named_subject", metavar="NAME", help="The same as SUBJECT.")
@click.option(
    "--predicate", "named_predicate", metavar="NAME", help="The same as PREDICATE, for facts of any subject."
)
@object_options(required=False, positional=False)
@erase_options
@answers
def erase_facts(
    settings: Settings,
    subject: str | None,
    predicate: str | None,
    named_subject: str | None,
    named_predicate: str | None,
    object: Typed | None,
    reason: str,
    by: str | None,
    dry_run: bool,
    yes: bool,
) -> None:
    """Erase facts: those that match all that is given."""
    subject = _once(subject, named_subject, "SUBJECT", "--subject")
    predicate = _once(predicate, named_predicate, "PREDICATE", "--predicate")
    if subject is None and predicate is None and object is None:
        raise click.UsageError(
            "say which facts: give SUBJECT, --predicate NAME or --object OBJECT (`scopes erase` takes a whole scope)",
            click.get_current_context(),
        )

    async def filters(memory: Memory) -> dict[str, Any]:
        known = await declared(memory, predicate) if predicate else None
        return {
            "subject": subject,
            "predicate": predicate,
            "object": None if object is None else object.under(known),
        }

    _erase(settings, filters, reason=reason, by=by, dry_run=dry_run, yes=yes)


def _once(placed: str | None, named: str | None, place: str, option: str) -> str | None:
    """What was given in its place or by its option, which may not both be used."""
    if placed is not None and named is not None:
        raise click.UsageError(f"give {place} or {option}, not both", click.get_current_context())
    return named if placed is None else placed


@erase.command("episode")
@click.argument("episode", metavar="ID")
@erase_options
@answers
def erase_episode(
    settings: Settings, episode: str, reason: str, by: str | None, dry_run: bool, yes: bool
) -> None:
    """Erase an episode, and every fact that no other source supports."""

    async def filters(memory: Memory) -> dict[str, Any]:
        return {"episode": episode}

    _erase(settings, filters, reason=reason, by=by, dry_run=dry_run, yes=yes)


@erase.command("entity")
@click.argument("entity", metavar="NAME")
@erase_options
@answers
def erase_entity(
    settings: Settings, entity: str, reason: str, by: str | None, dry_run: bool, yes: bool
) -> None:
    """Erase an entity, its facts, other names, and what it said.

    Facts go that have it at either end, and the episodes that it spoke.
    """

    async def filters(memory: Memory) -> dict[str, Any]:
        return {"entity": entity}

    _erase(settings, filters, reason=reason, by=by, dry_run=dry_run, yes=yes)


@erase.command("record")
@click.argument("record", metavar="ID")
@erase_options
@answers
def erase_record(
    settings: Settings, record: str, reason: str, by: str | None, dry_run: bool, yes: bool
) -> None:
    """Erase a context record: its document, its words and its hash. Only its id stays, never to be used again."""

    async def filters(memory: Memory) -> dict[str, Any]:
        return {"record": record}

    _erase(settings, filters, reason=reason, by=by, dry_run=dry_run, yes=yes)


def _erase(
    settings: Settings, filters: Any, *, reason: str, by: str | None, dry_run: bool, yes: bool
) -> None:
    async def run(memory: Memory) -> EraseReport:
        chosen = await filters(memory)
        preview = await memory.erase(**chosen, reason=reason, by=by, dry_run=True)
        if preview.empty or dry_run:
            return preview
        if not yes:
            confirm(
                "Erase this for good?",
                otherwise=f"this erases {taken(preview)} for good: give --yes to do it, or --dry-run to see it",
                preview=report_lines(preview),
            )
        return await memory.erase(**chosen, reason=reason, by=by)

    report = ask(settings, run)
    if settings.json:
        print_json(erase_shape(report))
    elif not report.empty:
        print_lines(*report_lines(report))
    if report.empty:
        raise Nothing("nothing matches; nothing was erased")


def taken(report: EraseReport) -> str:
    """How much an erase takes."""
    return counted_all(
        [
            ("fact", len(report.fact_ids)),
            ("part of a fact", len(report.trimmed_ids)),
            ("episode", len(report.episode_ids)),
            ("entity", 1 if report.entity else 0),
            ("record", len(report.record_ids)),
        ]
    )


def report_lines(report: EraseReport) -> list[str]:
    """What an erase took, or would take."""
    erased = "would erase" if report.dry_run else "erased"
    lines = [f"{erased} {taken(report)} ({counted(report.versions, 'version')})"]
    lines += [f"  fact     {each}" for each in report.fact_ids]
    lines += [f"  trimmed  {each}  (what other sources support stays)" for each in report.trimmed_ids]
    lines += [f"  episode  {each}" for each in report.episode_ids]
    lines += [f"  record   {each}" for each in report.record_ids]
    lines += [f"  still named in {each}" for each in report.still_named_in]
    if report.residue:
        lines.append(f"  left elsewhere: {report.residue}")
    return lines
