// Where entities are.
//   $scope              the scope's name
//   $given.names
MATCH (e:Entity) USING INDEX e:Entity(scope, name)
WHERE e.scope = $scope AND e.name IN $given.names
RETURN e.name AS name, elementId(e) AS node
