// Source links of a scope attached by an instant, in pages.
//   $scope              the scope's name
//   $clock              the instant
//   $after, $limit      the page: the last link's id ('' at first), and how many
MATCH (s:Source) USING INDEX s:Source(scope, id)
WHERE s.scope = $scope AND s.id > $after AND s.attached_at <= $clock
WITH s ORDER BY s.scope, s.id LIMIT $limit
RETURN [s.id, s.claim, s.fact_id, s.episode_id, s.file_uri, s.file_digest, s.file_range, s.by,
        s.method, s.confidence, s.spoke_from, s.spoke_to, s.covers_from, s.covers_to,
        s.recorded_at, s.attached_at, s.detached_at, s.original_recorded_at] AS source,
       s.id AS after
