// Where entities are.
//   $scope              the scope's name
//   $names
MATCH (e:Entity) USING INDEX e:Entity(scope, name)
WHERE e.scope = $scope AND e.name IN $names
RETURN e.name AS name, elementId(e) AS node
