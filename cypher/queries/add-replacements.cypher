// Say which versions a version took the place of.
//   $scope              the scope's name
//   $rows               [{id, recorded_at, old_id, old_recorded_at}, …]
UNWIND $rows AS row
MATCH (new:Fact {scope: $scope, id: row.id, recorded_at: row.recorded_at})
MATCH (old:Fact {scope: $scope, id: row.old_id, recorded_at: row.old_recorded_at})
CREATE (new)-[:SUPERSEDES]->(old)
