// Edges and facts that do not agree. Answers check, scope and what is wrong.
//   $scope              a scope's name, or null for all
MATCH (f:Fact) WHERE ($scope IS NULL OR f.scope = $scope) AND f.object_type = 'entity'
OPTIONAL MATCH (f)-[:ABOUT]->(subject:Entity)
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
OPTIONAL MATCH (subject)-[edge]->(object) WHERE edge.fact_id = f.id AND edge.recorded_at = f.recorded_at
WITH f, subject, object, collect(edge) AS edges
WITH f, CASE
    WHEN subject IS NULL OR object IS NULL THEN null
    WHEN size(edges) = 0 THEN 'has no edge'
    WHEN size(edges) > 1 THEN 'has ' + size(edges) + ' edges'
    WHEN edges[0].valid_from <> f.valid_from OR edges[0].valid_to <> f.valid_to
      OR edges[0].superseded_at <> f.superseded_at THEN 'has an edge with other clocks'
  END AS problem
WHERE problem IS NOT NULL
RETURN 'edges' AS check, f.scope AS scope, 'fact ' + f.id + ' recorded at ' + f.recorded_at + ' ' + problem AS what
UNION ALL
MATCH (subject:Entity)-[edge]->(object:Entity)
WHERE ($scope IS NULL OR subject.scope = $scope)
  AND NOT EXISTS {
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = subject.scope AND f.id = edge.fact_id AND f.recorded_at = edge.recorded_at
      AND f.subject = subject.name AND f.object_text = object.name AND f.object_type = 'entity'
  }
RETURN 'edges' AS check, subject.scope AS scope,
       'an edge from entity ' + subject.id + ' to entity ' + object.id + ' has no fact ('
       + coalesce(toString(edge.fact_id), 'no id') + ')' AS what
