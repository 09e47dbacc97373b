// Versions that are not tied to their entities and predicate, hold at no instant, or are in the wrong index.
//   $scope              the scope's name
//   $limit              how many findings at the most
MATCH (f:Fact) USING INDEX f:Fact(scope, recorded_at)
WHERE f.scope = $scope AND f.recorded_at IS NOT NULL
WITH f, [
  CASE WHEN NOT EXISTS { MATCH (f)-[:ABOUT]->(e:Entity) WHERE e.name = f.subject AND e.scope = $scope }
         OR (f.object_type = 'entity' AND NOT EXISTS {
           MATCH (f)-[:OBJECT]->(e:Entity) WHERE e.name = f.object_text AND e.scope = $scope })
       THEN 'fact without its entity' END,
  CASE WHEN NOT EXISTS { MATCH (p:Predicate {scope: $scope, name: f.predicate}) }
       THEN 'fact without its predicate' END,
  CASE WHEN f.valid_from >= f.valid_to THEN 'inverted window' END,
  CASE WHEN f.recorded_at >= f.superseded_at THEN 'inverted recorded time' END,
  CASE WHEN f:StandingFact <> (f.superseded_at = 4611686018427387904)
         OR f:SupersededFact <> (f.superseded_at <> 4611686018427387904)
       THEN 'fact in the wrong full-text index' END,
  CASE WHEN f.superseded_at = 4611686018427387904 AND NOT EXISTS {
           MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
           WHERE s.scope = $scope AND s.fact_id = f.id AND s.detached_at = 4611686018427387904 }
       THEN 'fact without a source' END
] AS checks
UNWIND checks AS check
WITH f, check WHERE check IS NOT NULL
RETURN check, f.id + ' recorded at ' + f.recorded_at AS what LIMIT $limit
