// Delete episodes with their chunks and what still cites them. The turn after each forgets it: its context is emptied.
//   $scope              the scope's name
//   $given.ids
UNWIND $given.ids AS id
CALL (id) {
  MATCH (after:Episode) USING INDEX after:Episode(scope, previous)
  WHERE after.scope = $scope AND after.previous = id
  REMOVE after.previous
  WITH after
  MATCH (after)-[:HAS_CHUNK]->(c:Chunk)
  SET c.context = ''
}
CALL (id) {
  MATCH (s:Source) USING INDEX s:Source(scope, episode_id)
  WHERE s.scope = $scope AND s.episode_id = id
  DETACH DELETE s
}
MATCH (e:Episode {scope: $scope, id: id})
CALL (e) {
  MATCH (e)-[:HAS_CHUNK]->(c:Chunk)
  DETACH DELETE c
}
WITH e, e.speaker AS speaker
DETACH DELETE e
RETURN DISTINCT speaker
