// All facts in view.
// Ordered by subject, predicate, valid_from, object and id; $after is that of the last fact of the page before.
// Answers the instants used, and for each fact its row and the source links known then whose window overlaps it.
//   $scope              the scope's name
//   $given.as_of, $given.known_at  the two instants in microseconds since 1970, or null
//   $now                the wall clock, used when $given.as_of is null
//   $after, $limit      the page: null or the last fact's sort key, and how many
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
WITH clock, coalesce($given.known_at, clock) AS known_at,
     coalesce($given.as_of, CASE WHEN $now > clock THEN $now ELSE clock END) AS as_of
CALL (known_at, as_of) {
  MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.subject >= coalesce($after[0], '') AND f.superseded_at > known_at
    AND f.recorded_at <= known_at AND f.valid_from <= as_of AND f.valid_to > as_of
    AND ($after IS NULL OR [f.subject, f.predicate, f.valid_from, f.object_type, f.object_text, f.id] > $after)
  WITH f ORDER BY f.scope, f.subject, f.predicate, f.valid_from, f.object_type, f.object_text, f.id LIMIT $limit
  RETURN collect([
    [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
     f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by],
    COLLECT {
      MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
      WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at > known_at AND s.attached_at <= known_at
        AND s.covers_from < f.valid_to AND s.covers_to > f.valid_from
      RETURN [s.id, s.claim, s.fact_id, s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by,
              s.method, s.confidence, s.spoke_from, s.spoke_to, s.covers_from, s.covers_to,
              s.recorded_at, s.attached_at, s.detached_at, s.original_recorded_at]
    }
  ]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, as_of, known_at, found
