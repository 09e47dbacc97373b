// Entities of a scope, in pages.
//   $scope              the scope's name
//   $after, $limit      the page: the last name ('' at first, itself never a name), and how many
MATCH (e:Entity) USING INDEX e:Entity(scope, name)
WHERE e.scope = $scope AND e.name > $after
WITH e ORDER BY e.scope, e.name LIMIT $limit
RETURN [e.id, e.name] AS entity, e.name AS after
