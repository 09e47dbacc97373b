// Facts that are not tied to their entities, are labelled wrongly, or hold at no instant.
//   $scope              a scope's name, or null for all
MATCH (f:Fact) WHERE $scope IS NULL OR f.scope = $scope
WITH f, [
  CASE WHEN NOT EXISTS { MATCH (f)-[:ABOUT]->(e:Entity) WHERE e.name = f.subject AND e.scope = f.scope }
       THEN ['facts', 'has no entity as its subject'] END,
  CASE WHEN f.object_type = 'entity'
        AND NOT EXISTS { MATCH (f)-[:OBJECT]->(e:Entity) WHERE e.name = f.object_text AND e.scope = f.scope }
       THEN ['facts', 'has no entity as its object'] END,
  CASE WHEN NOT EXISTS { MATCH (p:Predicate {scope: f.scope, name: f.predicate}) }
       THEN ['facts', 'has a predicate that is not there'] END,
  CASE WHEN f.valid_from >= f.valid_to THEN ['windows', 'has an empty or inverted window'] END,
  CASE WHEN f.recorded_at >= f.superseded_at THEN ['clocks', 'was superseded before it was recorded'] END,
  CASE WHEN (f.superseded_at = 4611686018427387904) <> (f:StandingFact)
         OR (f.superseded_at = 4611686018427387904) = (f:SupersededFact)
       THEN ['index', 'is in the wrong full-text index: its labels do not fit its clock'] END
] AS problems
UNWIND problems AS problem
WITH f, problem WHERE problem IS NOT NULL
RETURN problem[0] AS check, f.scope AS scope, 'fact ' + f.id + ' recorded at ' + f.recorded_at + ' ' + problem[1] AS what
