// Mark what was done under a key as erased.
//   $scope              the scope's name
//   $claims, $episodes  ids of claims and episodes that are gone
CALL () {
  UNWIND $claims AS claim
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, claim)
  WHERE i.scope = $scope AND i.claim = claim
  SET i.erased = true
}
CALL () {
  UNWIND $episodes AS episode
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, episode_id)
  WHERE i.scope = $scope AND i.episode_id = episode
  SET i.erased = true
}
