// What: one node per name in a scope, and per id in a scope.
// Why: the scope node is the lock every write takes first, so there must never be two; the other constraints make
//      the look-ups of a write exact, and refuse a row that is already there.
// servers: >=5.26
// Every statement is idempotent: two processes may run this file at the same time.

CREATE CONSTRAINT memory_scope_name IF NOT EXISTS
FOR (s:Scope) REQUIRE s.name IS UNIQUE;

CREATE CONSTRAINT memory_entity_name IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.scope, e.name) IS UNIQUE;

CREATE CONSTRAINT memory_entity_id IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.scope, e.id) IS UNIQUE;

CREATE CONSTRAINT memory_predicate_name IF NOT EXISTS
FOR (p:Predicate) REQUIRE (p.scope, p.name) IS UNIQUE;

CREATE CONSTRAINT memory_fact_version IF NOT EXISTS
FOR (f:Fact) REQUIRE (f.scope, f.id, f.recorded_at) IS UNIQUE;

CREATE CONSTRAINT memory_source_id IF NOT EXISTS
FOR (s:Source) REQUIRE (s.scope, s.id) IS UNIQUE;

CREATE CONSTRAINT memory_episode_id IF NOT EXISTS
FOR (e:Episode) REQUIRE (e.scope, e.id) IS UNIQUE;

CREATE CONSTRAINT memory_chunk_number IF NOT EXISTS
FOR (c:Chunk) REQUIRE (c.scope, c.episode_id, c.number) IS UNIQUE;

CREATE CONSTRAINT memory_tombstone_id IF NOT EXISTS
FOR (t:Tombstone) REQUIRE (t.scope, t.id) IS UNIQUE;

CREATE CONSTRAINT memory_idempotency_key IF NOT EXISTS
FOR (i:Idempotency) REQUIRE (i.scope, i.key) IS UNIQUE;

CREATE CONSTRAINT memory_secret_name IF NOT EXISTS
FOR (s:MemorySecret) REQUIRE s.name IS UNIQUE;
