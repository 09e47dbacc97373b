// Tombstones of a scope made by an instant, in pages.
//   $scope              the scope's name
//   $clock              the instant
//   $after, $limit      the page: the last id ('' at first), and how many
MATCH (t:Tombstone) USING INDEX t:Tombstone(scope, id)
WHERE t.scope = $scope AND t.id > $after AND t.erased_at <= $clock
WITH t ORDER BY t.scope, t.id LIMIT $limit
RETURN [t.id, t.kind, t.erased_at, t.reason, t.by] AS tombstone, t.id AS after
