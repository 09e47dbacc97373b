"""The protocol's own suite, run on the provider over stdio and HTTP and over each store.

    scripts/conformance [--quick] [--build]

Builds `contextgraph-inspect` with cargo, once, in both releases; then seeds a store so that no check passes
for want of anything to look at, and runs the suite on it: over an SQLite file and over Neo4j (those at
NEO4J_URI, or one started for it; not with --quick). The provider signs with a key made for the run. Every check
has to pass. What the suite skips is listed with its reason; it may be something that later work will bring, or,
over HTTP, one of the checks that the suite makes over stdio only. --build only builds.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts import neo4j_server

SUITES = {"2.0.0": ["--version", "=2.0.0"], "0.1.2": ["--version", "=0.1.2", "--locked"]}
CACHE = neo4j_server.CACHE.with_name("conformance")
NOT_YET = {"embedding-fingerprint"}
STDIO_ONLY = "applies to stdio providers only"
VACUOUS = re.compile(r"\b(?:returned|of the|all) 0\b|\b0 frame")


def inspector(suite: str) -> Path:
    """The suite's program, built if it is not there yet."""
    root = CACHE / suite
    program = root / "bin" / "contextgraph-inspect"
    if not program.exists():
        print(f"building contextgraph-conformance {suite}…", file=sys.stderr)
        command = [
            "cargo",
            "install",
            "--quiet",
            "contextgraph-conformance",
            *SUITES[suite],
            "--root",
            str(root),
        ]
        subprocess.run(command, check=True)
    return program


def seed(store: str, scope: str, directory: Path) -> None:
    """Text that the suite's query finds: facts, relations, episodes, a file, and news from after its pin."""
    from memory_provider import Entity
    from memory_provider.memory.writing.operations import File
    from memory_provider.sync import Memory

    notes = directory / "conformance-probe.txt"
    notes.write_text("The conformance probe was calibrated in March.\nIt drifts by a second a day.\n")
    file = File(notes.as_uri(), f"sha256:{hashlib.sha256(notes.read_bytes()).hexdigest()}")
    with Memory.open(store, scope=scope) as memory:
        memory.define_predicate(
            "measured_by",
            cardinality="many",
            object="entity",
            label="is measured by",
            inverse_label="measures",
        )
        said = memory.add_episode(
            "Ada: the conformance probe hangs at the harbour wall now.",
            occurred_at="2026-02-01T09:00:00Z",
            speaker="Ada",
            session="survey",
        )
        memory.add_episode(
            "Ben: then the conformance probe will read the tide, not the river.",
            occurred_at="2026-02-01T09:01:00Z",
            speaker="Ben",
            session="survey",
        )
        memory.assert_fact(
            "conformance probe",
            "hangs at",
            "the harbour wall",
            valid_from="2026-02-01T00:00:00Z",
            episode=said.episode_id,
            confidence=0.9,
        )
        memory.assert_fact(
            "conformance probe",
            "calibrated in",
            "March",
            valid_from="2026-03-01T00:00:00Z",
            file=file,
            by="Ada",
        )
        memory.assert_fact(
            "tide", "measured_by", Entity("conformance probe"), valid_from="2026-02-01T00:00:00Z", by="Ben"
        )
        memory.assert_fact(
            "conformance probe", "state", "retired", valid_from="2026-08-01T00:00:00Z", by="Ada"
        )


def provider(transport: str, store: str, scope: str, key: Path, *options: str) -> list[str]:
    """The command that serves a scope."""
    memory = [sys.executable, "-m", "memory_provider", "--store", store, "--scope", scope]
    return [*memory, "serve", transport, "--key", str(key), *options]


def inspect_stdio(suite: str, store: str, scope: str, key: Path) -> dict[str, Any]:
    """The suite's report; it starts the provider itself, several times."""
    return report(str(inspector(suite)), "stdio", "--json", "--", *provider("stdio", store, scope, key))


def inspect_http(suite: str, store: str, scope: str, key: Path) -> dict[str, Any]:
    """The suite's report on a server that is started for it, has to live through it, and then to stop."""
    command = provider("http", store, scope, key, "--port", "0")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        try:
            found = re.search(r" at (http://\S+)", server.stderr.readline())
            if found is None:
                raise SystemExit("the server did not start")
            said = report(str(inspector(suite)), "http", found[1], "--json")
        finally:
            server.terminate()
        if server.wait(60) != 0:
            raise SystemExit(f"the server ended with {server.returncode}:\n{server.stderr.read()}")
    return said


def report(*command: str) -> dict[str, Any]:
    """What the suite says, as JSON."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    _, brace, found = f"\n{done.stdout}".partition("\n{")  # a banner comes first
    if not brace:
        raise SystemExit(f"no report from the suite (exit {done.returncode}):\n{done.stdout}{done.stderr}")
    loaded: dict[str, Any] = json.loads(brace + found)
    return loaded


TRANSPORTS = {"stdio": inspect_stdio, "HTTP": inspect_http}


def judge(report: dict[str, Any], transport: str) -> bool:
    """Print each check; whether all is well."""
    good = True
    for check in report["checks"]:
        verdict, evidence = check["status"], check["evidence"]
        if verdict == "pass" and VACUOUS.search(evidence):
            verdict = "vacuous"
        skipped = verdict == "skipped" and may_skip(check["name"], evidence, transport)
        fine = verdict == "pass" or skipped
        good &= fine
        why = "" if verdict == "pass" else f": {evidence}"
        print(f"  {'skip' if skipped else 'ok  ' if fine else 'FAIL'} {check['name']}: {verdict}{why}")
    return good


def may_skip(check: str, reason: str, transport: str) -> bool:
    """Whether the suite may leave a check out: one of what is not offered yet, or one it has for stdio only."""
    return check in NOT_YET or (transport == "HTTP" and reason.endswith(STDIO_ONLY))


def with_credentials(uri: str) -> str:
    """The suite gives a provider no environment but PATH and HOME, so they go into the address."""
    password = os.environ.get("NEO4J_PASSWORD")
    if not password or "@" in uri:
        return uri
    user = os.environ.get("NEO4J_USERNAME", "neo4j")
    scheme, _, rest = uri.partition("://")
    return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{rest}"


@contextlib.contextmanager
def stores(directory: Path, *, quick: bool) -> Iterator[dict[str, str]]:
    found = {"SQLite": f"sqlite:///{directory / 'memory.db'}"}
    if quick:
        yield found
    elif uris := os.environ.get("NEO4J_URI", "").split():
        yield found | {f"Neo4j at {uri}": with_credentials(uri) for uri in uris}
    else:
        version = neo4j_server.VERSIONS[0]
        neo4j_server.prepare(version)
        with neo4j_server.start(version, quick=True) as server:
            yield found | {f"Neo4j {version}": server.uri}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/conformance", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--quick", action="store_true", help="over SQLite only")
    parser.add_argument("--build", action="store_true", help="only build the suites")
    options = parser.parse_args()
    for suite in SUITES:
        inspector(suite)
    if options.build:
        return 0
    from memory_provider.attestation import create_key_file

    good = True
    with tempfile.TemporaryDirectory() as scratch, stores(Path(scratch), quick=options.quick) as addresses:
        key = Path(scratch) / "key.pem"
        create_key_file(key)
        for name, store in addresses.items():
            scope = f"conformance/{secrets.token_hex(4)}"
            seed(store, scope, Path(scratch))
            for (transport, inspect), suite in itertools.product(TRANSPORTS.items(), SUITES):
                print(f"conformance {suite} over {transport}, {name}")
                good &= judge(inspect(suite, store, scope, key), transport)
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except neo4j_server.Unavailable as problem:
        sys.exit(f"conformance could not run: {problem}")
