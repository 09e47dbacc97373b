"""The contract every store keeps.

A store holds rows and clocks; it decides nothing. Writing is one call: the store locks the scope, loads what the
caller *needs*, hands it to a pure *plan*, writes the plan's *changes* and commits. The whole is retried as a unit, so
a plan may run several times and must not have effects. What a plan raises passes through, and nothing is written.

Reading is one call and one statement (or one read transaction) each, at a `Moment`. Every read answers with the two
instants it used, so that a view can fix them. Scope and both clocks restrict a search before any limit does.

A third store is right when `memory_provider.store.conformance` passes over it.
"""

from .keeping import Dump, Finding, Layout
from .reading import (
    SPOKEN,
    Answer,
    Candidates,
    ChangeRow,
    Held,
    Moment,
    Neighbourhood,
    Pattern,
    Probe,
    ScopeSummary,
    Scored,
    Slice,
)
from .store import Store
from .writing import (
    Changes,
    Erasable,
    ErasePlan,
    Erasure,
    Loaded,
    Needs,
    Plan,
    Selection,
    lineage_tombstone,
    record_tombstone,
)

__all__ = [
    "SPOKEN",
    "Answer",
    "Candidates",
    "ChangeRow",
    "Changes",
    "Dump",
    "Erasable",
    "ErasePlan",
    "Erasure",
    "Finding",
    "Held",
    "Layout",
    "Loaded",
    "Moment",
    "Needs",
    "Neighbourhood",
    "Pattern",
    "Plan",
    "Probe",
    "ScopeSummary",
    "Scored",
    "Selection",
    "Slice",
    "Store",
    "lineage_tombstone",
    "record_tombstone",
]
