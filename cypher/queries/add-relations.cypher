// Write versions of facts whose object is an entity, each with the edge that a person walks: its type is made from the
// predicate's name (RELATED_TO while nobody has declared the predicate).
//   $scope              the scope's name
//   $given.rows         one map a version; `subject_node` and `object_node` are element ids of entities,
//                       `edge` the relationship's type, `label` the predicate's label
UNWIND $given.rows AS row
MATCH (subject:Entity) WHERE elementId(subject) = row.subject_node
MATCH (object:Entity) WHERE elementId(object) = row.object_node
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
CREATE (f)-[:OBJECT]->(object)
CREATE (subject)-[:$(row.edge) {
  label: row.label, says: row.statement, since: row.since, until: row.until,
  valid_from: row.valid_from, valid_to: row.valid_to,
  recorded_at: row.recorded_at, superseded_at: row.superseded_at, fact_id: row.id
}]->(object)
