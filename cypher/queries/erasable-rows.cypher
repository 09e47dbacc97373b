// Everything kept about the lines that an erase touches: the matched ones, and those that the episodes back.
//   $scope              the scope's name
//   $given.ids          ids of the matched lines
//   $given.episodes     ids of the episodes that go
CALL () {
  UNWIND $given.ids AS id RETURN id
 UNION
  UNWIND $given.episodes AS episode
  MATCH (s:Source) USING INDEX s:Source(scope, episode_id)
  WHERE s.scope = $scope AND s.episode_id = episode
  RETURN s.fact_id AS id
}
RETURN id,
  COLLECT {
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = $scope AND f.id = id AND f.recorded_at >= -4611686018427387904
    RETURN [f.terms,
            [f.id, f.subject, f.predicate, f.object_type, f.object_text, f.valid_from, f.valid_to,
             f.recorded_at, f.superseded_at, f.statement, f.digest, f.cause, f.ended_by, f.absorbed_by]]
    ORDER BY f.recorded_at
  } AS versions,
  COLLECT {
    MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
    WHERE s.scope = $scope AND s.fact_id = id AND s.detached_at >= -4611686018427387904
    RETURN [s.id, s.claim, s.fact_id, s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by,
            s.method, s.confidence, s.spoke_from, s.spoke_to, s.covers_from, s.covers_to,
            s.recorded_at, s.attached_at, s.detached_at, s.original_recorded_at]
  } AS sources
ORDER BY id
