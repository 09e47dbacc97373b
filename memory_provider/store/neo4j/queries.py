"""The named queries: one readable file each in `cypher/queries`, read once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from ...resources import directory

KEEP_PLAN = "CYPHER replan=skip "
"""Every look-up names its index, so that a plan made over an empty database is the plan for a full one. Without this
the server plans anew whenever a database has grown, which takes it up to a second or two."""


_RECORDS = re.compile(r"^// records: begin$.*?^// records: end$", re.DOTALL | re.MULTILINE)
"""What of a query is about context records."""


@cache
def query(name: str, *, records: bool = True) -> str:
    """The text of a named query, without the comments that explain it; on request without its look-ups of context
    records, which also cost where they find nothing."""
    text = (directory("cypher") / "queries" / f"{name}.cypher").read_text(encoding="utf-8")
    if not records:
        text = _RECORDS.sub("", text)
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("//")]
    return ("" if name.startswith("inspect-") else KEEP_PLAN) + "\n".join(lines)


def arranged(text: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a statement: those it takes from `$given` in that one map.

    The server keeps a plan for each combination of the types and rough sizes of parameters. A map has one type
    whatever is in it, so a statement whose lists and texts of many lengths, and nulls, stand in a map is planned once.
    """
    inside = _given(text)
    parameters = {name: value for name, value in values.items() if name not in inside}
    return parameters | {"given": {name: values[name] for name in inside}} if inside else parameters


@cache
def _given(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\$given\.(\w+)", text))
