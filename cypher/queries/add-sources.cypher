// Write source links: each supports the version of its line that stood when it was attached, and comes from an episode.
// A link backs its line (fact_id) from attached_at to detached_at, whatever versions the line has meanwhile.
//   $scope              the scope's name
//   $given.rows         one map a link
UNWIND $given.rows AS source
CREATE (s:Source {
  scope: $scope, id: source.id, claim: source.claim, fact_id: source.fact_id, episode_id: source.episode_id,
  file_uri: source.file_uri, file_digest: source.file_digest, file_range: source.file_range,
  by: source.by, method: source.method, confidence: source.confidence,
  spoke_from: source.spoke_from, spoke_to: source.spoke_to,
  covers_from: source.covers_from, covers_to: source.covers_to,
  recorded_at: source.recorded_at, attached_at: source.attached_at, detached_at: source.detached_at,
  original_recorded_at: source.original_recorded_at
})
WITH s
CALL (s) {
  MATCH (f:Fact) USING INDEX f:Fact(scope, id, recorded_at)
  WHERE f.scope = $scope AND f.id = s.fact_id AND f.recorded_at <= s.attached_at
  WITH f, s ORDER BY f.scope DESC, f.id DESC, f.recorded_at DESC LIMIT 1
  CREATE (f)-[:SUPPORTED_BY]->(s)
}
CALL (s) {
  MATCH (e:Episode {scope: $scope, id: s.episode_id})
  CREATE (s)-[:FROM]->(e)
}
