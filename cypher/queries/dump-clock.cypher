// The clock of a scope: a dump holds what was recorded by then. No row for a scope that is not there.
//   $scope              the scope's name
MATCH (scope:Scope {name: $scope})
RETURN scope.clock AS clock, scope.clock AS clock_after
