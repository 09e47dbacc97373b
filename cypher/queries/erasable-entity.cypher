// An entity, and every name it was ever known by.
//   $scope              the scope's name
//   $entity             its name
MATCH (e:Entity {scope: $scope, name: $entity})
RETURN [e.id, e.name] AS entity,
  COLLECT {
    MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
    WHERE f.scope = $scope AND f.subject = $entity
      AND f.superseded_at >= -4611686018427387904 AND f.alias IS NOT NULL AND f.valid_to IS NOT NULL
    RETURN DISTINCT f.alias
  } AS aliases
