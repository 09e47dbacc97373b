// The clock of a scope: a dump holds what was recorded by then.
//   $scope              the scope's name
MATCH (scope:Scope {name: $scope})
RETURN scope.clock AS clock
