// Write new entities, and answer where they are, so that facts find them without looking them up again.
//   $scope              the scope's name
//   $given.rows         [{id, name, name_norm}, …]
UNWIND $given.rows AS row
CREATE (e:Entity {scope: $scope, name: row.name, id: row.id, name_norm: row.name_norm})
RETURN row.name AS name, elementId(e) AS node
