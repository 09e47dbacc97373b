"""`demo`: a short story that shows the two clocks and what became of evidence."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ..asking import ask
from ..settings import Settings, json_option
from ..showing.output import note, print_json, print_lines

if TYPE_CHECKING:
    from ...memory.api import Memory
    from ..showing.demo_story import Chapter


@click.command()
@click.option(
    "--keep",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Keep the store in this new file, before the erasure, to ask it yourself.",
)
@json_option
@click.pass_obj
def demo(settings: Settings, keep: Path | None) -> None:
    """Tell a short story to a temporary store, and ask it.

    It shows what is true as of two dates, what was known at two dates, and evidence that goes from valid to
    stale to gone. It needs no server, no key and no network.
    """
    if keep and keep.exists():
        raise click.BadParameter(f"{str(keep)!r} exists; name a new file", param_hint="'--keep'")
    with TemporaryDirectory(prefix="memory-provider-") as directory:
        path = (keep or Path(directory) / "demo.db").absolute()
        chapters = ask(Settings(f"sqlite:///{path}", "demo"), lambda memory: _tell(memory, erase=not keep))
    if settings.json:
        print_json({"written": _written(erased=not keep), "chapters": [_shape(each) for each in chapters]})
    else:
        _print(chapters, erased=not keep)
    if keep:
        note(
            f"kept in {keep}; ask it: memory-provider --store sqlite:///{keep} --scope demo history Alice",
            "the erasure is left to you: … erase entity Alice --reason 'asked to be forgotten'",
        )


async def _tell(memory: Memory, *, erase: bool) -> list[Chapter]:
    from ..showing.demo_story import DemoStory

    story = DemoStory(memory)
    await story.until_may()
    await story.until_october()
    chapters = [await story.true_as_of(), await story.known_at(), story.trust]
    if erase:
        await story.november()
    return chapters


def _written(*, erased: bool) -> list[dict[str, str]]:
    from ..showing.demo_story import WRITTEN

    return [{"recorded": day, "what": what} for day, what in (WRITTEN if erased else WRITTEN[:-1])]


def _shape(chapter: Chapter) -> dict[str, object]:
    return {
        "title": chapter.title,
        "asked": [{"command": each.command, "answer": each.answer} for each in chapter.asked],
    }


def _print(chapters: list[Chapter], *, erased: bool) -> None:
    print_lines("What was written, and when:")
    print_lines(*(f"  {each['recorded']}  {each['what']}" for each in _written(erased=erased)))
    for chapter in chapters:
        print_lines("", chapter.title)
        for asked in chapter.asked:
            print_lines(f"  $ memory-provider {asked.command}", *(f"      {line}" for line in asked.answer))
