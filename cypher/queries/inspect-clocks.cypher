// Rows that were recorded after the scope's clock.
//   $scope              the scope's name
//   $limit              how many findings of each kind at the most
MATCH (scope:Scope {name: $scope})
CALL (scope) {
  MATCH (f:Fact) USING INDEX f:Fact(scope, recorded_at)
  WHERE f.scope = $scope AND f.recorded_at > scope.clock
  RETURN f.id + ' recorded at ' + f.recorded_at AS what LIMIT $limit
 UNION
  MATCH (f:SupersededFact) USING INDEX f:SupersededFact(scope, superseded_at)
  WHERE f.scope = $scope AND f.superseded_at > scope.clock
  RETURN f.id + ' recorded at ' + f.recorded_at AS what LIMIT $limit
 UNION
  MATCH (e:Episode) USING INDEX e:Episode(scope, recorded_at)
  WHERE e.scope = $scope AND e.recorded_at > scope.clock
  RETURN e.id + ' recorded at ' + e.recorded_at AS what LIMIT $limit
 UNION
  MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
  WHERE r.scope = $scope AND r.recorded_at > scope.clock
  RETURN r.id + ' recorded at ' + r.recorded_at AS what LIMIT $limit
 UNION
  MATCH (t:Tombstone) USING INDEX t:Tombstone(scope, erased_at)
  WHERE t.scope = $scope AND t.erased_at > scope.clock
  RETURN t.id + ' erased at ' + t.erased_at AS what LIMIT $limit
}
RETURN 'recorded after the clock' AS check, what
