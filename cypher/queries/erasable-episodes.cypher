// The episodes that an erase takes: one by id, or those an entity spoke.
//   $scope              the scope's name
//   $episode            null, or an episode's id
//   $speaker            null, or an entity's name
CALL () {
  WITH 1 AS one WHERE $episode IS NOT NULL
  MATCH (e:Episode {scope: $scope, id: $episode})
  RETURN e
 UNION
  WITH 1 AS one WHERE $speaker IS NOT NULL
  MATCH (e:Episode) USING INDEX e:Episode(scope, speaker, occurred_at)
  WHERE e.scope = $scope AND e.speaker = $speaker AND e.occurred_at IS NOT NULL
  RETURN e
}
RETURN [e.id, e.text, e.occurred_at, e.recorded_at, e.source, e.speaker, e.session, e.position,
        e.previous, e.original_recorded_at,
        COLLECT { MATCH (e)-[:HAS_CHUNK]->(c:Chunk)
                  RETURN [c.number, c.start, c.end, c.digest, c.terms, c.context] ORDER BY c.number }] AS episode
ORDER BY e.recorded_at, e.id
