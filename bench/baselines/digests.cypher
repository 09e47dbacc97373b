// What facts say now, by hand.
UNWIND $ids AS id
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id = id AND f.recorded_at IS NOT NULL AND f.superseded_at = $open
RETURN f.id, f.digest
