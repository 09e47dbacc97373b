// What remains of something erased: no content and no digest.
//   $scope              the scope's name
//   $given.rows         [{id, kind, erased_at, reason, by}, …]
UNWIND $given.rows AS row
MERGE (t:Tombstone {scope: $scope, id: row.id})
SET t.kind = row.kind, t.erased_at = row.erased_at, t.reason = row.reason, t.by = row.by
