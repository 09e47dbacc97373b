"""docker-compose.yml does what it says: read as written, and run against a Neo4j set up the same way."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml

import memory_provider
from memory_provider.transports.http.limits import Limits
from scripts import neo4j_server
from scripts.neo4j_server import Server

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"
PASSWORD = "a pass/word: with $igns"
HEALTH_QUERY = "RETURN 1"


class Missing(Exception):
    """A variable that the file requires is not set."""


def interpolate(node: Any, variables: dict[str, str]) -> Any:
    """Compose's `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$`."""
    if isinstance(node, dict):
        return {key: interpolate(value, variables) for key, value in node.items()}
    if isinstance(node, list):
        return [interpolate(value, variables) for value in node]
    if not isinstance(node, str):
        return node

    def value_of(match: re.Match[str]) -> str:
        name, operator, operand = match["name"], match["operator"], match["operand"]
        if name is None:
            return "$"
        if variables.get(name):
            return variables[name]
        if operator == ":?":
            raise Missing(operand)
        return operand or ""

    return re.sub(r"\$(?:\$|\{(?P<name>\w+)(?:(?P<operator>:[-?])(?P<operand>[^}]*))?\})", value_of, node)


def compose(**variables: str) -> dict[str, Any]:
    loaded: dict[str, Any] = interpolate(yaml.safe_load(FILE.read_text()), variables)
    return loaded


SERVICES: dict[str, dict[str, Any]] = compose(NEO4J_PASSWORD=PASSWORD)["services"]
NEO4J, MIGRATE, PROVIDER = SERVICES["neo4j"], SERVICES["migrate"], SERVICES["provider"]


def neo4j_settings() -> dict[str, str]:
    """The image turns NEO4J_a_b__c into the setting a.b_c."""
    return {
        name.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_"): value
        for name, value in NEO4J["environment"].items()
        if name != "NEO4J_AUTH"
    }


# --- as written -------------------------------------------------------------------------------------------


def test_the_password_is_required_and_has_no_default() -> None:
    with pytest.raises(Missing, match="NEO4J_PASSWORD"):
        compose()
    assert NEO4J["environment"]["NEO4J_AUTH"] == f"neo4j/{PASSWORD}"
    assert PROVIDER["environment"]["NEO4J_PASSWORD"] == PASSWORD


def test_neo4j_is_pinned_to_the_version_that_is_tested() -> None:
    assert NEO4J["image"] == neo4j_server.image(neo4j_server.VERSIONS[0])


def test_neo4j_gets_settings_only() -> None:
    """Any NEO4J_ variable becomes a setting, and the server refuses to start on one it does not know."""
    assert set(neo4j_settings()) == {
        "server.memory.heap.initial_size",
        "server.memory.heap.max_size",
        "server.memory.pagecache.size",
    }


def test_nothing_is_open_beyond_this_machine() -> None:
    for service in SERVICES.values():
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), port


def test_data_outlives_the_container() -> None:
    (volume,) = NEO4J["volumes"]
    name, path = volume.split(":")
    assert path == "/data"
    assert name in compose(NEO4J_PASSWORD=PASSWORD)["volumes"]


def test_the_provider_answers_only_who_brings_a_token_that_outlives_the_container() -> None:
    assert PROVIDER["command"][:2] == ["serve", "http"]
    assert "--insecure-no-auth" not in PROVIDER["command"]
    (volume,) = PROVIDER["volumes"]
    name, path = volume.split(":")
    assert name in compose(NEO4J_PASSWORD=PASSWORD)["volumes"]
    assert Path(PROVIDER["environment"]["MEMORY_TOKENS"]).parent == Path(path)
    # A volume takes the owner of the directory that the image has there.
    assert f"install --directory --owner memory --mode 700 {path}" in (ROOT / "Dockerfile").read_text()


def test_a_stop_leaves_time_to_finish_what_is_in_flight() -> None:
    assert int(PROVIDER["stop_grace_period"].removesuffix("s")) > Limits().grace


def test_the_provider_waits_for_a_healthy_and_migrated_database() -> None:
    assert HEALTH_QUERY in NEO4J["healthcheck"]["test"][-1]
    assert MIGRATE["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert PROVIDER["depends_on"]["neo4j"] == {"condition": "service_healthy"}
    assert PROVIDER["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_the_health_check_finds_the_password(tmp_path: Path) -> None:
    """Run as the image would, with a cypher-shell that shows what it was given."""
    shell = tmp_path / "cypher-shell"
    shell.write_text('#!/bin/sh\nprintf "%s|" "$NEO4J_PASSWORD" "$@"\n')
    shell.chmod(0o755)
    kind, script = NEO4J["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    environment = {"PATH": f"{tmp_path}:{os.defpath}", "NEO4J_AUTH": NEO4J["environment"]["NEO4J_AUTH"]}
    done = subprocess.run(
        ["/bin/sh", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{PASSWORD}|-u|neo4j|{HEALTH_QUERY}|"


def test_the_image_is_built_from_what_is_here() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert 'ENTRYPOINT ["memory-provider"]' in lines
    assert any(line.startswith("USER ") and line != "USER root" for line in lines)
    assert MIGRATE["build"] == PROVIDER["build"] == "."
    assert MIGRATE["image"] == PROVIDER["image"] == f"memory-provider:{memory_provider.__version__}"
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    missing = [name for name in kept if not (ROOT / name).exists()]
    assert not missing, f".dockerignore keeps what is not there: {missing}"


@pytest.mark.skipif(
    not shutil.which("docker")
    or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode != 0,
    reason="docker's compose plugin is not installed",
)
def test_docker_reads_it_the_same_way() -> None:
    command = ["docker", "compose", "-f", str(FILE), "config", "--format", "json"]
    environment = {name: value for name, value in os.environ.items() if name != "NEO4J_PASSWORD"}
    refused = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert refused.returncode != 0
    assert "NEO4J_PASSWORD" in refused.stderr
    read = subprocess.run(
        command, env={**environment, "NEO4J_PASSWORD": PASSWORD}, capture_output=True, check=True
    )
    services = json.loads(read.stdout.replace(b"$$", b"$"))["services"]  # it escapes what it prints
    for name, service in SERVICES.items():
        assert services[name]["environment"] == service["environment"]
        assert services[name].get("command") == service.get("command")


# --- run --------------------------------------------------------------------------------------------------


def started(service: dict[str, Any], server: Server, password: str = PASSWORD) -> subprocess.Popen[str]:
    """The service's command and environment; only the database's host name stands for where it runs here."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(server.data_dir), **service["environment"]}
    environment["MEMORY_STORE"] = environment["MEMORY_STORE"].replace("neo4j:7687", server.uri.split("//")[1])
    environment["NEO4J_PASSWORD"] = password
    command = [sys.executable, "-m", "memory_provider", *service["command"]]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def run(service: dict[str, Any], server: Server, password: str = PASSWORD) -> tuple[int, str]:
    """How the command ends, and all it says."""
    with started(service, server, password) as process:
        said = "".join(process.communicate(timeout=120))
    return process.returncode, said


@contextmanager
def serving(server: Server, tokens: Path) -> Iterator[str]:
    """The provider as the file has it, on loopback and any free port; its address."""
    environment = {**PROVIDER["environment"], "MEMORY_TOKENS": str(tokens)}
    command = [each.replace("0.0.0.0", "127.0.0.1") for each in PROVIDER["command"]] + ["--port", "0"]
    with started({**PROVIDER, "environment": environment, "command": command}, server) as process:
        assert process.stderr
        said = process.stderr.readline()
        found = re.search(r" at (http://127.0.0.1:\d+/)$", said)
        assert found, said
        try:
            yield found[1]
        finally:
            process.terminate()
        assert process.wait(120) == 0


def post(url: str, message: dict[str, Any], token: str) -> dict[str, Any]:
    """What a host with a token is answered."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(url, json.dumps(message).encode(), headers), timeout=120) as answer:
        loaded: dict[str, Any] = json.load(answer)
        return loaded


def healthy(url: str) -> bool:
    """Whether the container would count as healthy."""
    kind, python, *rest = PROVIDER["healthcheck"]["test"]
    assert (kind, python) == ("CMD", "python")
    check = [each.replace("http://127.0.0.1:8080/", url) for each in rest]
    assert check != rest
    return subprocess.run([sys.executable, *check], capture_output=True).returncode == 0


@pytest.mark.neo4j
def test_the_commands_run_against_such_a_database(start_neo4j: Callable[..., Server], tmp_path: Path) -> None:
    import neo4j

    server = start_neo4j(neo4j_server.VERSIONS[0], password=PASSWORD, settings=neo4j_settings())
    with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", PASSWORD)) as driver:
        driver.execute_query(HEALTH_QUERY)

    for _ in range(2):  # each `up` migrates again
        code, said = run(MIGRATE, server)
        assert code == 0, said
        assert PASSWORD not in said

    [told] = re.findall(r"docker compose run --rm --no-deps provider (token .+?)  ", FILE.read_text())
    tokens = tmp_path / "tokens.json"
    environment = {**PROVIDER["environment"], "MEMORY_TOKENS": str(tokens)}
    with started({"environment": environment, "command": told.split()}, server) as process:
        token = process.communicate(timeout=120)[0].strip()
    query = {"goal": "anything", "query_text": "anything", "max_frames": 4, "max_tokens": 400}
    with serving(server, tokens) as url:
        hello = post(url, {"type": "handshake", "protocol_version": "contextgraph/1.0"}, token)
        assert hello["type"] == "handshake_ack"
        found = post(url, {"type": "query", "id": "q1", "query": query}, token)
        assert found == {"type": "frames", "id": "q1", "result": {"frames": [], "truncated": False}}
        with pytest.raises(HTTPError, match="401"):
            post(url, {"type": "query", "id": "q1", "query": query}, token.swapcase())
        assert healthy(url)
    assert not healthy(url)

    code, said = run(MIGRATE, server, "not the password")
    assert code != 0
    assert "Traceback" not in said
    assert "not the password" not in said
