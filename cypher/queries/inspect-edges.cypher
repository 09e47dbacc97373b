// Relations and edges that do not agree.
//   $scope              the scope's name
//   $limit              how many findings of each kind at the most
CALL () {
  MATCH (f:Fact) USING INDEX f:Fact(scope, recorded_at)
  WHERE f.scope = $scope AND f.recorded_at IS NOT NULL AND f.object_type = 'entity'
  OPTIONAL MATCH (f)-[:ABOUT]->(subject:Entity)
  OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
  // A path of one step, because it is walked from its start; a plain edge may be found by going through all there are.
  WITH f, subject, object, [
    (subject)-[path*1..1]->(object) WHERE path[0].fact_id = f.id AND path[0].recorded_at = f.recorded_at | path[0]
  ] AS edges
  WITH f, CASE
      WHEN subject IS NULL OR object IS NULL THEN null
      WHEN size(edges) = 0 THEN 'fact without its edge'
      WHEN size(edges) > 1 THEN 'fact with two edges'
      WHEN edges[0].valid_from <> f.valid_from OR edges[0].valid_to <> f.valid_to
        OR edges[0].superseded_at <> f.superseded_at THEN 'edge with other clocks than its fact'
    END AS check
  WHERE check IS NOT NULL
  RETURN check, f.id + ' recorded at ' + f.recorded_at AS what LIMIT $limit
 UNION ALL
  MATCH (subject:Entity) USING INDEX subject:Entity(scope, name)
  WHERE subject.scope = $scope AND subject.name IS NOT NULL
  MATCH (subject)-[edge]->(object:Entity)
  WHERE NOT EXISTS {
    MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
    WHERE f.scope = $scope AND f.id = edge.fact_id AND f.recorded_at = edge.recorded_at
      AND f.subject = subject.name AND f.object_text = object.name AND f.object_type = 'entity'
  }
  RETURN 'edge without its fact' AS check,
         coalesce(toString(edge.fact_id), 'no fact') + ' from ' + subject.id + ' to ' + object.id AS what LIMIT $limit
}
RETURN check, what
