"""Runs the benchmarks: see `scripts/bench --help`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from scripts.neo4j_server import VERSIONS, Unavailable

from . import stores
from .corpus import Corpus
from .machine import load, machine
from .measuring import Effort, use_cpu_clock
from .parts import asking, composing, flooding, history, plans, reads, serving, starting, verifying, writes
from .results import Row, as_json, as_markdown, save
from .stores import Measured

WITHOUT_STORE = ("start", "ask", "compose", "flood")
PARTS = (*WITHOUT_STORE, "reads", "plans", "past", "history", "verify", "writes", "single", "http")
STORES = ("sqlite", *VERSIONS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for; 1 when a target was missed."""
    options = _parser().parse_args(arguments)
    if options.cpu:
        use_cpu_clock()
    told = shlex.join(["scripts/bench", *(sys.argv[1:] if arguments is None else arguments)])
    rows = anyio.run(_run, options)
    about = machine(told) | {
        "data": f"{options.size:,} facts and {Corpus(options.size).episodes:,} episodes in one scope"
    }
    about |= {
        "effort": f"{options.rounds} rounds of {options.calls} calls of each side, by turns; {options.warming} to warm"
    }
    about |= {"load after the run": load()}
    table = as_markdown(about, rows)
    if options.json:
        save(options.json, as_json(about, rows))
    if options.markdown:
        save(options.markdown, table)
    print(table)
    return 1 if any(row.met is False for row in rows) and options.strict else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description="What this memory costs beside the same reads and writes by hand."
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--store", action="append", help=f"which: {', '.join(STORES)} (default: all)")
    parser.add_argument("--neo4j", metavar="URI", help="a running Neo4j, instead of starting one")
    parser.add_argument(
        "--size", type=int, default=100_000, help="facts; a fifth as many episodes (%(default)s)"
    )
    parser.add_argument("--versions", type=int, default=1000, help="superseded versions a key (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=60, help="of each side in a round (%(default)s)")
    parser.add_argument("--warming", type=int, default=300, help="calls of each side before (%(default)s)")
    parser.add_argument("--clients", type=int, default=64, help="of HTTP, at one time (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="that they ask (%(default)s)")
    parser.add_argument("--data", type=Path, help="keep the data here, and use what is there already")
    parser.add_argument("--json", type=Path, default=Path("bench/results/latest.json"))
    parser.add_argument("--markdown", type=Path)
    parser.add_argument(
        "--cpu", action="store_true", help="measure processor time: for SQLite on a busy machine"
    )
    parser.add_argument("--strict", action="store_true", help="exit 1 when a target is missed")
    return parser


async def _run(options: argparse.Namespace) -> list[Row]:
    parts = options.parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        raise SystemExit(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    effort = Effort(options.rounds, options.calls, options.warming)
    rows = [_told(row) async for row in _without_store(parts, effort)]
    if set(parts) <= set(WITHOUT_STORE):
        return rows
    corpus = Corpus(options.size)
    with TemporaryDirectory(prefix="bench-") as scratch:
        directory = options.data or Path(scratch)
        directory.mkdir(parents=True, exist_ok=True)
        for name in options.store or STORES:
            try:
                async with _store(name, directory.absolute(), corpus, options.neo4j) as measured:
                    rows += [_told(row) async for row in _parts(measured, parts, effort, options)]
            except Unavailable as problem:
                print(f"{name}: {problem}", file=sys.stderr)
    return rows


async def _without_store(parts: Sequence[str], effort: Effort) -> AsyncIterator[Row]:
    fewer = Effort(effort.rounds, max(1, effort.calls // 6), min(3, effort.warming))
    runs = {
        "start": lambda: starting.run(fewer),
        "ask": lambda: asking.run(fewer),
        "compose": lambda: composing.run(fewer),
        "flood": lambda: flooding.run(max(2, fewer.calls)),
    }
    for part, run in runs.items():
        if part in parts:
            async for row in run():
                yield row


@asynccontextmanager
async def _store(name: str, directory: Path, corpus: Corpus, uri: str | None) -> AsyncIterator[Measured]:
    if name == "sqlite":
        async with stores.sqlite(directory, corpus) as measured:
            yield measured
    else:
        version = VERSIONS[0] if name == "neo4j" else name
        async with stores.neo4j(version, directory, corpus, uri) as measured:
            yield measured


async def _parts(
    measured: Measured, parts: Sequence[str], effort: Effort, options: argparse.Namespace
) -> AsyncIterator[Row]:
    runs = {
        "reads": lambda: reads.run(measured, effort),
        "plans": lambda: plans.run(measured, effort),
        "past": lambda: reads.run_past(measured, effort),
        "history": lambda: history.run(measured, effort, options.versions),
        "verify": lambda: verifying.run(
            measured, Effort(effort.rounds, max(1, effort.calls // 4), effort.warming // 4)
        ),
        "writes": lambda: writes.run(measured, effort),
        "single": lambda: writes.run_single(measured, effort),
        "http": lambda: serving.run(measured, effort, options.clients, options.seconds),
    }
    for part, run in runs.items():
        if part in parts:
            async for row in run():
                yield row


def _told(row: Row) -> Row:
    value = "" if row.value is None else f"{row.value:.2f} {row.unit} ({row.spread}) {row.target}"
    met = {True: "met", False: "MISSED", None: ""}[row.met]
    told = (row.store, row.part, row.what, row.ours, row.base, value, met, row.note)
    print(" | ".join(filter(None, told)), file=sys.stderr, flush=True)
    return row


if __name__ == "__main__":
    sys.exit(main())
