// Mark what was done under a key as erased.
//   $scope              the scope's name
//   $given.claims, $given.episodes  ids of claims and episodes that are gone
CALL () {
  UNWIND $given.claims AS claim
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, claim)
  WHERE i.scope = $scope AND i.claim = claim
  SET i.erased = true
}
CALL () {
  UNWIND $given.episodes AS episode
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, episode_id)
  WHERE i.scope = $scope AND i.episode_id = episode
  SET i.erased = true
}
