// What remains of erased ids.
//   $scope              the scope's name
//   $given.ids
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
CALL () {
  UNWIND $given.ids AS id
  MATCH (t:Tombstone {scope: $scope, id: id})
  RETURN collect([t.id, t.kind, t.erased_at, t.reason, t.by]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, found
