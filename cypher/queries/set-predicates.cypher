// Write predicates, new or changed.
//   $scope              the scope's name
//   $given.rows         [{id, name, cardinality, object_type, label, inverse_label, declared}, …]
UNWIND $given.rows AS row
MERGE (p:Predicate {scope: $scope, name: row.name})
SET p.id = row.id, p.cardinality = row.cardinality, p.object_type = row.object_type,
    p.label = row.label, p.inverse_label = row.inverse_label, p.declared = row.declared
