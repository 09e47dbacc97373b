// What facts say now, by hand.
UNWIND $ids AS id
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id = id AND f.superseded_at = $open
RETURN f.id, f.digest
