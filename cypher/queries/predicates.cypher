// All predicates of a scope.
//   $scope              the scope's name
MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
WHERE p.scope = $scope AND p.name IS NOT NULL
RETURN [p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared] AS predicate
ORDER BY p.name
