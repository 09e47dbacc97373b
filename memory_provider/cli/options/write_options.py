"""Options that commands which write have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..settings import zone_option
from .time_options import when_option

if TYPE_CHECKING:
    from ...memory.writing.operations import File
    from ...store.records import Predicate

Command = TypeVar("Command", bound=Callable[..., Any])


def key_option(command: Command) -> Command:
    """`--key`."""
    return click.option(
        "--key", metavar="TEXT", help="Idempotency key: the same write under the same key is done once."
    )(command)


def recorded_at_option(command: Command) -> Command:
    """`--recorded-at`, for replaying history."""
    option = when_option(
        "--recorded-at",
        "Replay: when it had been recorded; later than the scope's last write. Left out: now.",
    )
    return zone_option(option(command))


@dataclass(frozen=True, slots=True)
class SaidBy:
    """Who says so."""

    episode: str | None
    file: File | None
    by: str | None
    confidence: float | None


def source_options(command: Command) -> Command:
    """Who says so: `--episode` or `--file`, `--by`, `--confidence`. The command gets them as `source`."""

    @wraps(command)
    def with_source(
        *arguments: Any,
        episode: str | None,
        file: Path | None,
        by: str | None,
        confidence: float | None,
        **options: Any,
    ) -> Any:
        return command(*arguments, source=SaidBy(episode, _file(file), by, confidence), **options)

    decorated: Any = with_source
    for decorate in (
        click.option("--confidence", type=float, metavar="0..1", help="How sure the source is."),
        click.option("--by", metavar="NAME", help="Who says so."),
        click.option(
            "--file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A file it is taken from; its path and digest are kept.",
        ),
        click.option(
            "--episode", metavar="ID", help="The episode it is taken from (what `remember` printed)."
        ),
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def _file(path: Path | None) -> File | None:
    """A file as a source: its address and the digest of its bytes."""
    if path is None:
        return None
    from hashlib import file_digest

    from ...memory.writing.operations import File

    with path.open("rb") as opened:
        digest = file_digest(opened, "sha256").hexdigest()
    return File(path.resolve().as_uri(), f"sha256:{digest}")


def check_whole_set(predicate: Predicate | None, name: str, instead: str) -> None:
    """Refuse to empty a set of many objects that was not named whole."""
    if predicate is None or predicate.cardinality == "many":
        raise click.UsageError(
            f"{name!r} may hold many objects, and all of them would go: name the wrong one ({instead}), or give --all",
            click.get_current_context(),
        )
