"""What a person does in a day with the command line, over every store."""

from __future__ import annotations

from .terminal import Terminal


def test_from_remembering_to_erasing(any_terminal: Terminal) -> None:
    said = any_terminal
    said.done(
        "define", "lives_in", "--one", "--object", "entity", "--label", "lives in", "--inverse", "home of"
    )
    heard = said.done(
        "remember", "We moved to Lyon last spring!", "--speaker", "Alice", "--occurred-at", "2026-05-02"
    )
    episode = heard.out.strip()
    assert episode.startswith("ep_")
    assert "--occurred-at 2026-05-02 is taken as 2026-05-02T00:00:00Z (UTC)" in heard.err

    said.done("assert", "Alice", "lives_in", "Paris", "--from", "2019", "--by", "user")
    moved = said.done(
        "assert", "Alice", "lives_in", "--entity", "Lyon", "--from", "2026-04", "--episode", episode
    )
    fact = moved.out.strip()
    assert "changed: Alice lives in Paris (since 2019-01-01)" in moved.err

    early = said.json("facts", "Alice", "lives_in", "--as-of", "2020")
    late = said.json("facts", "Alice", "lives_in", "--as-of", "2026-06")
    assert [each["object"] for each in early["facts"]] == [{"type": "entity", "value": "Paris"}]
    assert [each["object"] for each in late["facts"]] == [{"type": "entity", "value": "Lyon"}]
    assert early["as_of"] == "2020-01-01T00:00:00Z"
    [shown] = late["facts"]
    assert (shown["id"], shown["content"]) == (fact, "Alice lives in Lyon (since 2026-04-01)")
    assert (shown["valid_from"], shown["valid_to"]) == ("2026-04-01T00:00:00Z", None)
    assert shown["sources"][0]["episode_id"] == episode

    recalled = said.done("recall", "where does Alice live?", "--json")
    frames = recalled.json["frames"]
    assert frames[0]["content"] == "Alice lives in Lyon (since 2026-04-01)"
    assert frames[0]["citation_label"].startswith("Alice lives in Lyon (recorded ")
    table = said.done("recall", "where does Alice live?").out
    assert "Alice lives in Lyon (since 2026-04-01)" in table
    assert f"{frames[0]['score']:.2f}" in table

    assert said.done("verify", "-", typed=recalled.out).code == 0
    before = said.json("history", "Alice")["versions"][-1]["recorded_at"]
    said.done("correct", "Alice", "lives_in", "Lyon", "--from", "2026-03", "--by", "Alice")
    verdicts = said("verify", fact, shown["digest"], "--json")
    assert verdicts.code == 1
    assert verdicts.json["verdicts"][0]["status"] == "stale"
    assert verdicts.json["verdicts"][0]["replacement_digest"].startswith("sha256:")
    assert said("verify", fact, shown["digest"], "--known-at", before).code == 0

    then = said.json("facts", "Alice", "lives_in", "--as-of", "2026-03-15", "--known-at", before)
    now = said.json("facts", "Alice", "lives_in", "--as-of", "2026-03-15")
    assert [each["object"]["value"] for each in (*then["facts"], *now["facts"])] == ["Paris", "Lyon"]

    stretches = said.json("timeline", "Alice", "lives_in")["timeline"]
    assert [(each["object"]["value"], each["valid_to"]) for each in stretches] == [
        ("Paris", "2026-03-01T00:00:00Z"),
        ("Lyon", None),
    ]
    assert said.json("graph", "Lyon", "--as-of", "2026-06")["entities"] == ["Lyon", "Alice"]
    kinds = [each["kind"] for each in said.json("changes")["changes"]]
    assert kinds[0] == "episode"
    assert {"learned", "closed", "corrected"} <= set(kinds)

    story = said.done("explain", fact).out
    assert "“We moved to Lyon last spring!”" in story
    assert "it took the place of: Alice lives in Paris" in story
    assert "a correction took its place" in story

    assert said("retract", "Alice", "lives_in", "Lyon", "--from", "2026-06").code == 0
    preview = said.json("erase", "entity", "Alice", "--reason", "asked", "--dry-run")
    report = said.json("erase", "entity", "Alice", "--reason", "asked", "--by", "Alice", "--yes")
    assert set(preview["fact_ids"]) == set(report["fact_ids"])
    assert report["episode_ids"] == [episode]
    assert (preview["dry_run"], report["dry_run"]) == (True, False)
    assert said("verify", fact, shown["digest"]).code == 1
    gone = said.done("explain", fact).out
    assert "was erased" in gone
    assert "Reason: asked" in gone
    assert said("history", "Alice").code == 1


def test_files_and_scopes(any_terminal: Terminal, tmp_path: object) -> None:
    said = any_terminal
    seeded = said.json("seed", "seeds/conformance.jsonl")
    assert seeded["facts"] == 6
    assert said.json("seed", "seeds/conformance.jsonl")["already_there"] == 9
    archive = f"{tmp_path}/archive.jsonl.gz"
    exported = said.json("export", archive)
    assert exported["scope"] == said.scope
    assert exported["rows"]["version"] == 6

    copy = Terminal(said.monkeypatch, said.store, f"{said.scope}/copy")
    imported = copy.json("import", archive)
    assert (imported["from_scope"], imported["written"]["version"]) == (said.scope, 6)
    assert copy.json("facts")["facts"] == said.json("facts")["facts"]

    held = {each["name"]: each for each in said.json("scopes")["scopes"]}
    assert held[said.scope]["versions"] == held[copy.scope]["versions"] == 6
    assert copy.done("doctor").out == ""
    assert said.json("doctor")["findings"] == []
    layout = said.json("migrate")
    assert layout["pending"] == []
    assert said.json("migrate", "--check") == layout

    assert said("scopes", "erase", copy.scope).code == 2
    assert said.done("scopes", "erase", copy.scope, "--yes").code == 0
    assert said("scopes", "erase", copy.scope, "--yes").code == 1
    assert copy("facts").code == 1
    assert len(said.json("facts")["facts"]) == 6
