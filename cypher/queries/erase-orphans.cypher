// Delete what an erase left without use: entities that nothing is about or by, and undeclared predicates without facts.
// Answers the ids of those entities.
//   $scope              the scope's name
//   $given.names        entities that lost something
//   $given.predicates   predicates that lost something
CALL () {
  UNWIND $given.predicates AS name
  MATCH (p:Predicate {scope: $scope, name: name})
  WHERE NOT p.declared AND NOT EXISTS {
    MATCH (f:Fact) USING INDEX f:Fact(scope, predicate, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.predicate = name AND f.superseded_at >= -4611686018427387904 AND f.valid_to IS NOT NULL
  }
  DELETE p
}
MATCH (e:Entity) USING INDEX e:Entity(scope, name)
WHERE e.scope = $scope AND e.name IN $given.names
  AND NOT EXISTS { (e)<-[:ABOUT|OBJECT]-(:Fact) }
  AND NOT EXISTS {
    MATCH (spoken:Episode) USING INDEX spoken:Episode(scope, speaker, occurred_at)
    WHERE spoken.scope = $scope AND spoken.speaker = e.name AND spoken.occurred_at IS NOT NULL
  }
WITH e, e.id AS id
DETACH DELETE e
RETURN id ORDER BY id
