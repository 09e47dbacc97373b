// Delete entities.
//   $scope              the scope's name
//   $names
UNWIND $names AS name
MATCH (e:Entity {scope: $scope, name: name})
DETACH DELETE e
