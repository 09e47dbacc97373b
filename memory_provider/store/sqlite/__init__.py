"""The store in one SQLite file (or in memory): WAL, one writer at a time, full-text search by FTS5."""
