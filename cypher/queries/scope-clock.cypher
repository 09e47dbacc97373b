// Move a scope's clock: the last statement of a transaction that writes.
//   $scope              the scope's name
//   $clock              the recorded time of the transaction
MATCH (scope:Scope {name: $scope})
SET scope.clock = $clock
