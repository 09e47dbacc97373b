"""The other half of the protocol: asks providers under consent, composes what they offer, and keeps the books.

The public names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .books.attribution import Attribution as Attribution
    from .books.attribution import attribution as attribution
    from .books.attribution import cited_in as cited_in
    from .books.attribution import unbilled as unbilled
    from .books.context_use import context_uses as context_uses
    from .books.reuse import HeldFrames as HeldFrames
    from .books.reuse import Reused as Reused
    from .books.usage import UsageReport as UsageReport
    from .books.usage import usage_report as usage_report
    from .books.verification import Verification as Verification
    from .books.verification import plan_verification as plan_verification
    from .books.verification import settle as settle
    from .budgets import budget_from_model_tokens as budget_from_model_tokens
    from .composition import BY_SCORE as BY_SCORE
    from .composition import PREAMBLE as PREAMBLE
    from .composition import ROUND_ROBIN as ROUND_ROBIN
    from .composition import Audit as Audit
    from .composition import AuditEntry as AuditEntry
    from .composition import ComposedPrompt as ComposedPrompt
    from .composition import PerProviderQuota as PerProviderQuota
    from .composition import Ranking as Ranking
    from .composition import compose_answers as compose_answers
    from .composition import compose_context as compose_context
    from .composition import compose_for_prompt as compose_for_prompt
    from .connections import Channel as Channel
    from .connections import HttpChannel as HttpChannel
    from .connections import InProcessChannel as InProcessChannel
    from .connections import StdioChannel as StdioChannel
    from .connections import parse_address as parse_address
    from .consent import ConsentFile as ConsentFile
    from .consent import Grantor as Grantor
    from .consent import Ledger as Ledger
    from .consent import Pin as Pin
    from .consent import Receipt as Receipt
    from .consent import Record as Record
    from .consent import consents_to as consents_to
    from .errors import HostError as HostError
    from .evidence import Evidence as Evidence
    from .evidence import evidence_of as evidence_of
    from .host import Declaration as Declaration
    from .host import Host as Host
    from .host import wall_clock as wall_clock
    from .offers import Offered as Offered
    from .outcomes import BudgetLie as BudgetLie
    from .outcomes import ConsentRequired as ConsentRequired
    from .outcomes import ConsentScopeRequired as ConsentScopeRequired
    from .outcomes import Failed as Failed
    from .outcomes import FrameFlood as FrameFlood
    from .outcomes import Frames as Frames
    from .outcomes import Outcome as Outcome
    from .outcomes import Quarantined as Quarantined
    from .reactions import Reaction as Reaction
    from .reactions import reaction_to as reaction_to
    from .source_files import SourceCheck as SourceCheck
    from .source_files import SourceStatus as SourceStatus
    from .source_files import check_sources as check_sources

_HOMES = {
    "connections": (
        "Channel",
        "HttpChannel",
        "InProcessChannel",
        "StdioChannel",
        "parse_address",
    ),
    "consent": (
        "ConsentFile",
        "Grantor",
        "Ledger",
        "Pin",
        "Receipt",
        "Record",
        "consents_to",
    ),
    "host": ("Declaration", "Host", "wall_clock"),
    "budgets": ("budget_from_model_tokens",),
    "reactions": (
        "Reaction",
        "reaction_to",
    ),
    "errors": ("HostError",),
    "books.attribution": ("Attribution", "attribution", "cited_in", "unbilled"),
    "books.context_use": ("context_uses",),
    "books.reuse": ("HeldFrames", "Reused"),
    "books.usage": ("UsageReport", "usage_report"),
    "books.verification": ("Verification", "plan_verification", "settle"),
    "composition": (
        *("BY_SCORE", "PREAMBLE", "ROUND_ROBIN", "Audit", "AuditEntry", "ComposedPrompt", "PerProviderQuota"),
        *("Ranking", "compose_answers", "compose_context", "compose_for_prompt"),
    ),
    "evidence": ("Evidence", "evidence_of"),
    "offers": ("Offered",),
    "source_files": ("SourceCheck", "SourceStatus", "check_sources"),
    "outcomes": (
        *(
            "BudgetLie",
            "ConsentRequired",
            "ConsentScopeRequired",
            "Failed",
            "FrameFlood",
            "Frames",
            "Outcome",
        ),
        "Quarantined",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{home}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
