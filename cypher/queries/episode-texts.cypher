// The texts of a scope's episodes, in pages.
//   $scope              the scope's name
//   $after, $limit      the page: the last episode's id ('' at first), and how many
MATCH (e:Episode) USING INDEX e:Episode(scope, id)
WHERE e.scope = $scope AND e.id > $after
RETURN e.id AS id, e.text AS text ORDER BY id LIMIT $limit
