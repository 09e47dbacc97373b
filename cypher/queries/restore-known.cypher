// Which rows of a batch are there already.
//   $scope              the scope's name
//   $given.entities, $given.predicates, $given.episodes, $given.links, $given.tombstones, $given.idempotency,
//   $given.records      names, ids and keys
//   $given.versions     [[id, recorded_at], …]
RETURN
  COLLECT { MATCH (n:Entity) USING INDEX n:Entity(scope, name)
            WHERE n.scope = $scope AND n.name IN $given.entities RETURN n.name } AS entities,
  COLLECT { MATCH (n:Predicate) USING INDEX n:Predicate(scope, name)
            WHERE n.scope = $scope AND n.name IN $given.predicates RETURN n.name } AS predicates,
  COLLECT { MATCH (n:Episode) USING INDEX n:Episode(scope, id)
            WHERE n.scope = $scope AND n.id IN $given.episodes RETURN n.id } AS episodes,
  COLLECT { UNWIND $given.versions AS version
            MATCH (n:Fact) USING INDEX n:Fact(scope, id, recorded_at)
            WHERE n.scope = $scope AND n.id = version[0] AND n.recorded_at = version[1]
            RETURN version } AS versions,
  COLLECT { MATCH (n:Source) USING INDEX n:Source(scope, id)
            WHERE n.scope = $scope AND n.id IN $given.links RETURN n.id } AS links,
  COLLECT { MATCH (n:Tombstone) USING INDEX n:Tombstone(scope, id)
            WHERE n.scope = $scope AND n.id IN $given.tombstones RETURN n.id } AS tombstones,
  COLLECT { MATCH (n:Idempotency) USING INDEX n:Idempotency(scope, key)
            WHERE n.scope = $scope AND n.key IN $given.idempotency RETURN n.key } AS idempotency,
  COLLECT { MATCH (n:ContextRecord) USING INDEX n:ContextRecord(scope, id)
            WHERE n.scope = $scope AND n.id IN $given.records RETURN n.id } AS records
