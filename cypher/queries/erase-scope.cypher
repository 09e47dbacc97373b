// Delete up to $limit nodes of a scope; the scope itself when none is left. Answers how many went.
//   $scope              the scope's name
//   $limit
MATCH (scope:Scope {name: $scope})
SET scope.lock = true
WITH scope
CALL () {
  CALL () {
    MATCH (n:Source) USING INDEX n:Source(scope, id)
    WHERE n.scope = $scope AND n.id IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Chunk) USING INDEX n:Chunk(scope, episode_id, number)
    WHERE n.scope = $scope AND n.episode_id IS NOT NULL AND n.number IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Episode) USING INDEX n:Episode(scope, id)
    WHERE n.scope = $scope AND n.id IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Fact) USING INDEX n:Fact(scope, id, recorded_at)
    WHERE n.scope = $scope AND n.id IS NOT NULL AND n.recorded_at IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Entity) USING INDEX n:Entity(scope, name)
    WHERE n.scope = $scope AND n.name IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Predicate) USING INDEX n:Predicate(scope, name)
    WHERE n.scope = $scope AND n.name IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:ContextRecord) USING INDEX n:ContextRecord(scope, id)
    WHERE n.scope = $scope AND n.id IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Tombstone) USING INDEX n:Tombstone(scope, id)
    WHERE n.scope = $scope AND n.id IS NOT NULL RETURN n LIMIT $limit
   UNION ALL
    MATCH (n:Idempotency) USING INDEX n:Idempotency(scope, key)
    WHERE n.scope = $scope AND n.key IS NOT NULL RETURN n LIMIT $limit
  }
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS gone
}
CALL (scope, gone) {
  WITH scope, gone WHERE gone = 0
  DELETE scope
}
RETURN gone
