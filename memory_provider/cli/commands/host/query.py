"""`host query`: one question to many providers, and one prompt from their answers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ....protocol import U32_MAX
from ...failures import Nothing
from ...hosting.consents import consents_option, named_file
from ...hosting.outcomes import outcome_line, outcome_shape
from ...hosting.prompts import print_books, print_prompt, prompt_shape
from ...hosting.providers import providers_of, providers_options, timeout_option
from ...hosting.rankings import rank_option
from ...hosting.running import run
from ...options.time_options import view_options
from ...settings import Settings, json_option, scope_option, store_option
from ...showing.counting import counted
from ...showing.output import note, print_json

if TYPE_CHECKING:
    from ....host import ConsentFile, Outcome, Ranking
    from ....protocol import ContextQuery, Representation


@click.command()
@click.argument("goal")
@providers_options
@click.option(
    "--max-tokens",
    type=click.IntRange(0, U32_MAX),
    default=2000,
    show_default=True,
    help="Budget of the prompt, bytes / 4; each provider is asked for its share.",
)
@click.option(
    "--max-frames",
    type=click.IntRange(0, U32_MAX),
    default=10,
    show_default=True,
    help="Frames of each provider.",
)
@click.option("--kind", "kinds", multiple=True, help="Only this kind of frame; may be repeated.")
@click.option(
    "--anchor", "anchors", multiple=True, metavar="URI", help="What is near this is wanted; may be repeated."
)
@view_options
@click.option(
    "--representation",
    "representations",
    multiple=True,
    type=click.Choice(["full", "compact", "reference"]),
    help="How frames may come, best first; may be repeated. What is behind a reference is fetched.  [default: full]",
)
@rank_option
@click.option("--strict", is_flag=True, help="Set aside frames that only misstate their cost, too.")
@click.option("--audit", is_flag=True, help="Also print what became of every frame, and what it cost.")
@consents_option
@timeout_option
@store_option
@scope_option
@json_option
@click.pass_obj
def query(
    settings: Settings,
    /,
    goal: str,
    max_tokens: int,
    max_frames: int,
    kinds: tuple[str, ...],
    anchors: tuple[str, ...],
    as_of: datetime | None,
    known_at: datetime | None,
    representations: tuple[Representation, ...],
    ranking: Ranking,
    strict: bool,
    audit: bool,
    consents: ConsentFile,
    **whom: Any,
) -> None:
    """Ask providers for GOAL, and print one prompt of what they answer.

    It quotes their frames within the budget. What each came to is said on standard error. A provider from which data
    leaves this machine, and any over HTTP, is asked nothing before `host consent grant`. --known-at reaches those that
    know of it; the others tell what they know now. Exit code 1: there is nothing to quote.
    """
    from ....host import compose_answers, usage_report
    from ....host.composition import OverBudget
    from ....protocol import ContextQuery
    from ....provider.extensions import KNOWN_AT
    from ....provider.instants import written

    providers = providers_of(**whom)
    known = written(known_at)
    asked = _sendable(
        ContextQuery(
            goal=goal,
            kinds=kinds,
            anchors=anchors,
            max_frames=max_frames,
            max_tokens=max_tokens,
            as_of=written(as_of),
            representation_preferences=representations,
            extra={} if known is None else {KNOWN_AT: known},
        )
    )
    settings.tell()

    async def asking() -> tuple[Outcome, ...]:
        async with providers.connected(settings, consents, strict=strict) as host:
            outcomes = await host.query(asked)
            return await host.rehydrate(outcomes, asked=asked)  # a reference alone quotes nothing

    outcomes = run(settings, asking)
    prompt = compose_answers(outcomes, max_tokens, ranking=ranking)
    usage = usage_report(outcomes, max_tokens, asked.as_of)
    idle = [id for id in providers.ids if id not in {each.provider_id for each in outcomes}]
    note(*(outcome_line(each, providers, named_file()) for each in outcomes))
    note(*(f"provider {id}: not asked, it serves none of the kinds asked for" for id in idle))
    if settings.json:
        print_json(
            {
                "goal": goal,
                "as_of": asked.as_of,
                "known_at": known,
                **prompt_shape(prompt),
                "outcomes": [outcome_shape(each) for each in outcomes]
                + [{"provider": id, "outcome": "not_asked"} for id in idle],
                "usage": usage.plain(),
            }
        )
    else:
        if prompt.frames:
            print_prompt(prompt)
        if audit:
            print_books(prompt, usage)
    left_out = sum(isinstance(each.disposition, OverBudget) for each in prompt.audit.entries)
    if prompt.frames and left_out:
        note(f"{counted(left_out, 'frame')} did not fit {max_tokens} tokens: raise --max-tokens")
    if not prompt.frames:
        raise Nothing(_why_nothing(outcomes, max_tokens))


def _sendable(asked: ContextQuery) -> ContextQuery:
    from ....protocol import EncodeError, Query, encode

    if not asked.goal.strip():
        raise click.BadParameter("it is empty", param_hint="GOAL")
    try:
        encode(Query(query=asked))
    except EncodeError as problem:
        raise click.UsageError(
            f"the question cannot be sent: {problem}", click.get_current_context()
        ) from None
    return asked


def _why_nothing(outcomes: tuple[Outcome, ...], max_tokens: int) -> str:
    from ....host import Frames

    if any(isinstance(each, Frames) and each.frames for each in outcomes):
        return f"nothing fits {max_tokens} tokens: raise --max-tokens"
    return "nothing to quote"
