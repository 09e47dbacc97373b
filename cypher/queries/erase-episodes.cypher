// Delete episodes with their chunks and what still cites them, and empty the context of the turn after each.
//   $scope              the scope's name
//   $ids
UNWIND $ids AS id
CALL (id) {
  MATCH (after:Episode {scope: $scope, previous: id})-[:HAS_CHUNK]->(c:Chunk)
  SET c.context = ''
}
CALL (id) {
  MATCH (s:Source {scope: $scope, episode_id: id})
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
