"""`erase`: remove every trace, after showing what would go."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..asking import ask
from ..failures import Nothing
from ..objects import Typed, declared, object_options
from ..output import note, print_json, print_lines
from ..settings import Settings, answers
from ..shapes import erase_shape

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ...memory.receipts import EraseReport

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group(no_args_is_help=False)
def erase() -> None:
    """Remove every trace of facts, an episode or an entity.

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
@click.option("--subject", metavar="NAME", help="Of this entity.")
@click.option("--predicate", metavar="NAME", help="Under this predicate.")
@object_options(required=False, positional=False)
@erase_options
@answers
def erase_facts(
    settings: Settings,
    subject: str | None,
    predicate: str | None,
    object: Typed | None,
    reason: str,
    by: str | None,
    dry_run: bool,
    yes: bool,
) -> None:
    """Erase the facts that match all that is given, at least one of subject, predicate and object."""

    async def filters(memory: Memory) -> dict[str, Any]:
        known = await declared(memory, predicate) if predicate else None
        return {
            "subject": subject,
            "predicate": predicate,
            "object": None if object is None else object.under(known),
        }

    _erase(settings, filters, reason=reason, by=by, dry_run=dry_run, yes=yes)


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
    """Erase an entity: facts at both ends, its other names, and the episodes it spoke."""

    async def filters(memory: Memory) -> dict[str, Any]:
        return {"entity": entity}

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
            _agree(preview)
        return await memory.erase(**chosen, reason=reason, by=by)

    report = ask(settings, run)
    if settings.json:
        print_json(erase_shape(report))
    elif not report.empty:
        print_lines(*report_lines(report))
    if report.empty:
        raise Nothing("nothing matches; nothing was erased")


def at_a_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty()


def _agree(preview: EraseReport) -> None:
    if not at_a_terminal():
        raise click.UsageError(
            f"this erases {counted(preview)} for good: give --yes to do it, or --dry-run to see it",
            click.get_current_context(),
        )
    note(*report_lines(preview))
    click.confirm("Erase this for good?", abort=True, err=True)


def counted(report: EraseReport) -> str:
    """How much an erase takes."""
    parts = [
        (len(report.fact_ids), "fact"),
        (len(report.trimmed_ids), "part of a fact"),
        (len(report.episode_ids), "episode"),
        (1 if report.entity else 0, "entity"),
    ]
    plural = {"part of a fact": "parts of facts", "entity": "entities"}
    said = [
        f"{count} {what if count == 1 else plural.get(what, what + 's')}" for count, what in parts if count
    ]
    return ", ".join(said) or "nothing"


def report_lines(report: EraseReport) -> list[str]:
    """What an erase took, or would take."""
    lines = [
        f"{'would erase' if report.dry_run else 'erased'} {counted(report)} ({report.versions} versions)"
    ]
    lines += [f"  fact     {each}" for each in report.fact_ids]
    lines += [f"  trimmed  {each}  (what other sources support stays)" for each in report.trimmed_ids]
    lines += [f"  episode  {each}" for each in report.episode_ids]
    lines += [f"  still named in {each}" for each in report.still_named_in]
    if report.residue:
        lines.append(f"  left elsewhere: {report.residue}")
    return lines
