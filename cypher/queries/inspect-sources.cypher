// Provenance that dangles: links to lines or episodes that are not there, and links that cover nothing.
//   $scope              the scope's name
//   $limit              how many findings at the most
MATCH (s:Source) USING INDEX s:Source(scope, id)
WHERE s.scope = $scope AND s.id IS NOT NULL
WITH s, [
  CASE WHEN NOT EXISTS { MATCH (f:Fact)-[:SUPPORTED_BY]->(s) WHERE f.id = s.fact_id AND f.scope = $scope }
       THEN 'source link without its fact' END,
  CASE WHEN s.episode_id IS NOT NULL AND NOT EXISTS {
           MATCH (s)-[:FROM]->(e:Episode) WHERE e.id = s.episode_id AND e.scope = $scope }
       THEN 'source link to an episode that is not there' END,
  CASE WHEN s.covers_from >= s.covers_to OR s.attached_at >= s.detached_at THEN 'source link that covers nothing' END
] AS checks
UNWIND checks AS check
WITH s, check WHERE check IS NOT NULL
RETURN check, s.id AS what LIMIT $limit
