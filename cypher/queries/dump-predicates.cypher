// Predicates of a scope, in pages.
//   $scope              the scope's name
//   $after, $limit      the page: the last name ('' at first), and how many
MATCH (p:Predicate) USING INDEX p:Predicate(scope, name)
WHERE p.scope = $scope AND p.name > $after
WITH p ORDER BY p.scope, p.name LIMIT $limit
RETURN [p.id, p.name, p.cardinality, p.object_type, p.label, p.inverse_label, p.declared] AS predicate, p.name AS after
