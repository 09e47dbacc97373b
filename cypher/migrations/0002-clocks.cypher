// What: range indexes that end in clocks.
// Why: what stands is found by `superseded_at = open and valid_to > as_of`, so that neither a thousand superseded
//      versions of a key nor a thousand windows that closed slow a question about the present. What stood in the past
//      is found by `superseded_at > known_at`.
// servers: >=5.26

CREATE RANGE INDEX memory_fact_key IF NOT EXISTS
FOR (f:Fact) ON (f.scope, f.subject, f.predicate, f.superseded_at, f.valid_to);

CREATE RANGE INDEX memory_fact_subject IF NOT EXISTS
FOR (f:Fact) ON (f.scope, f.subject, f.superseded_at, f.valid_to);

CREATE RANGE INDEX memory_fact_predicate IF NOT EXISTS
FOR (f:Fact) ON (f.scope, f.predicate, f.superseded_at, f.valid_to);

CREATE RANGE INDEX memory_fact_object IF NOT EXISTS
FOR (f:Fact) ON (f.scope, f.object_key, f.superseded_at, f.valid_to);

CREATE RANGE INDEX memory_fact_alias IF NOT EXISTS
FOR (f:Fact) ON (f.scope, f.alias, f.superseded_at, f.valid_to);

CREATE RANGE INDEX memory_fact_recorded IF NOT EXISTS
FOR (f:Fact) ON (f.scope, f.recorded_at);

CREATE RANGE INDEX memory_fact_superseded IF NOT EXISTS
FOR (f:SupersededFact) ON (f.scope, f.superseded_at);

CREATE RANGE INDEX memory_source_fact IF NOT EXISTS
FOR (s:Source) ON (s.scope, s.fact_id, s.detached_at);

CREATE RANGE INDEX memory_source_episode IF NOT EXISTS
FOR (s:Source) ON (s.scope, s.episode_id);

CREATE RANGE INDEX memory_episode_recorded IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.recorded_at);

CREATE RANGE INDEX memory_episode_session IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.session, e.position);

CREATE RANGE INDEX memory_episode_speaker IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.speaker, e.occurred_at);

CREATE RANGE INDEX memory_episode_previous IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.previous);

CREATE RANGE INDEX memory_entity_norm IF NOT EXISTS
FOR (e:Entity) ON (e.scope, e.name_norm);

CREATE RANGE INDEX memory_tombstone_erased IF NOT EXISTS
FOR (t:Tombstone) ON (t.scope, t.erased_at);

CREATE RANGE INDEX memory_idempotency_claim IF NOT EXISTS
FOR (i:Idempotency) ON (i.scope, i.claim);

CREATE RANGE INDEX memory_idempotency_episode IF NOT EXISTS
FOR (i:Idempotency) ON (i.scope, i.episode_id);
