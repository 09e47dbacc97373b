// End the belief in standing versions, and in the edges of those that are relations. Answers how many.
//   $scope              the scope's name
//   $at                 the recorded time of the transaction
//   $mark               its day as a word: u0739000
//   $rows               [{id, recorded_at, ended_by, absorbed_by}, …]
UNWIND $rows AS row
MATCH (f:Fact {scope: $scope, id: row.id, recorded_at: row.recorded_at})
WHERE f.superseded_at = 4611686018427387904
SET f.superseded_at = $at, f.ended_by = row.ended_by, f.absorbed_by = row.absorbed_by,
    f.marks = f.marks + ' ' + $mark, f:SupersededFact
REMOVE f:StandingFact
WITH f
CALL (f) {
  MATCH (f)-[:ABOUT]->(subject:Entity), (f)-[:OBJECT]->(object:Entity)
  MATCH (subject)-[edge]->(object) WHERE edge.fact_id = f.id AND edge.recorded_at = f.recorded_at
  SET edge.superseded_at = $at
}
RETURN count(*) AS ended
