// Say which versions a version took the place of.
//   $scope              the scope's name
//   $given.rows         [{id, recorded_at, old_id, old_recorded_at}, …]
UNWIND $given.rows AS row
MATCH (new:Fact) USING INDEX new:Fact(scope, id, recorded_at)
WHERE new.scope = $scope AND new.id = row.id AND new.recorded_at = row.recorded_at
MATCH (old:Fact) USING INDEX old:Fact(scope, id, recorded_at)
WHERE old.scope = $scope AND old.id = row.old_id AND old.recorded_at = row.old_recorded_at
CREATE (new)-[:SUPERSEDES]->(old)
