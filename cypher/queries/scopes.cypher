// Every scope and how much it holds.
//   $scope              null, or one scope's name
MATCH (scope:Scope) WHERE $scope IS NULL OR scope.name = $scope
RETURN scope.name AS name, scope.clock AS clock,
  COUNT { MATCH (f:Fact) USING INDEX f:Fact(scope, predicate, superseded_at, valid_to)
          WHERE f.scope = scope.name AND f.predicate IS NOT NULL AND f.superseded_at IS NOT NULL
            AND f.superseded_at = 4611686018427387904 AND f.valid_to IS NOT NULL } AS facts,
  COUNT { MATCH (f:Fact) USING INDEX f:Fact(scope, recorded_at)
          WHERE f.scope = scope.name AND f.recorded_at IS NOT NULL } AS versions,
  COUNT { MATCH (e:Episode) USING INDEX e:Episode(scope, id)
          WHERE e.scope = scope.name AND e.id IS NOT NULL } AS episodes,
  COUNT { MATCH (e:Entity) USING INDEX e:Entity(scope, name)
          WHERE e.scope = scope.name AND e.name IS NOT NULL } AS entities,
  COUNT { MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
          WHERE r.scope = scope.name AND r.recorded_at IS NOT NULL } AS records
ORDER BY name
