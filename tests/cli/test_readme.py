"""What the README and the documents say is so: their code runs, their commands work, and nothing is left out."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from memory_provider.cli.app import COMMANDS
from memory_provider.memory.api import Memory
from memory_provider.seeding import seed
from scripts.neo4j_server import free_port

from .terminal import Terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CLI = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
SEEDS = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who installed it and sits in a checkout: the directory is `HOME`."""
    program = tmp_path / "bin" / "memory-provider"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memory_provider "$@"\n')
    program.chmod(0o755)
    for name in ("seeds", "examples", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    return {
        "HOME": str(tmp_path),
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }


def run(command: list[str], home: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=home["HOME"], env=home)


def test_the_first_screen_shows_the_demo_as_it_is(terminal: Terminal) -> None:
    [shown] = blocks(README, "text")
    assert shown == terminal.bare("demo").out
    above = README[: README.index(shown)]
    assert ".venv/bin/memory-provider demo" in above
    assert len(above.splitlines()) < 20


def test_its_python_runs_as_shown(home: dict[str, str]) -> None:
    program, _ = blocks(README, "python")
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stderr) == (0, "")
    plain = re.sub(r"^[01]\.[0-9]{2} ", "SCORE ", done.stdout, flags=re.MULTILINE)
    assert re.sub(r"recorded [0-9-]{10}", "recorded TODAY", plain).splitlines() == [
        "SCORE Alice lives in Lyon (since 2026-04-01)  [Alice lives in Lyon (recorded TODAY)]",
        "SCORE Relations of Alice (since 2026-04-01):",
        "Alice lives in Lyon  [Relations of Alice]",
        "SCORE Alice: we moved to Lyon last spring!  [Alice, 2026-05-02]",
        "stale",
    ]


def test_its_host_quotes_a_memory_and_a_provider_of_somebody_else(home: dict[str, str]) -> None:
    _, program = blocks(README, "python")
    assert run(["memory-provider", "--scope", "noor", "seed", "seeds/noor.yaml"], home).returncode == 0
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r'^<frame provider="(memory|notes)"', done.stdout, re.MULTILINE).count("notes") == 2
    assert "Noor Haddad lives in" in done.stdout
    assert "The tram stop next to where Noor lives is closed until spring." in done.stdout


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_examples_run(example: Path, home: dict[str, str]) -> None:
    done = run([sys.executable, str(example)], home)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


ELSEWHERE = ("python3 -m venv", ". .venv/", "pip install", "scripts/test")
"""How commands begin that set up what runs this test."""


def typed() -> list[str]:
    """The README's commands in the order in which they stand, but for those on Docker."""
    shown = [block for block in blocks(README, "sh") if "docker" not in block]
    return [line for block in shown for line in block.splitlines()]


def test_its_commands_work(home: dict[str, str]) -> None:
    """Typed into one shell, from the first to the last."""
    commands = [line for line in typed() if not line.startswith(ELSEWHERE)]
    assert len(commands) > 30
    script = "\n".join(["trap 'jobs -p | xargs -r kill' EXIT", *commands]).replace("8080", f"{free_port()}")
    done = run(["bash", "-euxo", "pipefail", "-c", script], home)
    assert done.returncode == 0, done
    assert '"type":"error"' not in done.stdout
    assert done.stdout.count('"type":"frames"') == 2
    assert "`erase` takes facts" in done.stdout and "(compact)" in done.stdout
    before = run(["memory-provider", "timeline", "Alice", "lives_in"], home).stdout
    assert re.search(r"2019-01-01 +2026-03-01 +Paris\n2026-03-01 +open +Lyon\n", before)


def test_its_commands_install_what_they_need_first() -> None:
    """For somebody who has installed what the first screen says."""
    needs = {"serve http": "http", "memory-provider key ": "attestation", "--key ": "attestation"}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    installed: set[str] = set()
    needed: set[str] = set()
    for line in typed():
        if line.startswith("pip install"):
            [shown] = re.findall(r"'\.\[(.+)\]'", line)
            installed |= set(shown.split(","))
        needed |= {extra for sign, extra in needs.items() if sign in line}
        assert needed <= installed <= extras.keys(), line
    assert needed == set(needs.values())


def test_every_command_is_named() -> None:
    for name in COMMANDS:
        named = re.search(rf"`{name}[ `]", README)
        assert named, f"README.md does not name {name}"
        assert re.search(rf"`{name}[ `\[]", CLI), f"docs/cli.md does not name {name}"


def test_what_is_named_is_there() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", README, re.MULTILINE)
    named = {each.split()[0] for row in rows for each in re.findall(r"`([a-z ]+)`", row)}
    assert named == set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_its_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        place, _, heading = link.partition("#")
        if "://" in place:
            continue
        target = page.parent / place if place else page
        assert target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}, (
                link
            )


@pytest.mark.parametrize("name", ["archive.md", "doctor.md"])
async def test_the_python_of_the_documents(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `python -m asyncio` takes it; a second SQLite file stands for the Neo4j that is shown."""
    monkeypatch.chdir(tmp_path)
    async with Memory.open("sqlite:///memory.db", scope="acme/alice") as memory:
        await memory.assert_fact("Alice", "likes", "tea")
    [shown] = blocks((ROOT / "docs" / name).read_text(encoding="utf-8"), "python")
    program = shown.replace("neo4j://db.example", "sqlite:///other.db")
    names: dict[str, Any] = {}
    await eval(compile(program, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if name == "archive.md":
        assert names["report"].written["version"] == names["manifest"].rows["version"] == 1
    else:
        assert names["findings"] == []
    assert capsys.readouterr().out == ""


def test_the_python_of_seeds(home: dict[str, str]) -> None:
    """As shown, in a directory without the file: the one that ships is loaded."""
    [program] = blocks(SEEDS, "python")
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"[1-9][0-9]* episodes, [1-9][0-9]* facts\n", done.stdout)


@pytest.mark.parametrize("page", ["attestation.md", "host.md"])
def test_the_python_that_prints_nothing(page: str, home: dict[str, str]) -> None:
    shown = blocks((ROOT / "docs" / page).read_text(encoding="utf-8"), "python")
    program = next(each for each in shown if "assert " in each)
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_asking_providers_as_documented(home: dict[str, str]) -> None:
    """In Python, and on the command line."""
    page = (ROOT / "docs" / "host.md").read_text(encoding="utf-8")
    page = page[page.index("## Asking providers") : page.index("## From frames")]
    [program], printed = blocks(page, "python"), blocks(page, "text")[0]
    assert run(["memory-provider", "--scope", "noor", "seed", "seeds/noor.yaml"], home).returncode == 0
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)
    typed = [line for block in blocks(page, "sh") for line in block.splitlines()]
    commands = "\n".join(line for line in typed if not line.startswith(ELSEWHERE)).replace(
        "8080", f"{free_port()}"
    )
    script = f"trap 'jobs -p | xargs -r kill' EXIT\n{commands}"
    done = run(["bash", "-euo", "pipefail", "-c", script], home)
    assert done.returncode == 0, done
    assert done.stdout.count("retained") == 12 and "Noor's assistant" in done.stdout
    assert '<frame provider="noor"' in done.stdout
    assert done.stderr.endswith("revoked noor: any question\n")


@pytest.mark.parametrize("page", ["README.md", "docs/attestation.md"])
def test_the_commands_of_attestation(page: str, home: dict[str, str]) -> None:
    [shown] = [each for each in blocks((ROOT / page).read_text(encoding="utf-8"), "sh") if "key new" in each]
    commands = [line for line in shown.splitlines() if not line.startswith(ELSEWHERE)]
    done = run(["sh", "-ec", "\n".join(commands)], home)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    acknowledged = json.loads(done.stdout.splitlines()[-1])
    [key] = acknowledged["attester_keys"]
    assert key["key_id"] in done.stdout.splitlines()[0]


def test_the_spans_that_are_documented(home: dict[str, str]) -> None:
    page = (ROOT / "docs" / "observability.md").read_text(encoding="utf-8")
    [program], [printed] = blocks(page, "python"), blocks(page, "text")
    done = run([sys.executable, "-c", program], home)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)
    [logged] = blocks(page, "json")
    assert {"time", "level", "logger", "message", "type", "outcome", "ms"} <= set(json.loads(logged))


def test_the_json_that_is_documented(terminal: Terminal) -> None:
    """Every member that a command prints is in the table."""
    terminal.done("assert", "Alice", "lives_in", "--entity", "Lyon", "--by", "me")
    episode = terminal.done("remember", "Alice said hello").out.strip()
    fact = terminal.json("facts")["facts"][0]
    references = terminal.json("recall", "Alice", "--representation", "reference")["frames"]
    handle = references[0]["canonical"]["uri"]
    printed = {
        "assert": terminal.json("assert", "Alice", "age", "--int", "4"),
        "erase": terminal.json("erase", "episode", episode, "--reason", "r", "--dry-run"),
        "recall": terminal.json("recall", "Alice hello", "--explain"),
        "resolve": terminal.json("resolve", handle),
        "facts": terminal.json("facts"),
        "graph": terminal.json("graph", "Alice"),
        "timeline": terminal.json("timeline", "Alice", "lives_in"),
        "history": terminal.json("history"),
        "changes": terminal.json("changes"),
        "explain": terminal.json("explain", fact["id"]),
        "verify": terminal.json("verify", fact["id"], fact["digest"]),
        "predicates": terminal.json("predicates"),
        "scopes": terminal.json("scopes"),
        "seed": terminal.json("seed", str(ROOT / "seeds" / "conformance.jsonl")),
        "migrate": terminal.json("migrate"),
        "doctor": terminal.json("doctor"),
        "demo": terminal.bare("demo", "--json").json,
    }
    shapes = CLI[CLI.index("## JSON") :]
    for command, value in printed.items():
        [row] = [line for line in shapes.splitlines() if re.match(rf"\| [^|]*`{command}`", line)]
        documented = set(re.findall(r"`([a-z_]+)`", row))
        assert set(value) <= documented, command
    for name, shape in (("A fact", fact), ("A frame", references[0])):
        item = shapes[shapes.index(f"- {name}: ") :].partition("\n- ")[0]
        assert set(shape) <= set(re.findall(r"`([a-z_]+)`", item)), name


async def test_the_seed_format_as_documented(tmp_path: Path) -> None:
    [shown] = blocks(SEEDS, "yaml")
    assert len(yaml.safe_load(shown)) == 5
    (tmp_path / "a.yaml").write_text(shown)
    async with Memory.open("memory:") as memory:
        report = await seed(memory, [tmp_path / "a.yaml"])
        assert (report.predicates, report.episodes, report.facts) == (1, 1, 4)
    [line] = blocks(SEEDS, "json")
    before = [{**each, "occurred_at": "2026-05-02T18:00:00Z"} for each in yaml.safe_load(shown)[2:3]]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in before) + line)
    async with Memory.open("memory:") as memory:
        report = await seed(memory, [tmp_path / "a.jsonl"])
        assert (report.episodes, report.facts) == (1, 1)
