// All predicates of a scope.
//   $scope              the scope's name
OPTIONAL MATCH (scope:Scope {name: $scope})
WITH coalesce(scope.clock, -4611686018427387904) AS clock
CALL () {
  MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
  WHERE p.scope = $scope AND p.name IS NOT NULL
  WITH p ORDER BY p.name
  RETURN collect([p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared]) AS found
}
OPTIONAL MATCH (after:Scope {name: $scope})
RETURN clock, coalesce(after.clock, clock) AS clock_after, found
