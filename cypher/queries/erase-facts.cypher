// Delete lines whole: every version, its edge, and the line's source links. Answers the ends and predicates they had,
// and which versions of other lines had replaced one of theirs.
//   $scope              the scope's name
//   $given.ids
CALL () {
  UNWIND $given.ids AS id
  MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
  WHERE f.scope = $scope AND f.id = id AND f.recorded_at >= -4611686018427387904 AND f.object_type = 'entity'
  MATCH (f)-[:ABOUT]->(subject:Entity)
  WITH DISTINCT subject
  MATCH (subject)-[edge]->(:Entity) WHERE edge.fact_id IN $given.ids
  DELETE edge
}
CALL () {
  UNWIND $given.ids AS id
  MATCH (s:Source) USING INDEX s:Source(scope, fact_id, detached_at)
  WHERE s.scope = $scope AND s.fact_id = id AND s.detached_at >= -4611686018427387904
  DETACH DELETE s
}
UNWIND $given.ids AS id
MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
WHERE f.scope = $scope AND f.id = id AND f.recorded_at >= -4611686018427387904
WITH f, f.subject AS subject, f.predicate AS predicate,
     CASE f.object_type WHEN 'entity' THEN f.object_text END AS object,
     COLLECT { MATCH (new:Fact)-[:SUPERSEDES]->(f) WHERE NOT new.id IN $given.ids
               RETURN [new.id, new.recorded_at, f.id, f.recorded_at] } AS replaced
DETACH DELETE f
RETURN subject, predicate, object, replaced
