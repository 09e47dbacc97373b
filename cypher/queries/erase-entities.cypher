// Delete entities.
//   $scope              the scope's name
//   $given.names
UNWIND $given.names AS name
MATCH (e:Entity {scope: $scope, name: name})
DETACH DELETE e
