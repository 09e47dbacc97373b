// Episodes without their chunks, chunks without their episode, and turns that share a place.
//   $scope              the scope's name
//   $limit              how many findings of each kind at the most
CALL () {
  MATCH (e:Episode) USING INDEX e:Episode(scope, id)
  WHERE e.scope = $scope AND e.id IS NOT NULL AND NOT EXISTS { (e)-[:HAS_CHUNK]->(:Chunk) }
  RETURN 'episode without chunks' AS check, e.id AS what LIMIT $limit
 UNION ALL
  MATCH (c:Chunk) USING INDEX c:Chunk(scope, episode_id, number)
  WHERE c.scope = $scope AND c.episode_id IS NOT NULL AND c.number IS NOT NULL AND NOT EXISTS {
    MATCH (e:Episode)-[:HAS_CHUNK]->(c) USING INDEX e:Episode(scope, id)
    WHERE e.scope = $scope AND e.id = c.episode_id AND e.occurred_at = c.occurred_at AND e.recorded_at = c.recorded_at }
  RETURN 'chunk whose clocks are not its episode\'s' AS check, c.episode_id + '#' + c.number AS what LIMIT $limit
 UNION ALL
  MATCH (e:Episode) USING INDEX e:Episode(scope, session, position)
  WHERE e.scope = $scope AND e.session IS NOT NULL AND e.position IS NOT NULL
  WITH e.session AS session, e.position AS position, min(e.id) AS id, count(*) AS turns WHERE turns > 1
  RETURN 'two turns at one place of a session' AS check, id AS what LIMIT $limit
 UNION ALL
  MATCH (i:Idempotency) USING INDEX i:Idempotency(scope, key)
  WHERE i.scope = $scope AND i.key IS NOT NULL AND i.episode_id IS NOT NULL AND NOT i.erased
    AND NOT EXISTS { MATCH (e:Episode) USING INDEX e:Episode(scope, id)
                     WHERE e.scope = $scope AND e.id = i.episode_id }
  RETURN 'idempotency record of an episode that is not there' AS check, i.episode_id AS what LIMIT $limit
}
RETURN check, what
