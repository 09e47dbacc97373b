"""From frames that were offered to text for a model: quoted, deduplicated, ranked, packed, placed and accounted for.

Pure functions: nothing here asks anybody anything, and the order in which frames arrive decides nothing.
"""

from .answers import compose_answers
from .audit import Audit, AuditEntry, Disposition, Duplicate, Exclusion, Included, OverBudget, Rejected
from .canonical import compose_context
from .deduplication import Sameness
from .preamble import PREAMBLE
from .prompt import Citation, ComposedPrompt, compose_for_prompt
from .ranking import BY_SCORE, ROUND_ROBIN, ByScore, PerProviderQuota, Ranking, RoundRobin

__all__ = [
    "BY_SCORE",
    "PREAMBLE",
    "ROUND_ROBIN",
    "Audit",
    "AuditEntry",
    "ByScore",
    "Citation",
    "ComposedPrompt",
    "Disposition",
    "Duplicate",
    "Exclusion",
    "Included",
    "OverBudget",
    "PerProviderQuota",
    "Ranking",
    "Rejected",
    "RoundRobin",
    "Sameness",
    "compose_answers",
    "compose_context",
    "compose_for_prompt",
]
