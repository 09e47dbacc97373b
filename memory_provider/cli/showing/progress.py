"""A progress bar on stderr, where a person can see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, int, int | None], None]


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Shows what is being done, how much of it is done, and of how much; nothing unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda doing, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(doing: str, done: int, total: int | None) -> None:
            bar.update(task, description=doing, completed=done, total=total)

        yield show
