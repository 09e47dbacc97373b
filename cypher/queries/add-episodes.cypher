// Write episodes with their chunks, after the turn before and spoken by their speaker, where those are known.
//   $scope              the scope's name
//   $given.rows         one map an episode; `chunks` is a list of maps
UNWIND $given.rows AS row
CREATE (e:Episode {
  scope: $scope, id: row.id, text: row.text, speaker: row.speaker, source: row.source,
  session: row.session, position: row.position, previous: row.previous, when: row.when,
  occurred_at: row.occurred_at, recorded_at: row.recorded_at, original_recorded_at: row.original_recorded_at
})
WITH e, row
CALL (e, row) {
  UNWIND row.chunks AS chunk
  CREATE (e)-[:HAS_CHUNK]->(:Chunk {
    scope: $scope, episode_id: row.id, number: chunk.number, start: chunk.start, end: chunk.end,
    digest: chunk.digest, terms: chunk.terms, context: chunk.context, marks: row.marks,
    occurred_at: row.occurred_at, recorded_at: row.recorded_at
  })
}
CALL (e) {
  MATCH (speaker:Entity {scope: $scope, name: e.speaker})
  CREATE (e)-[:SPOKEN_BY]->(speaker)
}
CALL (e) {
  MATCH (before:Episode {scope: $scope, id: e.previous})
  CREATE (e)-[:FOLLOWS]->(before)
}
