// Context records of a scope recorded by an instant, oldest first, in pages.
//   $scope              the scope's name
//   $clock              the instant
//   $after, $limit      the page: the last record's [recorded_at, position, id], and how many
MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
WHERE r.scope = $scope AND r.recorded_at >= $after[0] AND r.recorded_at <= $clock
  AND [r.recorded_at, r.position, r.id] > $after
WITH r ORDER BY r.scope, r.recorded_at, r.position, r.id LIMIT $limit
RETURN [r.id, r.lineage, r.kind, r.status, r.statement, r.body, r.digest, r.observed_at, r.valid_from,
        r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
        r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at] AS record,
       r.terms AS terms,
       [r.recorded_at, r.position, r.id] AS after
