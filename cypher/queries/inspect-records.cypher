// Context records that hold at no instant, stand beside another of their lineage, or are in the wrong index; and what
// was done under a key for one that is not there.
//   $scope              the scope's name
//   $limit              how many findings of each kind at the most
CALL () {
  MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
  WHERE r.scope = $scope AND r.recorded_at IS NOT NULL
  WITH r, [
    CASE WHEN r.valid_from >= r.valid_to THEN 'context record with an inverted window' END,
    CASE WHEN r.recorded_at > r.superseded_at THEN 'context record with inverted recorded time' END,
    CASE WHEN r:StandingRecord <> (r.frame IS NOT NULL AND r.superseded_at = 4611686018427387904)
           OR r:SupersededRecord <> (r.frame IS NOT NULL AND r.superseded_at <> 4611686018427387904)
         THEN 'context record in the wrong full-text index' END
  ] AS checks
  UNWIND checks AS check
  WITH r, check WHERE check IS NOT NULL
  RETURN check, r.id AS what LIMIT $limit
 UNION ALL
  MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, lineage, recorded_at, position)
  WHERE r.scope = $scope AND r.lineage IS NOT NULL AND r.recorded_at IS NOT NULL AND r.position IS NOT NULL
  WITH r ORDER BY r.lineage, r.recorded_at, r.position
  WITH r.lineage AS lineage, collect([r.recorded_at, r.superseded_at]) AS spans WHERE size(spans) > 1
    AND any(i IN range(1, size(spans) - 1) WHERE spans[i - 1][1] > spans[i][0])
  RETURN 'context records believed at once' AS check, lineage AS what LIMIT $limit
 UNION ALL
  MATCH (scope:Scope {name: $scope})
  WHERE scope.records IS NULL AND EXISTS {
    MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
    WHERE r.scope = $scope AND r.recorded_at IS NOT NULL }
  RETURN 'scope that does not know of its context records' AS check, 'a recall does not look for them' AS what
 UNION ALL
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, key)
  WHERE i.scope = $scope AND i.key IS NOT NULL AND NOT i.erased AND i.record_ids IS NOT NULL
  UNWIND i.record_ids AS id
  WITH id WHERE NOT EXISTS { MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, id)
                             WHERE r.scope = $scope AND r.id = id }
  RETURN 'idempotency record of a context record that is not there' AS check, id AS what LIMIT $limit
}
RETURN check, what
