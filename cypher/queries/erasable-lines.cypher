// Ids of the lines that an erase matches, at every recorded time. The first filter given selects; the others restrict.
//   $scope              the scope's name
//   $subject, $predicate   or null
//   $given.object_keys  null, or the object as `type:text` (a text is also an entity's name: two of them)
//   $entity             null, or the name of an entity at either end
CALL () {
  WITH 1 AS one WHERE $subject IS NOT NULL
  MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.subject = $subject AND f.superseded_at >= -4611686018427387904 AND f.valid_to IS NOT NULL
  RETURN f
 UNION
  WITH 1 AS one WHERE $subject IS NULL AND $given.object_keys IS NOT NULL
  MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.object_key IN $given.object_keys
    AND f.superseded_at >= -4611686018427387904 AND f.valid_to IS NOT NULL
  RETURN f
 UNION
  WITH 1 AS one WHERE $subject IS NULL AND $given.object_keys IS NULL AND $predicate IS NOT NULL
  MATCH (f:Fact) USING INDEX f:Fact(scope, predicate, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.predicate = $predicate
    AND f.superseded_at >= -4611686018427387904 AND f.valid_to IS NOT NULL
  RETURN f
 UNION
  WITH 1 AS one WHERE $entity IS NOT NULL
  MATCH (f:Fact) USING INDEX f:Fact(scope, subject, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.subject = $entity AND f.superseded_at >= -4611686018427387904 AND f.valid_to IS NOT NULL
  RETURN f
 UNION
  WITH 1 AS one WHERE $entity IS NOT NULL
  MATCH (f:Fact) USING INDEX f:Fact(scope, object_key, superseded_at, valid_to)
  WHERE f.scope = $scope AND f.object_key = 'entity:' + $entity
    AND f.superseded_at >= -4611686018427387904 AND f.valid_to IS NOT NULL
  RETURN f
}
WITH f WHERE ($predicate IS NULL OR f.predicate = $predicate)
  AND ($given.object_keys IS NULL OR f.object_key IN $given.object_keys)
RETURN DISTINCT f.id AS id
