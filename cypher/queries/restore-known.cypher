// Which rows of a batch are there already.
//   $scope              the scope's name
//   $entities, $predicates, $episodes, $links, $tombstones, $idempotency, $records   names, ids and keys
//   $versions           [[id, recorded_at], …]
RETURN
  COLLECT { MATCH (n:Entity) USING INDEX n:Entity(scope, name)
            WHERE n.scope = $scope AND n.name IN $entities RETURN n.name } AS entities,
  COLLECT { MATCH (n:Predicate) USING INDEX n:Predicate(scope, name)
            WHERE n.scope = $scope AND n.name IN $predicates RETURN n.name } AS predicates,
  COLLECT { MATCH (n:Episode) USING INDEX n:Episode(scope, id)
            WHERE n.scope = $scope AND n.id IN $episodes RETURN n.id } AS episodes,
  COLLECT { UNWIND $versions AS version
            MATCH (n:Fact) USING INDEX n:Fact(scope, id, recorded_at)
            WHERE n.scope = $scope AND n.id = version[0] AND n.recorded_at = version[1]
            RETURN version } AS versions,
  COLLECT { MATCH (n:Source) USING INDEX n:Source(scope, id)
            WHERE n.scope = $scope AND n.id IN $links RETURN n.id } AS links,
  COLLECT { MATCH (n:Tombstone) USING INDEX n:Tombstone(scope, id)
            WHERE n.scope = $scope AND n.id IN $tombstones RETURN n.id } AS tombstones,
  COLLECT { MATCH (n:Idempotency) USING INDEX n:Idempotency(scope, key)
            WHERE n.scope = $scope AND n.key IN $idempotency RETURN n.key } AS idempotency,
  COLLECT { MATCH (n:ContextRecord) USING INDEX n:ContextRecord(scope, id)
            WHERE n.scope = $scope AND n.id IN $records RETURN n.id } AS records
