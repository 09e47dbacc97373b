// Every version ever recorded of one object, perhaps of one predicate only.
// Ordered by recorded_at, valid_from and id; $after is that of the last version of the page before.
// Each version comes with every link of its line attached before it ended.
//   $scope              the scope's name
//   $given.object_keys  the object as `type:text` (a text is also an entity's name: two of them)
//   $predicate          or null
//   $after, $limit      the page: null or the last version's sort key, and how many
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
CALL () {
  MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.object_key IN $given.object_keys AND f.superseded_at > -4611686018427387904
    AND ($predicate IS NULL OR f.predicate = $predicate)
    AND ($after IS NULL OR [f.recorded_at, f.valid_from, f.id] > $after) AND f.valid_to IS NOT NULL
  WITH f ORDER BY f.recorded_at, f.valid_from, f.id LIMIT $limit
  RETURN collect([
    [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
     f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by],
    COLLECT {
      MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
      WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at > -4611686018427387904
        AND s.attached_at < f.superseded_at
      RETURN [s.id, s.claim, s.fact_id, s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by,
              s.method, s.confidence, s.spoke_from, s.spoke_to, s.covers_from, s.covers_to,
              s.recorded_at, s.attached_at, s.detached_at, s.original_recorded_at]
    }
  ]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, found
