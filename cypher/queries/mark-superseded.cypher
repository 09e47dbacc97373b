// Give versions that are written already superseded their label: they move to the index of what was superseded.
//   $scope              the scope's name
//   $given.rows         [{id, recorded_at}, …]
UNWIND $given.rows AS row
MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
WHERE f.scope = $scope AND f.id = row.id AND f.recorded_at = row.recorded_at
SET f:SupersededFact
REMOVE f:StandingFact
