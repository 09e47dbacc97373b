// What ids say that someone holds: facts, chunks of episodes, entities with their relations, lineages of context
// records, and tombstones.
// A fact answers the last version recorded by $given.known_at, which is the standing one if any stands; so does the line that
// absorbed it.
// What stands between `records: begin` and `records: end` is left out where none is asked for.
//   $scope              the scope's name
//   $given.as_of, $given.known_at  the two instants in microseconds since 1970, or null
//   $now                the wall clock, used when $given.as_of is null
//   $given.facts, $given.episodes, $given.entities, $given.lineages   lists of ids
//   $given.stones       ids that tombstones of lineages have
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
WITH clock, coalesce($given.known_at, clock) AS known_at,
     coalesce($given.as_of, CASE WHEN $now > clock THEN $now ELSE clock END) AS as_of
CALL (known_at) {
  UNWIND $given.facts AS id
  CALL (id, known_at) {
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = $scope AND f.id = id AND f.recorded_at <= known_at
    RETURN f ORDER BY f.scope DESC, f.id DESC, f.recorded_at DESC LIMIT 1
  }
  RETURN collect(f) AS own
}
CALL (known_at, own) {
  UNWIND own AS f
  WITH DISTINCT known_at, f.absorbed_by AS id WHERE id IS NOT NULL
  CALL (id, known_at) {
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = $scope AND f.id = id AND f.recorded_at <= known_at
    RETURN f ORDER BY f.scope DESC, f.id DESC, f.recorded_at DESC LIMIT 1
  }
  RETURN collect(f) AS absorbing
}
CALL (own, absorbing) {
  UNWIND own + absorbing AS f
  RETURN collect([f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
                  f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by]) AS facts
}
CALL (known_at) {
  UNWIND $given.episodes AS id
  MATCH (c:Chunk) USING INDEX c:Chunk(scope, episode_id, number)
  WHERE c.scope = $scope AND c.episode_id = id AND c.number >= 0 AND c.recorded_at <= known_at
  RETURN collect([c.episode_id, c.number, c.digest]) AS chunks
}
CALL (known_at) {
  UNWIND $given.entities AS id
  MATCH (e:Entity {scope: $scope, id: id})
  RETURN collect([e.id, e.name, COLLECT {
    CALL (e, known_at) {
      MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
      WHERE f.scope = $scope AND f.subject = e.name AND f.superseded_at > known_at
        AND f.recorded_at <= known_at AND f.object_type = 'entity' AND f.valid_to IS NOT NULL
      RETURN f
     UNION
      MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
      WHERE f.scope = $scope AND f.object_key = 'entity:' + e.name AND f.superseded_at > known_at
        AND f.recorded_at <= known_at AND f.valid_to IS NOT NULL
      RETURN f
    }
    RETURN [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
            f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by]
  }]) AS entities
}
CALL () {
  MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
  WHERE p.scope = $scope AND p.name IS NOT NULL AND size($given.entities) > 0
  RETURN collect([p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared]) AS predicates
}
// records: begin
CALL (known_at) {
  UNWIND $given.lineages AS lineage
  CALL (lineage, known_at) {
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, lineage, recorded_at, position)
    WHERE r.scope = $scope AND r.lineage = lineage AND r.recorded_at <= known_at AND r.position IS NOT NULL
    RETURN r ORDER BY r.scope DESC, r.lineage DESC, r.recorded_at DESC, r.position DESC LIMIT 1
  }
  RETURN collect([r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from,
                 r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
                 r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at]) AS records
}
// records: end
CALL () {
  UNWIND $given.facts + $given.episodes + $given.entities + $given.stones AS id
  MATCH (t:Tombstone {scope: $scope, id: id})
  RETURN collect([t.id, t.kind, t.erased_at, t.reason, t.by]) AS tombstones
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, as_of, known_at,
       facts, chunks, entities, predicates, tombstones
// records: begin
       , records
// records: end
