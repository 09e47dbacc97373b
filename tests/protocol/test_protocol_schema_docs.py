"""docs/schemas.md lists the differences that the tests have, all of them and no others, with the verdicts they have."""

import re
from pathlib import Path

from . import test_protocol_json_schema as messages
from . import test_protocol_record_schema as records

PAGE = (Path(__file__).parents[2] / "docs/schemas.md").read_text(encoding="utf-8")
ABOUT_MESSAGES, ABOUT_RECORDS = PAGE[PAGE.index("## Messages") :].split("## Context records")

BEYOND, WITHIN, CARELESS = (
    ("takes", "takes", "refuses"),
    ("refuses", "refuses", "takes"),
    ("refuses", "takes", "takes"),
)

Verdicts = tuple[str, ...]


def listed(part: str) -> dict[str, Verdicts]:
    found: dict[str, Verdicts] = {}
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[0].startswith("`"):
            found |= dict.fromkeys(re.findall(r"`(.+?)`", cells[0]), tuple(cells[1:4]))
    return found


def test_the_differences_of_messages() -> None:
    assert listed(ABOUT_MESSAGES) == {
        **dict.fromkeys(messages.BEYOND_STRICT, BEYOND),
        **dict.fromkeys(messages.WITHIN_STRICT, WITHIN),
        **dict.fromkeys(messages.NOT_FOR_A_SCHEMA | messages.NOT_IN_THE_VALUE, CARELESS),
        **dict.fromkeys(messages.TEXT_AND_VALUE, ("refuses", "takes", "refuses")),
    }


def test_the_differences_of_records() -> None:
    assert listed(ABOUT_RECORDS) == {
        **dict.fromkeys(records.BEYOND_STRICT, BEYOND),
        **dict.fromkeys(records.WITHIN_STRICT, WITHIN),
        **dict.fromkeys(records.NOT_FOR_A_SCHEMA, CARELESS),
    }
