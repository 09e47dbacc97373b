// Take the scope's lock, and read what a plan needs. The lock is the scope node's write lock, held until commit;
// setting a property takes it, also to the value it has. Every look-up goes through the locked node, so comes after.
// What stands between `records: begin` and `records: end` is left out where none is asked for.
//   $scope              the scope's name
//   $given.keys         [[subject, predicate], …] whose standing versions are wanted
//   $given.objects      [[subject, predicate, object as `type:text`], …]: of these keys only this object's
//   $given.standing_of  predicates all of whose standing versions are wanted
//   $given.predicates, $given.entities, $given.episodes, $given.sessions   names and ids to look up
//   $given.idempotency  hashed idempotency keys
//   $given.records, $given.lineages   ids and lineages of context records
//   $given.stones       ids that tombstones may have
MERGE (scope:Scope {name: $scope})
ON CREATE SET scope.clock = -4611686018427387904
SET scope.lock = true
WITH scope
CALL (scope) {
  CALL (scope) {
    UNWIND $given.keys AS key
    MATCH (f:Fact) USING INDEX f:Fact(scope, subject, predicate, superseded_at, valid_to)
    WHERE f.scope = scope.name AND f.subject = key[0] AND f.predicate = key[1]
      AND f.superseded_at = 4611686018427387904 AND f.valid_to IS NOT NULL
    RETURN f
   UNION
    UNWIND $given.objects AS key
    MATCH (f:Fact) USING INDEX f:Fact(scope, subject, predicate, superseded_at, valid_to)
    WHERE f.scope = scope.name AND f.subject = key[0] AND f.predicate = key[1] AND f.object_key = key[2]
      AND f.superseded_at = 4611686018427387904 AND f.valid_to IS NOT NULL
    RETURN f
   UNION
    UNWIND $given.standing_of AS predicate
    MATCH (f:Fact) USING INDEX f:Fact(scope, predicate, superseded_at, valid_to)
    WHERE f.scope = scope.name AND f.predicate = predicate
      AND f.superseded_at = 4611686018427387904 AND f.valid_to IS NOT NULL
    RETURN f
  }
  RETURN collect([
    [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
     f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by],
    COLLECT {
      MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
      WHERE s.scope = scope.name AND s.fact_id = f.id AND s.detached_at = 4611686018427387904
      RETURN [s.id, s.claim, s.fact_id, s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by,
              s.method, s.confidence, s.spoke_from, s.spoke_to, s.covers_from, s.covers_to,
              s.recorded_at, s.attached_at, s.detached_at, s.original_recorded_at]
    }
  ]) AS standing
}
CALL (scope) {
  MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
  WHERE p.scope = scope.name AND p.name IN $given.predicates
  RETURN collect([p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared]) AS predicates
}
CALL (scope) {
  MATCH (e:Entity) USING INDEX e:Entity(scope, name)
  WHERE e.scope = scope.name AND e.name IN $given.entities
  RETURN collect([e.id, e.name, elementId(e)]) AS entities
}
CALL (scope) {
  MATCH (e:Episode) USING INDEX e:Episode(scope, id)
  WHERE e.scope = scope.name AND e.id IN $given.episodes
  RETURN collect([e.id, e.occurred_at]) AS episodes
}
CALL (scope) {
  UNWIND $given.sessions AS session
  CALL (scope, session) {
    MATCH (e:Episode) USING INDEX e:Episode(scope, session, position)
    WHERE e.scope = scope.name AND e.session = session AND e.position >= 0
    RETURN e ORDER BY e.scope DESC, e.session DESC, e.position DESC LIMIT 1
  }
  RETURN collect([session, e.id, e.position,
    COLLECT { MATCH (e)-[:HAS_CHUNK]->(c:Chunk) RETURN c.terms ORDER BY c.number }]) AS sessions
}
CALL (scope) {
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, key)
  WHERE i.scope = scope.name AND i.key IN $given.idempotency
  RETURN collect([i.key, i.arguments, i.recorded_at, i.episode_id, i.claim, i.fact_ids, i.superseded_ids, i.erased,
                  i.record_ids, i.expires_at]) AS idempotency
}
// records: begin
CALL (scope) {
  MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, id)
  WHERE r.scope = scope.name AND r.id IN $given.records
  RETURN collect([r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from,
                 r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
                 r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at]) AS records
}
CALL (scope) {
  UNWIND $given.lineages AS lineage
  CALL (scope, lineage) {
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, lineage, recorded_at, position)
    WHERE r.scope = scope.name AND r.lineage = lineage AND r.recorded_at IS NOT NULL AND r.position IS NOT NULL
    RETURN r ORDER BY r.scope DESC, r.lineage DESC, r.recorded_at DESC, r.position DESC LIMIT 1
  }
  RETURN collect([r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from,
                 r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
                 r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at]) AS lineages
}
CALL (scope) {
  MATCH (t:Tombstone) USING INDEX t:Tombstone(scope, id)
  WHERE t.scope = scope.name AND t.id IN $given.stones
  RETURN collect(t.id) AS stones
}
// records: end
RETURN scope.clock AS clock, standing, predicates, entities, episodes, sessions, idempotency
// records: begin
       , records, lineages, stones
// records: end
