// Remember operations done under a key, as keyed hashes.
//   $scope              the scope's name
//   $given.rows         [{key, arguments, recorded_at, episode_id, claim, fact_ids, superseded_ids, erased,
//                       record_ids, expires_at}, …]
UNWIND $given.rows AS row
CREATE (:Idempotency {
  scope: $scope, key: row.key, arguments: row.arguments, recorded_at: row.recorded_at, episode_id: row.episode_id,
  claim: row.claim, fact_ids: row.fact_ids, superseded_ids: row.superseded_ids, erased: row.erased,
  record_ids: row.record_ids, expires_at: row.expires_at
})
