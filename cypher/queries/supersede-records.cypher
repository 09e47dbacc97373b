// End the standing of context records whose lineage has a next one. Answers how many.
//   $scope              the scope's name
//   $at                 the recorded time of the transaction
//   $mark               its day as a word: u0739000
//   $given.ids
UNWIND $given.ids AS id
MATCH (r:ContextRecord) USING INDEX r:ContextRecord(scope, id)
WHERE r.scope = $scope AND r.id = id AND r.superseded_at = 4611686018427387904
SET r.superseded_at = $at
FOREACH (_ IN CASE WHEN r.frame IS NOT NULL THEN [1] ELSE [] END |
  SET r.marks = r.marks + ' ' + $mark, r:SupersededRecord
  REMOVE r:StandingRecord
)
RETURN count(r) AS ended
