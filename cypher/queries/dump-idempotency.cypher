// Idempotency records of a scope made by an instant, in pages.
//   $scope              the scope's name
//   $clock              the instant
//   $after, $limit      the page: the last key ('' at first), and how many
MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, key)
WHERE i.scope = $scope AND i.key > $after AND i.recorded_at <= $clock
WITH i ORDER BY i.scope, i.key LIMIT $limit
RETURN [i.key, i.arguments, i.recorded_at, i.episode_id, i.claim, i.fact_ids, i.superseded_ids, i.erased,
        i.record_ids, i.expires_at] AS record,
       i.key AS after
