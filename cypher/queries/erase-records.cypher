// Delete context records. What was done under a key for one of them can no longer be compared.
//   $scope              the scope's name
//   $given.ids
CALL () {
  UNWIND $given.ids AS id
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, key)
  WHERE i.scope = $scope AND i.key IS NOT NULL AND id IN i.record_ids
  SET i.erased = true, i.arguments = ''
}
UNWIND $given.ids AS id
MATCH (r:ContextRecord {scope: $scope, id: id})
DETACH DELETE r
