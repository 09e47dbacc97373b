"""docs/http.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from click import Context

from memory_provider.cli.commands.serve import http
from memory_provider.transports.http.limits import Limits
from memory_provider.transports.reaching import PATIENCE, SILENCE

from .server import Server
from .test_http_watching import figures

PAGE = (Path(__file__).parents[3] / "docs" / "http.md").read_text(encoding="utf-8")


def test_every_figure_is_documented(server: Server) -> None:
    server.query("anything")
    server.post(b"{}", Host="page.example")
    documented = set(re.findall(r"^\| `(memory_provider_\w+)`", PAGE, re.MULTILINE))
    counted = {re.sub("_(bucket|count|sum)$", "", name) for name, _ in figures(server)}
    ours = {name for name in counted if name.startswith("memory_provider") and not name.endswith("_created")}
    assert ours == documented


def test_every_option_and_limit_is_documented() -> None:
    help = http.get_help(Context(http))
    options = set(re.findall(r"--[a-z-]+", help)) - {
        "--help",
        "--store",
        "--scope",
        "--log-format",
        "--log-level",
    }
    cli = (Path(__file__).parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
    [row] = re.findall(r"^\| `serve http` \|.*$", cli, re.MULTILINE)
    for option in options - {"--port", "--host", "--key"}:
        assert option in PAGE, option
    limits = Limits()
    table = dict(re.findall(r"^\| `(--[a-z-]+) [A-Z]+` \|.*\| (\d+)", PAGE, re.MULTILINE))
    assert table == {
        "--max-body": f"{limits.body // 2**20}",
        "--request-seconds": f"{limits.seconds:g}",
        "--slow-seconds": f"{limits.slow:g}",
        "--at-once": f"{limits.at_once}",
        "--connections": f"{limits.connections}",
    }
    for option in options - set(table) - {"--request-seconds"}:
        assert option in row, option
    for option, default in table.items():
        assert re.search(rf"{option} [^\[]*\[{default}[ \]]", help, re.DOTALL), option
    assert f"{limits.grace:g} s by default" in PAGE
    assert f"{limits.bodies // 2**20} MiB at most" in PAGE
    assert limits.idle == 60
    assert f"{SILENCE:g} s" in PAGE
    assert f"{PATIENCE:g} s" in PAGE
    assert SILENCE + PATIENCE < 3
