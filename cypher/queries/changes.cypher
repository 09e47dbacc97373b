// What happened with $from <= at <= $until: 0 erased, 1 episode recorded, 2 version superseded, 3 version recorded,
// 4 context record recorded.
// Ordered by at, kind and id; $after is that of the last row of the page before.
//   $scope              the scope's name
//   $from, $until       recorded instants, both included; $until before the open end
//   $after, $limit      the page: null or [at, kind, id], and how many
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
CALL () {
  CALL () {
    MATCH (t:Tombstone) USING INDEX t:Tombstone(scope, erased_at)
    WHERE t.scope = $scope AND t.erased_at >= $from AND t.erased_at <= $until
      AND ($after IS NULL OR [t.erased_at, 0, t.id] > $after)
    WITH t ORDER BY t.scope, t.erased_at, t.id LIMIT $limit
    RETURN t.erased_at AS at, 0 AS kind, t.id AS id, t AS node
   UNION ALL
    MATCH (e:Episode) USING INDEX e:Episode(scope, recorded_at)
    WHERE e.scope = $scope AND e.recorded_at >= $from AND e.recorded_at <= $until
      AND ($after IS NULL OR [e.recorded_at, 1, e.id] > $after)
    WITH e ORDER BY e.scope, e.recorded_at, e.id LIMIT $limit
    RETURN e.recorded_at AS at, 1 AS kind, e.id AS id, e AS node
   UNION ALL
    MATCH (f:SupersededFact) USING INDEX f:SupersededFact(scope, superseded_at)
    WHERE f.scope = $scope AND f.superseded_at >= $from AND f.superseded_at <= $until
      AND ($after IS NULL OR [f.superseded_at, 2, f.id] > $after)
    WITH f ORDER BY f.scope, f.superseded_at, f.id LIMIT $limit
    RETURN f.superseded_at AS at, 2 AS kind, f.id AS id, f AS node
   UNION ALL
    MATCH (f:Fact) USING INDEX f:Fact(scope, recorded_at)
    WHERE f.scope = $scope AND f.recorded_at >= $from AND f.recorded_at <= $until
      AND ($after IS NULL OR [f.recorded_at, 3, f.id] > $after)
    WITH f ORDER BY f.scope, f.recorded_at, f.id LIMIT $limit
    RETURN f.recorded_at AS at, 3 AS kind, f.id AS id, f AS node
   UNION ALL
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
    WHERE r.scope = $scope AND r.recorded_at >= $from AND r.recorded_at <= $until
      AND ($after IS NULL OR [r.recorded_at, 4, r.id] > $after)
    WITH r ORDER BY r.scope, r.recorded_at, r.id LIMIT $limit
    RETURN r.recorded_at AS at, 4 AS kind, r.id AS id, r AS node
  }
  WITH at, kind, id, node AS n ORDER BY at, kind, id LIMIT $limit
  RETURN collect([at, kind, CASE kind
    WHEN 0 THEN [n.id, n.kind, n.erased_at, n.reason, n.by]
    WHEN 1 THEN [n.id, n.text, n.occurred_at, n.recorded_at, n.source, n.speaker, n.session, n.position,
                 n.previous, n.original_recorded_at,
                 COLLECT { MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
                           RETURN [c.number, c.start, c.end, c.digest, '', ''] ORDER BY c.number }]
    WHEN 4 THEN [n.id, n.lineage, n.kind, n.status, n.statement, '', n.digest, n.observed_at, n.valid_from,
                n.valid_to, n.recorded_at, n.superseded_at, n.expires_at, n.position, n.frame, n.frame_digest,
                n.sharing, n.subjects, n.retention, n.client, n.by, n.original_recorded_at]
    ELSE [n.id, n.subject, n.predicate, n.object_type, n.object_text, n.valid_from, n.valid_to,
          n.recorded_at, n.superseded_at, n.statement, n.digest, n.cause, n.ended_by, n.absorbed_by]
  END]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, found
