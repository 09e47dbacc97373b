// Episodes of a scope recorded by an instant, oldest first, in pages.
//   $scope              the scope's name
//   $clock              the instant
//   $after, $limit      the page: the last episode's [recorded_at, id], and how many
MATCH (e:Episode) USING INDEX e:Episode(scope, recorded_at)
WHERE e.scope = $scope AND e.recorded_at >= $after[0] AND e.recorded_at <= $clock AND [e.recorded_at, e.id] > $after
WITH e ORDER BY e.scope, e.recorded_at, e.id LIMIT $limit
RETURN [e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position,
        e.previous, e.original_recorded_at,
        COLLECT { MATCH (e)-[:HAS_CHUNK]->(c:Chunk)
                  RETURN [c.number, c.start, c.end, c.digest, c.terms, c.context] ORDER BY c.number }] AS episode,
       [e.recorded_at, e.id] AS after
