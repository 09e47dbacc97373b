"""The tables, by numbered versions. `PRAGMA user_version` says which version a file has."""

from __future__ import annotations

import os
import sqlite3

from ...temporal.instants import OPEN
from ..errors import StoreTooNew, StoreUnavailable
from .sql import ENDED, STANDS

APPLICATION = 0x6D656D70
"""`PRAGMA application_id` of a file of ours ("memp")."""

TABLES = f"""
CREATE TABLE store (secret BLOB NOT NULL);

CREATE TABLE scopes (
    scope INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    clock INTEGER NOT NULL,              -- recorded time of the last transaction
    facts INTEGER NOT NULL DEFAULT 0,    -- standing versions: the size that search weighs words by
    chunks INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE entities (
    scope INTEGER NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    normalised TEXT NOT NULL,
    PRIMARY KEY (scope, name)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entities_by_id ON entities (scope, id);
CREATE INDEX entities_by_normalised ON entities (scope, normalised);

CREATE TABLE predicates (
    scope INTEGER NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    cardinality TEXT NOT NULL,
    object_type TEXT,
    label TEXT NOT NULL,
    inverse_label TEXT,
    declared INTEGER NOT NULL,
    PRIMARY KEY (scope, name)
) WITHOUT ROWID;

-- One row a version. The clocks come first: a search looks at them alone for most rows.
CREATE TABLE facts (
    row_id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    superseded_at INTEGER NOT NULL,
    id TEXT NOT NULL,
    subject TEXT NOT NULL,
    predicate TEXT NOT NULL,
    object_type TEXT NOT NULL,
    object_text TEXT NOT NULL,
    statement TEXT NOT NULL,
    digest TEXT NOT NULL,
    cause TEXT NOT NULL,
    ended_by TEXT,
    absorbed_by TEXT,
    alias TEXT,
    terms TEXT NOT NULL
);
CREATE UNIQUE INDEX facts_by_id ON facts (scope, id, recorded_at);
CREATE INDEX facts_by_recorded ON facts (scope, recorded_at);
CREATE INDEX facts_by_alias ON facts (scope, alias) WHERE alias IS NOT NULL;
-- What stands and what has ended have indexes of their own, so that history does not slow the present.
CREATE INDEX facts_standing ON facts (scope, subject, predicate, valid_to) WHERE {STANDS};
CREATE INDEX facts_standing_by_object ON facts (scope, object_text, predicate, subject) WHERE {STANDS};
CREATE INDEX facts_ended ON facts (scope, subject, predicate, superseded_at) WHERE {ENDED};
CREATE INDEX facts_ended_by_object ON facts (scope, object_text, predicate, superseded_at) WHERE {ENDED};
CREATE INDEX facts_by_superseded ON facts (scope, superseded_at) WHERE {ENDED};

CREATE TABLE replacements (
    scope INTEGER NOT NULL,
    id TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    replaced_id TEXT NOT NULL,
    replaced_recorded_at INTEGER NOT NULL,
    PRIMARY KEY (scope, id, recorded_at, replaced_id, replaced_recorded_at)
) WITHOUT ROWID;
CREATE INDEX replacements_by_replaced ON replacements (scope, replaced_id);

CREATE TABLE links (
    scope INTEGER NOT NULL,
    fact_id TEXT NOT NULL,
    id TEXT NOT NULL,
    claim TEXT NOT NULL,
    episode_id TEXT,
    file_uri TEXT,
    file_digest TEXT,
    file_range TEXT,
    by TEXT,
    method TEXT NOT NULL,
    confidence REAL,
    spoke_from INTEGER NOT NULL,
    spoke_to INTEGER NOT NULL,
    covers_from INTEGER NOT NULL,
    covers_to INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    attached_at INTEGER NOT NULL,
    detached_at INTEGER NOT NULL,
    original_recorded_at INTEGER,
    PRIMARY KEY (scope, fact_id, id)
) WITHOUT ROWID;
CREATE INDEX links_by_episode ON links (scope, episode_id) WHERE episode_id IS NOT NULL;

CREATE TABLE episodes (
    row_id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT,
    speaker TEXT,
    session TEXT,
    position INTEGER,
    previous TEXT,
    original_recorded_at INTEGER
);
CREATE UNIQUE INDEX episodes_by_id ON episodes (scope, id);
CREATE INDEX episodes_by_recorded ON episodes (scope, recorded_at);
CREATE INDEX episodes_by_speaker ON episodes (scope, speaker, occurred_at) WHERE speaker IS NOT NULL;
CREATE INDEX episodes_by_session ON episodes (scope, session, position) WHERE session IS NOT NULL;

-- The clocks of the episode are repeated here: a search looks at them for every chunk.
CREATE TABLE chunks (
    row_id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    episode INTEGER NOT NULL,            -- episodes.row_id
    number INTEGER NOT NULL,
    first_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    digest TEXT NOT NULL,
    terms TEXT NOT NULL,
    context TEXT NOT NULL
);
CREATE UNIQUE INDEX chunks_by_episode ON chunks (episode, number);

CREATE TABLE tombstones (
    scope INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    erased_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    by TEXT,
    PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX tombstones_by_erased ON tombstones (scope, erased_at);

CREATE TABLE idempotency (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    arguments TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    episode_id TEXT,
    claim TEXT,
    fact_ids TEXT NOT NULL,              -- JSON lists
    superseded_ids TEXT NOT NULL,
    erased INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) WITHOUT ROWID;

-- Words, each spelled with its scope in front (see words.py): which rows hold it. The terms themselves are in the
-- tables above; ranking counts them there.
CREATE VIRTUAL TABLE words_standing USING fts5 (
    words, content='', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE words_ended USING fts5 (
    words, content='', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE words_said USING fts5 (
    words, content='', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");
"""

STATISTICS = """
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('entities', 'entities', '1000000 10000 1'),
    ('entities', 'entities_by_id', '1000000 10000 1'),
    ('entities', 'entities_by_normalised', '1000000 10000 2'),
    ('predicates', 'predicates', '10000 50 1'),
    ('facts', 'facts_by_id', '10000000 100000 2 1'),
    ('facts', 'facts_by_recorded', '10000000 100000 10'),
    ('facts', 'facts_by_alias', '100000 1000 1'),
    ('facts', 'facts_standing', '5000000 50000 10 2 1'),
    ('facts', 'facts_standing_by_object', '5000000 50000 10 5 1'),
    ('facts', 'facts_ended', '5000000 50000 20 10 1'),
    ('facts', 'facts_ended_by_object', '5000000 50000 20 10 1'),
    ('facts', 'facts_by_superseded', '5000000 50000 10'),
    ('replacements', 'replacements', '5000000 50000 2 2 1 1'),
    ('replacements', 'replacements_by_replaced', '5000000 50000 2'),
    ('links', 'links', '20000000 200000 2 1'),
    ('links', 'links_by_episode', '10000000 100000 3'),
    ('episodes', 'episodes_by_id', '2000000 20000 1'),
    ('episodes', 'episodes_by_recorded', '2000000 20000 2'),
    ('episodes', 'episodes_by_session', '2000000 20000 50 1'),
    ('chunks', 'chunks_by_episode', '3000000 2 1'),
    ('tombstones', 'tombstones', '100000 1000 1'),
    ('tombstones', 'tombstones_by_erased', '100000 1000 5'),
    ('idempotency', 'idempotency', '1000000 10000 1');
ANALYZE sqlite_schema;
"""
"""What SQLite plans by, from the first row on: how many rows an index has, then how many to one value of its first
column, of its first two, and so on. Without it a scope, which narrows little, counts as much as an id."""

CONTEXT_RECORDS = f"""
-- Immutable documents. Only superseded_at is ever set later; the body comes last, where a search does not read it.
CREATE TABLE context_records (
    row_id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    superseded_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    frame TEXT,                          -- the kind of frame it is served as
    id TEXT NOT NULL,
    lineage TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    statement TEXT,
    digest TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    frame_digest TEXT,
    sharing TEXT NOT NULL,
    subjects TEXT NOT NULL,              -- a JSON list of pairs
    retention TEXT,
    client TEXT NOT NULL,
    by TEXT,
    original_recorded_at INTEGER,
    terms TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE UNIQUE INDEX context_records_by_id ON context_records (scope, id);
CREATE UNIQUE INDEX context_records_by_lineage ON context_records (scope, lineage, recorded_at, position);
CREATE INDEX context_records_by_recorded ON context_records (scope, recorded_at, id);

ALTER TABLE scopes ADD COLUMN records INTEGER NOT NULL DEFAULT 0; -- standing ones that are served: the size of search
ALTER TABLE idempotency ADD COLUMN record_ids TEXT NOT NULL DEFAULT '[]'; -- a JSON list
ALTER TABLE idempotency ADD COLUMN expires_at INTEGER NOT NULL DEFAULT {OPEN};

CREATE VIRTUAL TABLE words_records USING fts5 (
    words, content='', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE words_records_ended USING fts5 (
    words, content='', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('context_records', 'context_records_by_id', '2000000 20000 1'),
    ('context_records', 'context_records_by_lineage', '2000000 20000 2 2 1'),
    ('context_records', 'context_records_by_recorded', '2000000 20000 2 1');
ANALYZE sqlite_schema;
"""

UNSCRUBBED = """
ALTER TABLE store ADD COLUMN unscrubbed INTEGER NOT NULL DEFAULT 0;
"""
"""How many erases the file was not rewritten after yet (`scrubbing`)."""

STEPS: tuple[tuple[str, str], ...] = (
    ("0001 tables", TABLES + STATISTICS),
    ("0002 context records", CONTEXT_RECORDS),
    ("0003 unscrubbed erases", UNSCRUBBED),
)
"""Name and text of each version's step, in order. A released step is never edited; a new one is appended."""


def refuse_foreign(connection: sqlite3.Connection, address: str) -> None:
    """Refuse a file of another program, before anything in it is changed."""
    # In this order, since another process may be making the tables: what is read later is as new or newer.
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION and (tables or version or application):
        raise StoreUnavailable(
            f"{address} is another program's database; name a file of its own for the memory"
        )


def applied(connection: sqlite3.Connection, address: str) -> list[str]:
    """The steps a file has had. Refuses a file of a newer release."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(STEPS):
        raise StoreTooNew(
            f"{address} has schema version {version}, and this release knows {len(STEPS)}: install a newer release"
        )
    return [name for name, _ in STEPS[:version]]


def migrate(connection: sqlite3.Connection, address: str) -> None:
    """Apply the steps a file lacks, all or none. Processes that try at the same time wait for each other."""
    if len(applied(connection, address)) == len(STEPS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = len(applied(connection, address))
        for _, text in STEPS[done:]:
            for statement in _statements(text):
                connection.execute(statement)
        if not done:
            connection.execute("INSERT INTO store (secret) VALUES (?)", (os.urandom(32),))
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(STEPS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(text: str) -> list[str]:
    """The statements of a script; `executescript` would commit between them."""
    statements, rest = [], ""
    for line in text.splitlines():
        rest += line + "\n"
        if sqlite3.complete_statement(rest):
            statements.append(rest.strip())
            rest = ""
    return [each for each in statements if each != ";"]
