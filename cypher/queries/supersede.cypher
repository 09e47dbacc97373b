// End the belief in standing versions, and in the edges of those that are relations. Answers how many.
//   $scope              the scope's name
//   $at                 the recorded time of the transaction
//   $mark               its day as a word: u0739000
//   $given.rows         [{id, recorded_at, ended_by, absorbed_by}, …]
UNWIND $given.rows AS row
MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
WHERE f.scope = $scope AND f.id = row.id AND f.recorded_at = row.recorded_at
  AND f.superseded_at = 4611686018427387904
SET f.superseded_at = $at, f.ended_by = row.ended_by, f.absorbed_by = row.absorbed_by,
    f.marks = f.marks + ' ' + $mark, f:SupersededFact
REMOVE f:StandingFact
WITH count(f) AS ended, collect(CASE f.object_type WHEN 'entity' THEN f END) AS relations
CALL (relations) {
  UNWIND relations AS f
  MATCH (f)-[:ABOUT]->(subject:Entity)
  WITH subject, collect(f.id) AS ids
  MATCH (subject)-[edge]->(:Entity)
  WHERE edge.fact_id IN ids AND edge.superseded_at = 4611686018427387904
  SET edge.superseded_at = $at
}
RETURN ended
