"""Imports point one way: what each room may import is written here, and read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import memory_provider

PACKAGE = "memory_provider"
ROOT = Path(memory_provider.__file__).parent

# What anything but the pure rooms may import: facts about the package, and what the standard library lacks.
COMMON = {"_version", "durable_files", "loopback", "resources"}

# The stores with a database behind them: only what opens one by its address may know them.
STORES = {"store.sqlite", "store.neo4j"}

# Room -> what it may import of ours, besides itself. Longest name wins, for the importer as for the imported.
ROOMS: dict[str, set[str]] = {
    "temporal": set(),
    "protocol": set(),
    "attestation": {"protocol", "temporal"},  # of temporal, only the base of errors
    "telemetry": set(),
    "store": {"temporal", "telemetry"},
    "store.sqlite": {"store", "temporal"},
    "store.neo4j": {"store", "temporal"},
    "store.opening": {"store", "store.sqlite", "store.neo4j", "temporal"},
    "memory": {"temporal", "store", "store.opening"},
    "errors": {
        "temporal",
        "store",
        "access",
        "memory",
        "protocol",
    },  # shows in one place what each room raises
    # Use cases beside it, over a whole scope or a whole store at a time.
    "archive": {"temporal", "store", "memory", "errors"},
    "seeding": {"temporal", "store", "memory", "errors"},
    "doctor": {"temporal", "store", "memory", "errors"},
    # Who may do what; knows of no memory.
    "access": {"temporal"},
    "provider": {"access", "attestation", "memory", "protocol", "errors", "telemetry"},
    "host": {"attestation", "protocol", "temporal"},  # of temporal, only the base of errors
    # The edges: thin, and nothing imports them but one another's entry points listed here.
    "sync": {"memory", "store", "errors"},
    "transports": {"access", "attestation", "provider", "protocol", "memory", "errors"},
    "cli": {
        *("temporal", "store", "store.opening", "memory", "archive", "seeding", "doctor", "errors"),
        *("access", "attestation", "provider", "protocol", "host", "transports", "sync", "telemetry"),
    },
    "__main__": {"cli"},
    # The front door shows names of the rooms behind it.
    "__init__": {"memory", "errors"},
}
PURE = {"temporal", "protocol"}
# Within the memory: the words that all of it uses, then room upon room.
MEMORY_WORDS = {f"memory.{name}" for name in ("errors", "ids", "rendering", "times", "values")}
MEMORY_ROOMS: dict[str, set[str]] = {
    "memory.text": set(),
    "memory.writing": {"memory.text"},
    "memory.records": {"memory.text", "memory.writing"},
    "memory.facts": {"memory.writing"},
    "memory.evidence": {"memory.text", "memory.records", "memory.facts"},
    "memory.recall": {"memory.text", "memory.records", "memory.evidence"},
}
EDGES = {"transports", "cli", "__main__", "sync"}


@dataclass(frozen=True)
class Import:
    importer: str  # dotted, without the package: "memory.recall"
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{PACKAGE}.{self.importer}:{self.line} imports {PACKAGE}.{self.imported}"


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__" and len(parts) > 1:
            parts = parts[:-1]
        found[".".join(parts)] = path
    return found


MODULES = modules()


def imports_of(module: str) -> Iterator[Import]:
    """Every import of ours, those inside functions and under TYPE_CHECKING too."""
    path = MODULES[module]
    package = [PACKAGE, *module.split(".")]
    if path.name != "__init__.py" or module == "__init__":
        package = package[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            # `from .store import sqlite` may name a module: then that is what is imported.
            names = [
                f"{origin}.{alias.name}"
                if f"{origin}.{alias.name}".removeprefix(f"{PACKAGE}.") in MODULES
                else origin
                for alias in node.names
            ]
        else:
            continue
        for name in names:
            if name == PACKAGE:
                yield Import(module, "__init__", node.lineno)
            elif name.startswith(f"{PACKAGE}."):
                yield Import(module, name.removeprefix(f"{PACKAGE}."), node.lineno)


def room_of(module: str) -> str:
    rooms = [room for room in {*ROOMS, *COMMON} if module == room or module.startswith(f"{room}.")]
    return max(rooms, key=len, default="")


@pytest.mark.parametrize("module", MODULES)
def test_every_module_is_in_a_room(module: str) -> None:
    assert room_of(module), f"{PACKAGE}.{module} is in no room: give it one in ROOMS, on purpose"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    allowed = {room, *ROOMS[room]} | (set() if room in PURE else COMMON)
    wrong = [
        str(found)
        for module in MODULES
        if room_of(module) == room
        for found in imports_of(module)
        if room_of(found.imported) not in allowed
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", MEMORY_ROOMS)
def test_a_room_of_the_memory_stands_on_those_below_it(room: str) -> None:
    allowed = (room, *MEMORY_ROOMS[room], *MEMORY_WORDS)
    wrong = [
        str(found)
        for module in MODULES
        if module.startswith(room)
        for found in imports_of(module)
        if found.imported.startswith("memory") and not found.imported.startswith(allowed)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_table_itself_points_one_way() -> None:
    """No cycle, and nothing below the edges may be allowed an edge."""
    order: list[str] = []

    def visit(room: str, path: tuple[str, ...]) -> None:
        assert room not in path, f"a cycle: {' -> '.join((*path, room))}"
        if room not in order:
            for below in ROOMS[room] - {room}:
                visit(below, (*path, room))
            order.append(room)

    for room in ROOMS:
        visit(room, ())
    for room, below in ROOMS.items():
        if room not in EDGES:
            assert not below & EDGES, f"{room} may not import an edge"
        if room != "store.opening":
            assert not below & STORES, f"{room} may not know a particular store"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import memory_provider.cli", "cli"),
        ("from memory_provider.cli import main", "cli"),
        ("from ..cli import main", "cli"),
        ("from .. import cli", "cli"),
        ("def f():\n    from ..cli import main", "cli"),
    ],
)
def test_the_reader_sees_every_form(
    source: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = tmp_path / "forbidden.py"
    module.write_text(source)
    monkeypatch.setitem(MODULES, "cli", tmp_path / "unused.py")
    monkeypatch.setitem(MODULES, "memory.forbidden", module)
    assert [found.imported for found in imports_of("memory.forbidden")] == [expected]
