// Whether a scope holds anything at all.
//   $scope              the scope's name
RETURN EXISTS { MATCH (n:Entity) USING INDEX n:Entity(scope, name) WHERE n.scope = $scope AND n.name IS NOT NULL }
    OR EXISTS { MATCH (n:Predicate) USING INDEX n:Predicate(scope, name) WHERE n.scope = $scope AND n.name IS NOT NULL }
    OR EXISTS { MATCH (n:Fact) USING INDEX n:Fact(scope, recorded_at)
                WHERE n.scope = $scope AND n.recorded_at IS NOT NULL }
    OR EXISTS { MATCH (n:Source) USING INDEX n:Source(scope, id) WHERE n.scope = $scope AND n.id IS NOT NULL }
    OR EXISTS { MATCH (n:Episode) USING INDEX n:Episode(scope, id) WHERE n.scope = $scope AND n.id IS NOT NULL }
    OR EXISTS { MATCH (n:Tombstone) USING INDEX n:Tombstone(scope, id) WHERE n.scope = $scope AND n.id IS NOT NULL }
    OR EXISTS { MATCH (n:ContextRecord) USING INDEX n:ContextRecord(scope, id)
                WHERE n.scope = $scope AND n.id IS NOT NULL }
    OR EXISTS { MATCH (n:Idempotency) USING INDEX n:Idempotency(scope, key)
                WHERE n.scope = $scope AND n.key IS NOT NULL } AS held
