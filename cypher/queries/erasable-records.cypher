// The context record that an erase takes, and how many others its lineage has.
//   $scope              the scope's name
//   $record             its id
MATCH (r:ContextRecord {scope: $scope, id: $record})
RETURN [r.id, r.lineage, r.kind, r.status, r.statement, '', r.digest, r.observed_at, r.valid_from,
        r.valid_to, r.recorded_at, r.superseded_at, r.expires_at, r.position, r.frame, r.frame_digest,
        r.sharing, r.subjects, r.retention, r.client, r.by, r.original_recorded_at] AS record,
  COUNT {
    MATCH (other:ContextRecord) USING INDEX other:ContextRecord(scope, lineage, recorded_at, position)
    WHERE other.scope = $scope AND other.lineage = r.lineage AND other.recorded_at IS NOT NULL
      AND other.position IS NOT NULL AND other.id <> $record
  } AS others
