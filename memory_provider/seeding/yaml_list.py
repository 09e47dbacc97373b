"""YAML: one list of entries. Only strings, numbers, true, false and null; what looks like a date stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .entries import Entry, Unreadable

if TYPE_CHECKING:
    import yaml

DEEPEST = 3
"""How many lists and objects may stand in one another within an entry."""

_PLAIN = {
    "tag:yaml.org,2002:null": (re.compile(r"~|null|"), ["~", "n", ""]),
    "tag:yaml.org,2002:bool": (re.compile(r"true|false"), list("tf")),
    "tag:yaml.org,2002:int": (re.compile(r"[-+]?[0-9]+"), list("-+0123456789")),
    "tag:yaml.org,2002:float": (
        re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"),
        list("-+.0123456789"),
    ),
}
"""What a plain scalar may be besides text: the YAML 1.2 core, without `yes`, `12:30` and `2026-04-01`."""


def yaml_entries(path: Path) -> Iterator[Entry | Unreadable]:
    """The entries of a file, and what could not be read of it, in order."""
    import yaml

    try:
        root = yaml.compose(path.read_bytes(), Loader=_loader())
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        yield Unreadable(mark.line + 1 if mark else 1, f"not YAML: {problem.problem or problem}", fatal=True)
        return
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as problem:
        yield Unreadable(1, f"not YAML: {' '.join(str(problem).split())}", fatal=True)
        return
    if root is None:
        return
    if not isinstance(root, yaml.SequenceNode):
        yield Unreadable(
            root.start_mark.line + 1, "a seed file in YAML is a list: begin each entry with '- '"
        )
        return
    for node in root.value:
        yield _entry(str(path), node)


def _entry(file: str, node: yaml.Node) -> Entry | Unreadable:
    import yaml

    line = node.start_mark.line + 1
    if not isinstance(node, yaml.MappingNode):
        return Unreadable(line, "an entry is an object such as {type: fact, …}")
    lines: dict[str, int] = {}
    try:
        return Entry(file, line, _mapping(node, 1, lines), lines)
    except Unreadable as problem:
        return problem


def _mapping(node: yaml.MappingNode, depth: int, lines: dict[str, int] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        name = _value(key, depth)
        if not isinstance(name, str):
            raise Unreadable(line, f"the name of a member is text, not {name!r:.40}")
        if name in found:
            raise Unreadable(line, f"the member {name!r} stands twice in one object")
        found[name] = _value(value, depth)
        if lines is not None:
            lines[name] = line
    return found


def _value(node: yaml.Node, depth: int) -> Any:
    import yaml

    line = node.start_mark.line + 1
    if depth > DEEPEST:
        raise Unreadable(line, "nested deeper than any entry is")
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, depth + 1)
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, depth + 1) for each in node.value]
    match node.tag.rpartition(":")[2]:
        case "str":
            return str(node.value)
        case "null":
            return None
        case "bool":
            return node.value == "true"
        case "int" if len(node.value) < 40:
            return int(node.value)
        case "float":
            return float(node.value)
    raise Unreadable(
        line, f"{node.value[:40]!r} is of a kind that no entry holds ({node.tag}); quote it for text"
    )


def _loader() -> Any:
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library's own attribute

    for tag, (form, first) in _PLAIN.items():
        Loader.add_implicit_resolver(tag, re.compile(rf"(?:{form.pattern})\Z"), first)
    return Loader
