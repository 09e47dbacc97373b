// What remains of erased ids.
//   $scope              the scope's name
//   $ids
UNWIND $ids AS id
MATCH (t:Tombstone {scope: $scope, id: id})
RETURN [t.id, t.kind, t.erased_at, t.reason, t.by] AS tombstone
