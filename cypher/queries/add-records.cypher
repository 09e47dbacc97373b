// Write context records. Those that are served as frames get the label of the index they belong to. The scope is told
// that it has records: a recall looks for them only then.
//   $scope              the scope's name
//   $given.rows         one map a record; `label` is StandingRecord, SupersededRecord or null
MATCH (scope:Scope {name: $scope})
SET scope.records = true
WITH scope
UNWIND $given.rows AS row
CREATE (r:ContextRecord {
  scope: $scope, id: row.id, lineage: row.lineage, kind: row.kind, status: row.status,
  statement: row.statement, body: row.body, digest: row.digest, observed_at: row.observed_at,
  since: row.since, until: row.until,
  valid_from: row.valid_from, valid_to: row.valid_to, recorded_at: row.recorded_at, superseded_at: row.superseded_at,
  expires_at: row.expires_at, position: row.position, frame: row.frame, frame_digest: row.frame_digest,
  sharing: row.sharing, subjects: row.subjects, retention: row.retention, client: row.client, by: row.by,
  original_recorded_at: row.original_recorded_at, terms: row.terms, marks: row.marks
})
FOREACH (_ IN CASE WHEN row.label = 'StandingRecord' THEN [1] ELSE [] END | SET r:StandingRecord)
FOREACH (_ IN CASE WHEN row.label = 'SupersededRecord' THEN [1] ELSE [] END | SET r:SupersededRecord)
