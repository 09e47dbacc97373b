"""Fixtures every test may use: stores to run over, Neo4j servers, a scope of one's own.

`store_address` runs a test over every store: `memory:`, an SQLite file, and each Neo4j. A database is never
wiped between tests; each test works in its own `scope`. NEO4J_URI (with NEO4J_USERNAME and NEO4J_PASSWORD)
points the Neo4j tests at a server of yours, or at several, with blanks between; without it they start their own
on first use and stop them at the end. What could not run is skipped with the reason, and listed;
MEMORY_REQUIRE_NEO4J=1 makes that a failure.

`--part` selects the tests of one Neo4j, those that need the machine for themselves, or the rest, so that several
processes can share a run. Two never work on one server: some tests look at all of its data.
"""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import hypothesis
import pytest

from scripts import neo4j_server as neo4j_servers
from scripts.neo4j_server import Server

EXTERNAL = tuple(os.environ.get("NEO4J_URI", "").split())
NEO4J = (
    EXTERNAL or neo4j_servers.VERSIONS
)  # what the tests are parametrised with: addresses, or versions to start
NEO4J_PARAMS = [pytest.param(name, marks=pytest.mark.neo4j, id=f"neo4j-{name}") for name in NEO4J]

hypothesis.settings.register_profile(
    "memory",
    deadline=None,  # a store on a busy machine is not a timing test
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
    print_blob=True,
)
hypothesis.settings.load_profile("memory")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=("alone", "rest", *NEO4J), help="only these tests (default: all)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.option.part
    if wanted is not None:
        others = [item for item in items if _part(item) != wanted]
        items[:] = [item for item in items if _part(item) == wanted]
        config.hook.pytest_deselected(items=others)


def _part(item: pytest.Item) -> str:
    """What a test belongs to: of the shared Neo4js that it uses, the first."""
    if item.get_closest_marker("alone") is not None:
        return "alone"
    callspec = getattr(item, "callspec", None)
    used = () if callspec is None else callspec.params.values()
    return next((name for name in NEO4J if name in used), "rest")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """asyncio, unless a test asks: `@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])`."""
    return "asyncio"


# --- Neo4j ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunningNeo4j:
    """Where a server answers, for a store (`uri`) or for the driver itself (`uri` and `auth`)."""

    uri: str
    version: str
    auth: tuple[str, str] | None = None


@dataclass
class Neo4jPool:
    """At most one server of each version, started when first asked for."""

    servers: dict[str, Server] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> RunningNeo4j:
        if EXTERNAL:
            return RunningNeo4j(name, _external_version(name), _external_auth())
        if name not in self.servers and name not in self.missing:
            try:
                neo4j_servers.prepare(name)
                self.servers[name] = neo4j_servers.start(name, quick=True)
            except neo4j_servers.Unavailable as problem:
                self.missing[name] = str(problem)
        if name in self.missing:
            pytest.skip(f"Neo4j {name}: {self.missing[name]}")
        return RunningNeo4j(self.servers[name].uri, name)

    def stop(self) -> None:
        for server in self.servers.values():
            server.stop()


pool = Neo4jPool()
passed: Counter[str] = Counter()  # which of NEO4J -> tests that passed on it


def _external_auth() -> tuple[str, str] | None:
    password = os.environ.get("NEO4J_PASSWORD")
    return (os.environ.get("NEO4J_USERNAME", "neo4j"), password) if password else None


@cache
def _external_version(uri: str) -> str:
    import neo4j

    with neo4j.GraphDatabase.driver(uri, auth=_external_auth()) as driver:
        records = driver.execute_query(
            "CALL dbms.components() YIELD name, versions RETURN name, versions"
        ).records
    return str(next(record["versions"][0] for record in records if record["name"] == "Neo4j Kernel"))


@pytest.fixture(scope="session", params=NEO4J_PARAMS)
def neo4j_server(request: pytest.FixtureRequest) -> RunningNeo4j:
    """A shared server of each version in turn. To kill one, ask for `start_neo4j` instead."""
    return pool.get(request.param)


@pytest.fixture
def start_neo4j(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of the test's own, on data that outlives a kill: `start_neo4j(version, password=…)`."""
    started: list[Server] = []

    def start(
        version: str = neo4j_servers.VERSIONS[0],
        *,
        password: str | None = None,
        settings: dict[str, str] | None = None,
    ) -> Server:
        try:
            neo4j_servers.prepare(version)
            data = tmp_path / f"neo4j-{len(started)}"
            server = neo4j_servers.start(version, data, password=password, settings=settings, quick=True)
        except neo4j_servers.Unavailable as problem:
            pytest.skip(f"Neo4j {version}: {problem}")
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()


# --- stores -----------------------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "sqlite", *NEO4J_PARAMS])
def store_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of each store in turn."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'memory.db'}"
    return pool.get(request.param).uri


@pytest.fixture
def scope() -> str:
    return f"test/{secrets.token_hex(6)}"


# --- what ran, and what did not ---------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.when == "call" and report.passed and isinstance(item, pytest.Function):
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        passed.update(name for name in NEO4J if name in parameters)
    return report


def _ran() -> dict[str, int]:
    """Version -> tests that passed on it."""
    return {_external_version(name) if EXTERNAL else name: count for name, count in passed.items()}


def _not_run(config: pytest.Config) -> dict[str, str]:
    """Version that is to be tested -> why it was not. Of a server of yours only the major version counts."""
    wanted = config.option.part
    lines = {version.partition(".")[0] for version in _ran()}
    why = "no test on it was selected, or none passed"
    return {
        version: pool.missing.get(version, f"NEO4J_URI has none, or {why}" if EXTERNAL else why)
        for version in neo4j_servers.VERSIONS
        if wanted in (None, version) and version.partition(".")[0] not in lines
    }


def pytest_sessionfinish(session: pytest.Session) -> None:
    pool.stop()
    required = os.environ.get("MEMORY_REQUIRE_NEO4J") == "1"
    if (
        required
        and _not_run(session.config)
        and not session.config.option.collectonly
        and not session.exitstatus
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if terminalreporter.config.option.collectonly:
        return
    terminalreporter.section("Neo4j")
    for version, count in _ran().items():
        terminalreporter.line(f"Neo4j {version}: {count} tests passed")
    for version, reason in _not_run(terminalreporter.config).items():
        terminalreporter.line(f"Neo4j {version}: NOT RUN: {reason}")
    if _not_run(terminalreporter.config) and os.environ.get("MEMORY_REQUIRE_NEO4J") == "1":
        terminalreporter.line("MEMORY_REQUIRE_NEO4J=1: that fails the run", red=True)
