// Write versions of facts whose object is a value.
//   $scope              the scope's name
//   $given.rows         one map a version; `subject_node` is the element id of the subject's entity
UNWIND $given.rows AS row
MATCH (subject:Entity) WHERE elementId(subject) = row.subject_node
CREATE (f:Fact:StandingFact {
  scope: $scope, id: row.id, subject: row.subject, predicate: row.predicate,
  object_type: row.object_type, object_text: row.object_text, object_key: row.object_key,
  statement: row.statement, since: row.since, until: row.until,
  valid_from: row.valid_from, valid_to: row.valid_to,
  recorded_at: row.recorded_at, superseded_at: row.superseded_at,
  digest: row.digest, cause: row.cause, ended_by: row.ended_by, absorbed_by: row.absorbed_by,
  terms: row.terms, marks: row.marks, alias: row.alias
})
CREATE (f)-[:ABOUT]->(subject)
