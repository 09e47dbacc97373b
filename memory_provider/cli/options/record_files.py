"""Context records in a file: one JSON object, a list of them, or one a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .typed_in import standard_input


def records_in(name: str) -> list[dict[str, Any]]:
    """The records in a file, or on standard input (`-`). Raises `BadParameter`."""
    try:
        text = standard_input() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise click.BadParameter(
            f"{name!r} cannot be read ({problem.strerror}); give a file of records"
        ) from None
    except UnicodeDecodeError as problem:
        raise click.BadParameter(f"{name!r} is not UTF-8 at byte {problem.start + 1}") from None
    values = _values(name, text)
    for place, value in enumerate(values, 1):
        if type(value) is not dict:
            raise click.BadParameter(f"{name!r}: value {place} is no JSON object, as a record is")
    return values


def _values(name: str, text: str) -> list[Any]:
    from ...protocol import DecodeError
    from ...protocol.strict_json import parse_json

    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise click.BadParameter(f"{name!r} holds no record")
    try:
        whole = parse_json(text.encode())
    except DecodeError as problem:
        if len(lines) == 1 or not lines[0][1].rstrip().endswith("}"):
            raise click.BadParameter(f"{name!r}: {problem.message}") from None
    else:
        return whole if type(whole) is list else [whole]
    values = []
    for number, line in lines:
        try:
            values.append(parse_json(line.encode()))
        except DecodeError as problem:
            raise click.BadParameter(f"{name!r}, line {number}: {problem.message}") from None
    return values
