// Provenance that dangles: links to lines or episodes that are not there, chunks without an episode.
//   $scope              a scope's name, or null for all
MATCH (s:Source) WHERE $scope IS NULL OR s.scope = $scope
WITH s, [
  CASE WHEN NOT EXISTS {
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = s.scope AND f.id = s.fact_id AND f.recorded_at IS NOT NULL
  } THEN 'backs a line that is not there' END,
  CASE WHEN NOT EXISTS { MATCH (f:Fact)-[:SUPPORTED_BY]->(s) WHERE f.id = s.fact_id }
       THEN 'is not tied to its line' END,
  CASE WHEN s.episode_id IS NOT NULL AND NOT EXISTS { MATCH (s)-[:FROM]->(e:Episode) WHERE e.id = s.episode_id }
       THEN 'is not tied to its episode' END,
  CASE WHEN s.attached_at >= s.detached_at THEN 'was detached before it was attached' END
] AS problems
UNWIND problems AS problem
WITH s, problem WHERE problem IS NOT NULL
RETURN 'sources' AS check, s.scope AS scope, 'source link ' + s.id + ' ' + problem AS what
UNION ALL
MATCH (c:Chunk) WHERE ($scope IS NULL OR c.scope = $scope) AND NOT EXISTS { (:Episode)-[:HAS_CHUNK]->(c) }
RETURN 'sources' AS check, c.scope AS scope, 'chunk ' + c.number + ' has no episode (' + c.episode_id + ')' AS what
UNION ALL
MATCH (e:Episode) WHERE ($scope IS NULL OR e.scope = $scope) AND NOT EXISTS { (e)-[:HAS_CHUNK]->(:Chunk) }
RETURN 'sources' AS check, e.scope AS scope, 'episode ' + e.id + ' has no chunk' AS what
