// Wait until no write is going on in a scope, and keep others from beginning one until this transaction ends.
//   $scope              the scope's name
MATCH (scope:Scope {name: $scope})
SET scope.lock = true
