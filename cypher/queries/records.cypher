// Context records recorded by $given.known_at, by id and of lineages, oldest first.
//   $scope              the scope's name
//   $given.as_of, $given.known_at  the two instants in microseconds since 1970, or null
//   $now                the wall clock, used when $given.as_of is null
//   $given.ids, $given.lineages
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
WITH clock, coalesce($given.known_at, clock) AS known_at,
     coalesce($given.as_of, CASE WHEN $now > clock THEN $now ELSE clock END) AS as_of
CALL (known_at) {
  CALL (known_at) {
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, id)
    WHERE r.scope = $scope AND r.id IN $given.ids AND r.recorded_at <= known_at
    RETURN r
   UNION
    UNWIND $given.lineages AS lineage
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, lineage, recorded_at, position)
    WHERE r.scope = $scope AND r.lineage = lineage AND r.recorded_at <= known_at AND r.position IS NOT NULL
    RETURN r
  }
  WITH r ORDER BY r.recorded_at, r.position
  RETURN collect([r.id, r.lineage, r.kind, r.status, r.statement, r.body, r.digest, r.observed_at, r.valid_from,
                  r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
                  r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, as_of, known_at, found
