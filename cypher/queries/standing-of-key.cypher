// All versions of a subject and predicate known at an instant, whenever valid.
//   $scope              the scope's name
//   $given.as_of, $given.known_at  the two instants in microseconds since 1970, or null
//   $now                the wall clock, used when $given.as_of is null
//   $subject, $predicate
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
WITH clock, coalesce($given.known_at, clock) AS known_at,
     coalesce($given.as_of, CASE WHEN $now > clock THEN $now ELSE clock END) AS as_of
CALL (known_at) {
  MATCH (f:Fact) USING INDEX f:Fact(scope, subject, predicate, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.subject = $subject AND f.predicate = $predicate
    AND f.superseded_at > known_at AND f.recorded_at <= known_at AND f.valid_to IS NOT NULL
  WITH f ORDER BY f.valid_from, f.object_type, f.object_text, f.id
  RETURN collect([f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
                  f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, as_of, known_at, found
