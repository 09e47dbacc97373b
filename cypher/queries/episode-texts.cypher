// Who said what in a scope, oldest first, in pages.
//   $scope              the scope's name
//   $after, $limit      the page: the last episode's [recorded_at, id], and how many
MATCH (e:Episode) USING INDEX e:Episode(scope, recorded_at)
WHERE e.scope = $scope AND e.recorded_at >= $after[0] AND [e.recorded_at, e.id] > $after
WITH e ORDER BY e.scope, e.recorded_at, e.id LIMIT $limit
RETURN e.id AS id, e.text AS text, coalesce(e.speaker, '') AS speaker, [e.recorded_at, e.id] AS after
