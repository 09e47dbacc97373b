// The bodies of a scope's context records, oldest first, in pages.
//   $scope              the scope's name
//   $after, $limit      the page: the last record's [recorded_at, id], and how many
MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, recorded_at)
WHERE r.scope = $scope AND r.recorded_at >= $after[0] AND [r.recorded_at, r.id] > $after
WITH r ORDER BY r.scope, r.recorded_at, r.id LIMIT $limit
RETURN r.id AS id, r.body AS body, [r.recorded_at, r.id] AS after
